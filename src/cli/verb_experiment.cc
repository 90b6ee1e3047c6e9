// graft experiment: many systems on one corpus, compared.
#include <fmt/format.h>

#include <memory>

#include "cli/common.h"
#include "graft/train.h"

namespace graft::engine::cli {
namespace {

struct Options {
  std::string config;
  std::vector<std::string> overrides;
  bool dry_run = false;
  ThreadOption threads;
  MemoryOption memory;
};

void Run(const Options& options) {
  const ExperimentOptions experiment{options.config, options.overrides, options.threads.value(), options.memory.text};
  if (options.dry_run) {
    PrintText(graft::PlanExperiment(experiment));
    return;
  }
  const ExperimentSummary summary =
      graft::RunExperiment(experiment, ConsoleReporter(), [](std::string_view line) { Note(line); });
  PrintText(fmt::format("{}\n{}\n", summary.text, summary.html));
}

}  // namespace

void AddExperiment(CLI::App* app) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = app->add_subcommand("experiment", "Many systems on one corpus: trained, tuned, compared; resumable");
  verb->add_option("CONFIG", options->config, "Configuration (TOML)")->required();
  verb->add_flag("--dry-run", options->dry_run, "Show what is left to do, and do nothing");
  verb->add_option("--set", options->overrides, "Override a key of the configuration: section.key=value")
      ->allow_extra_args(false);
  options->threads.AddTo(verb);
  options->memory.AddTo(verb);
  verb->footer(
      "The configuration is that of `graft train` with a [[row]] for each system. Alignment and language model are "
      "made\n"
      "once. Steps that are done are not done again: stop it and start it again, or add a row to a finished "
      "experiment.\n"
      "OUTPUT gets report.md, report.html, report.csv and report.json; OUTPUT/rows/ID is the model of a row.\n\n"
      "Example:\n"
      "  graft experiment examples/paper-tables.toml\n\n"
      "A configuration (paths are relative to it):\n"
      "  output = \"results\"\n"
      "  baselines = [\"pbmt\", \"hpbmt\"]\n"
      "  [[row]]\n"
      "  name = \"pbmt\"\n"
      "  [[row]]\n"
      "  name = \"hpbmt\"\n"
      "  [[row]]\n"
      "  name = \"gramgbmt-c\"\n"
      "  graph = \"dsg\"\n"
      "  [[consensus]]\n"
      "  rows = [\"pbmt\", \"hpbmt\", \"gramgbmt-c-dsg\"]\n"
      "  [corpus]\n"
      "  source = \"train.de.conllu.xz\"\n"
      "  target = \"train.en.xz\"\n"
      "  [dev]\n"
      "  source = \"dev.de.conllu\"\n"
      "  references = [\"dev.en\"]\n"
      "  [test.flickr2016]\n"
      "  source = \"test.de.conllu\"\n"
      "  references = [\"test.en\"]\n"
      "  [tune]\n"
      "  runs = 3\n"
      "  iterations = 10");
  verb->callback([options] { Run(*options); });
}

}  // namespace graft::engine::cli
