// graft train: from texts to a tuned model, resumable.
#include <memory>

#include "cli/common.h"
#include "graft/error.h"
#include "graft/train.h"

namespace graft::engine::cli {
namespace {

struct Options {
  std::string config, output;
  std::vector<std::string> quick, overrides;
  bool dry_run = false, raw = false, tokenised = false;
  ThreadOption threads;
  MemoryOption memory;
};

graft::QuickOptions Quick(const Options& options) {
  graft::QuickOptions quick{.source = options.quick[0],
                            .target = options.quick[1],
                            .output = options.output,
                            .settings = options.overrides,
                            .threads = options.threads.value(),
                            .memory = options.memory.text};
  if (options.raw || options.tokenised) quick.tokenised = options.tokenised;
  return quick;
}

void Log(std::string_view line) { Note(line); }

TrainSummary Train(const Options& options, const Reporter& reporter) {
  if (options.quick.empty())
    return graft::Train({options.config, options.overrides, options.threads.value(), options.memory.text}, reporter,
                        Log);
  return TrainQuickly(Quick(options), reporter, Log);
}

std::string Plan(const Options& options, const Reporter& reporter) {
  if (options.quick.empty())
    return graft::PlanTraining({options.config, options.overrides, options.threads.value(), options.memory.text},
                               reporter);
  return PlanQuickTraining(Quick(options), reporter, Log);
}

void Run(const Options& options) {
  const Reporter reporter = ConsoleReporter();
  if (options.dry_run) {
    PrintText(Plan(options, reporter));
    return;
  }
  const TrainSummary summary = Train(options, reporter);
  Note("");
  PrintText(summary.text);
}

}  // namespace

void AddTrain(CLI::App* app) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = app->add_subcommand("train", "The whole way from texts to a tuned model; resumable");
  CLI::Option* config = verb->add_option("CONFIG", options->config, "Configuration (TOML)");
  CLI::Option* quick = verb->add_option("--quick", options->quick, "Two files instead of a configuration: SRC TGT")
                           ->expected(2)
                           ->type_name("SRC TGT")
                           ->excludes(config);
  verb->add_option("-o,--output", options->output, "With --quick: the model folder")->needs(quick);
  CLI::Option* raw = verb->add_flag("--raw", options->raw, "With --quick: the text is not tokenised")->needs(quick);
  verb->add_flag("--tokenised", options->tokenised, "With --quick: the text is tokenised")->needs(quick)->excludes(raw);
  verb->add_flag("--dry-run", options->dry_run, "Show the steps with rough memory and disk needs, and do nothing");
  verb->add_option("--set", options->overrides, "Override a key of the configuration: section.key=value")
      ->allow_extra_args(false);
  options->threads.AddTo(verb);
  options->memory.AddTo(verb);
  verb->footer(
      "Steps that are done are not done again: change the configuration, add a test set, or start again after an\n"
      "interruption, and only what is new is worked on. Intermediate files are in OUTPUT.work.\n\n"
      "Examples:\n"
      "  graft train --quick train.de train.en -o MODEL\n"
      "  graft train --quick train.de train.en -o MODEL --set system.name=hpbmt\n"
      "  graft train train.toml --dry-run\n"
      "  graft train train.toml --set tune.runs=3\n\n"
      "A configuration (paths are relative to it):\n"
      "  output = \"model\"\n"
      "  [system]\n"
      "  name = \"seggbmt\"\n"
      "  graph = \"dbg\"\n"
      "  [corpus]\n"
      "  source = \"train.de.conllu.xz\"\n"
      "  target = \"train.en.xz\"\n"
      "  lowercase = true\n"
      "  [dev]\n"
      "  source = \"dev.de.conllu\"\n"
      "  references = [\"dev.en\"]\n"
      "  [test.flickr2016]\n"
      "  source = \"test.de.conllu\"\n"
      "  references = [\"test.en\"]");
  verb->callback([options] {
    if (options->config.empty() && options->quick.empty())
      throw Error("give a configuration, or two files with --quick; --help shows both");
    if (!options->quick.empty() && options->output.empty()) throw Error("--quick needs -o MODEL, the folder to make");
    Run(*options);
  });
}

}  // namespace graft::engine::cli
