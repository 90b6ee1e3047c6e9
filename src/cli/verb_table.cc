// graft table: binary rule tables.
#include "cli/verb_table.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "building/build.h"
#include "building/dump.h"
#include "building/moses_import.h"
#include "building/prune.h"
#include "building/table_options.h"
#include "cli/common.h"
#include "cli/option_flags.h"
#include "graft/error.h"

namespace graft::engine::cli {

std::string TablePath(const std::string& given) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(given, ignored)) return given;
  const std::filesystem::path table = std::filesystem::path(given) / "rules.graft";
  if (!std::filesystem::exists(table, ignored))
    throw Error(given + ": is a folder without a rules.graft; name a rule table or a model");
  return table.string();
}

void AddTableDump(CLI::App* table) {
  CLI::App* verb = table->add_subcommand("dump", "A table as text, exactly");
  struct Options {
    std::string table, output = "-";
  };
  auto options = std::make_shared<Options>();
  verb->add_option("table", options->table, "Rule table, or a model with one")->type_name("TABLE")->required();
  verb->add_option("-o,--output", options->output, "Text")->type_name("FILE")->capture_default_str();
  verb->footer(
      "\nExample:\n"
      "  graft table dump rules.graft -o rules.txt.gz\n"
      "  graft table build --dump rules.txt.gz -o same.graft\n"
      "\nHeader lines `#graft …` up to an empty line, then `LHS ||| source ||| edges ||| target ||| scores ||| links "
      "|||\n"
      "counts` in table order; scores are natural logs: p(s|t) lex(s|t) p(t|s) lex(t|s).");
  verb->callback([options] { DumpTable(RuleTable::Open(TablePath(options->table)), options->output); });
}

void AddTableImport(CLI::App* table) {
  CLI::App* verb = table->add_subcommand("import", "Tables of Moses");
  struct Options {
    std::string moses, hierarchical, glue, output;
    graft::TableOptions stored;
    ThreadOption threads;
    MemoryOption memory;
  };
  auto options = std::make_shared<Options>();
  verb->add_option("--moses", options->moses, "Phrase table with four scores")->type_name("FILE");
  verb->add_option("--moses-hierarchical", options->hierarchical, "Hierarchical rule table with four scores (hpbmt)")
      ->type_name("FILE");
  verb->add_option("--moses-glue", options->glue, "Glue grammar of the rule table: checked, for glue is built in")
      ->type_name("FILE");
  verb->add_option("-o,--output", options->output, "Rule table")->type_name("FILE")->required();
  AddFlags(verb, TableOptionTable(), {}, &options->stored);
  options->threads.AddTo(verb);
  options->memory.AddTo(verb);
  verb->footer(
      "\nExample:\n"
      "  graft table import --moses phrase-table.gz --scores f32 -o rules.graft\n"
      "  graft table import --moses-hierarchical rule-table.gz --moses-glue glue-grammar -o rules.graft\n"
      "\n--counts needs counts on every line. Word ids follow the number of times a word occurs in the table, ties\n"
      "bytewise.");
  verb->callback([options] {
    if (options->moses.empty() == options->hierarchical.empty())
      throw Error("give one of --moses and --moses-hierarchical: which table is to be imported?");
    if (!options->glue.empty() && options->hierarchical.empty())
      throw Error("--moses-glue goes with --moses-hierarchical; phrase tables have no glue");
    const MosesImportOptions import{.hierarchical = !options->hierarchical.empty(),
                                    .scores = ParseScoreCoding(options->stored.scores),
                                    .counts = options->stored.counts,
                                    .keep = options->stored.keep};
    const WorkOptions work{
        .threads = options->threads.value(), .memory_bytes = options->memory.bytes(), .temp_folder = ""};
    const Reporter reporter = ConsoleReporter();
    if (!options->glue.empty()) CheckMosesGlue(options->glue, reporter);
    const std::string& from = import.hierarchical ? options->hierarchical : options->moses;
    Note(TotalsText(options->output, ImportMoses(from, import, work, options->output, reporter)));
  });
}

void AddTablePrune(CLI::App* table) {
  CLI::App* verb = table->add_subcommand("prune", "A smaller table");
  struct Options {
    std::string table, output;
    PruneOptions prune;
  };
  auto options = std::make_shared<Options>();
  verb->add_option("table", options->table, "Rule table, or a model with one")->type_name("TABLE")->required();
  verb->add_option("-o,--output", options->output, "Pruned table")->type_name("FILE")->required();
  AddFlags(verb, PruneOptionTable(), {}, &options->prune);
  verb->footer("\nExample:\n  graft table prune rules.graft --keep 20 -o small.graft");
  verb->callback([options] {
    if (options->prune.keep == 0 && !options->prune.min_prob && !options->prune.min_count)
      throw Error("nothing to prune by; give --keep N, --min-prob P or --min-count C");
    const RuleTable before = RuleTable::Open(TablePath(options->table));
    const TableWriter::Totals totals = PruneTable(before, options->prune, options->output);
    Note(fmt::format("{} (of {} rules)", TotalsText(options->output, totals), before.rules()));
  });
}

void AddTable(CLI::App* app) {
  CLI::App* table = app->add_subcommand("table", "Binary rule tables: build, inspect, dump, import, prune");
  table->require_subcommand(1);
  AddTableBuild(table);
  AddTableInspect(table);
  AddTableDump(table);
  AddTableImport(table);
  AddTablePrune(table);
}

}  // namespace graft::engine::cli
