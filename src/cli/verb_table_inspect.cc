// graft table inspect: what a table holds, and the rules of one source side.
#include <fmt/format.h>

#include <memory>

#include "building/rule_lookup.h"
#include "cli/common.h"
#include "cli/verb_table.h"
#include "graft/error.h"
#include "table/table_text.h"
#include "util/output_file.h"
#include "util/utf8.h"

namespace graft::engine::cli {
namespace {

struct Inspect {
  std::string table, source;
  std::vector<std::string> words;
  bool verify = false, json = false;

  void Run() const {
    if (json && !(words.empty() && source.empty()))
      throw Error("--json describes a table; it means nothing with words to look up");
    if (!words.empty() && !source.empty()) throw Error("give words or --source, not both");
    const RuleTable opened = RuleTable::Open(TablePath(table));
    if (verify) opened.Verify();
    OutputFile out("-");
    if (!words.empty() || !source.empty()) {
      const std::string rules =
          opened.Unchanged([&] { return words.empty() ? RulesOfPrinted(opened, source) : RulesOf(opened, words); });
      if (rules.empty())
        throw Error(fmt::format("{}: no rule has the source {}{}", table,
                                Quoted(source.empty() ? fmt::format("{}", fmt::join(words, " ")) : source),
                                source.empty() && !opened.labels().empty()
                                    ? "; sources with non-terminals are given whole: --source '[X,1] …'"
                                    : ""));
      out.Write(rules);
    } else {
      out.Write(opened.Unchanged([&] { return json ? TableJson(opened) : TableText(opened); }));
    }
    out.Close();
    if (verify) Note(table + ": every block is whole");
  }
};

}  // namespace

void AddTableInspect(CLI::App* table) {
  CLI::App* verb = table->add_subcommand("inspect", "What a table holds; with words, the rules of that source side");
  auto options = std::make_shared<Inspect>();
  verb->add_option("table", options->table, "Rule table, or a model with one")->type_name("TABLE")->required();
  verb->add_option("words", options->words, "Words of a source side, in order")->type_name("WORD…");
  verb->add_option("--source", options->source, "The source side as `dump` prints it, for one with non-terminals")
      ->type_name("TEXT");
  verb->add_flag("--verify", options->verify, "Check every block of the file");
  verb->add_flag("--json", options->json, "As JSON");
  verb->footer(
      "\nExamples:\n"
      "  graft table inspect rules.graft --verify\n"
      "  graft table inspect rules.graft ein Haus\n"
      "  graft table inspect rules.graft --source '[X,1] im Hintergrund'");
  verb->callback([options] { options->Run(); });
}

}  // namespace graft::engine::cli
