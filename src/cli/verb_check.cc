// graft check: every problem of a corpus.
#include <fmt/format.h>

#include <memory>

#include "cli/common.h"
#include "cli/option_flags.h"
#include "corpus/check_table.h"
#include "graft/error.h"
#include "graft/training_steps.h"

namespace graft::engine::cli {

namespace {

std::string Counted(uint64_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

void PrintFinding(const graft::Finding& finding) {
  switch (finding.severity) {
    case graft::Finding::Severity::kError: Print(finding.message); break;
    case graft::Finding::Severity::kWarning: Print(fmt::format("warning: {}", finding.message)); break;
    case graft::Finding::Severity::kNote: Print(fmt::format("note: {}", finding.message)); break;
  }
}

void Run(const graft::CheckOptions& options) {
  const graft::CheckSummary summary = graft::CheckCorpus(options, ConsoleReporter(), PrintFinding);
  const uint64_t good = summary.pairs - summary.bad_pairs;
  const std::string copies =
      summary.wrote_clean ? fmt::format("; {} written to {}", Counted(good, "good pair"), options.clean_folder) : "";
  const std::string others =
      fmt::format("{}, {}", Counted(summary.warnings, "warning"), Counted(summary.notes, "note"));
  if (summary.errors == 0) {
    Note(fmt::format("{}, no problems ({}){}", Counted(summary.pairs, "pair"), others, copies));
    return;
  }
  throw Error(fmt::format("{} in {} of {} ({}){}", Counted(summary.errors, "problem"), summary.bad_pairs,
                          Counted(summary.pairs, "pair"), others, copies));
}

}  // namespace

void AddCheck(CLI::App* app) {
  auto options = std::make_shared<graft::CheckOptions>();
  CLI::App* verb = app->add_subcommand("check", "Check a corpus and name every problem with file and line");
  verb->add_option("--source", options->source, "Source side: CoNLL-U or tokenised text")->type_name("FILE");
  verb->add_option("--target", options->target, "Target side: tokenised text")->type_name("FILE");
  verb->add_option("--align", options->align, "Word alignment: links i-j, counted from 0")->type_name("FILE");
  verb->add_option("--write-clean", options->clean_folder, "Write copies without the bad pairs into this folder")
      ->type_name("DIR");
  AddFlags(verb, CheckOptionTable(), {}, options.get());
  verb->footer(
      "Problems go to stdout, one a line, and the exit status is 1 if there are any.\n\n"
      "Example:\n"
      "  graft check --source train.de.conllu.xz --target train.en.xz --align train.align.xz --write-clean clean");
  verb->callback([options] { Run(*options); });
}

}  // namespace graft::engine::cli
