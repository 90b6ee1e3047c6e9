// graft table: binary rule tables.
#include "cli/verb_table.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <memory>

#include "building/build.h"
#include "building/dump.h"
#include "building/moses_import.h"
#include "building/prune.h"
#include "cli/common.h"
#include "graft/error.h"
#include "rules/rule_text.h"

namespace graft::engine::cli {

void AddScoresOption(CLI::App* app, std::string* scores) {
  app->add_option("--scores", *scores, "How scores are stored: q16 (1/512), f32 (exact) or q8 (smallest)")
      ->type_name("q16|f32|q8")
      ->capture_default_str();
}

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
    std::string moses, hierarchical, glue, output, scores = "q16";
    MosesImportOptions import;
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
  AddScoresOption(verb, &options->scores);
  verb->add_flag("--counts", options->import.counts, "Store c(t) c(s) c(s,t), which every line must have");
  verb->add_option("--keep", options->import.keep, "Best targets of a source side by p(t|s); 0 = all")
      ->type_name("N")
      ->check(CLI::Range(0, 1'000'000'000));
  options->threads.AddTo(verb);
  options->memory.AddTo(verb);
  verb->footer(
      "\nExample:\n"
      "  graft table import --moses phrase-table.gz --scores f32 -o rules.graft\n"
      "  graft table import --moses-hierarchical rule-table.gz --moses-glue glue-grammar -o rules.graft\n"
      "\nWord ids follow the number of times a word occurs in the table, ties bytewise.");
  verb->callback([options] {
    if (options->moses.empty() == options->hierarchical.empty())
      throw Error("give one of --moses and --moses-hierarchical: which table is to be imported?");
    if (!options->glue.empty() && options->hierarchical.empty())
      throw Error("--moses-glue goes with --moses-hierarchical; phrase tables have no glue");
    options->import.hierarchical = !options->hierarchical.empty();
    options->import.scores = ParseScoreCoding(options->scores);
    const WorkOptions work{
        .threads = options->threads.value(), .memory_bytes = options->memory.bytes(), .temp_folder = ""};
    const Reporter reporter = ConsoleReporter();
    if (!options->glue.empty()) CheckMosesGlue(options->glue, reporter);
    const std::string& from = options->import.hierarchical ? options->hierarchical : options->moses;
    Note(TotalsText(options->output, ImportMoses(from, options->import, work, options->output, reporter)));
  });
}

void AddTablePrune(CLI::App* table) {
  CLI::App* verb = table->add_subcommand("prune", "A smaller table");
  struct Options {
    std::string table, output, min_count;
    double min_prob = 0;
    PruneOptions prune;
  };
  auto options = std::make_shared<Options>();
  verb->add_option("table", options->table, "Rule table, or a model with one")->type_name("TABLE")->required();
  verb->add_option("-o,--output", options->output, "Pruned table")->type_name("FILE")->required();
  CLI::Option* keep = verb->add_option("--keep", options->prune.keep, "Best targets of a source side by p(t|s)")
                          ->type_name("N")
                          ->check(CLI::Range(1, 1'000'000'000));
  CLI::Option* min_prob = verb->add_option("--min-prob", options->min_prob, "Only targets with p(t|s) of at least P")
                              ->type_name("P")
                              ->check(CLI::Range(0.0, 1.0));
  CLI::Option* min_count =
      verb->add_option("--min-count", options->min_count, "Only rules seen at least C times; needs a table with counts")
          ->type_name("C");
  verb->footer("\nExample:\n  graft table prune rules.graft --keep 20 -o small.graft");
  verb->callback([options, keep, min_prob, min_count] {
    if (keep->empty() && min_prob->empty() && min_count->empty())
      throw Error("nothing to prune by; give --keep N, --min-prob P or --min-count C");
    if (std::isnan(options->min_prob)) throw Error("--min-prob must be a number between 0 and 1");
    if (!min_prob->empty()) options->prune.min_prob = options->min_prob;
    if (!min_count->empty()) options->prune.min_count = ParseCount(options->min_count);
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
