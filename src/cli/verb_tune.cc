// graft tune: weights of a model from a development set.
#include <memory>

#include "cli/common.h"
#include "cli/option_flags.h"
#include "graft/training_steps.h"
#include "tune/tune_table.h"

namespace graft::engine::cli {
namespace {

struct Options {
  graft::TuneOptions tune;
  ThreadOption threads;
};

void RunTune(const Options& options) {
  graft::TuneOptions tune = options.tune;
  tune.threads = options.threads.value();
  const graft::TuneSummary summary = graft::Tune(tune, ConsoleReporter(), [](std::string_view line) { Note(line); });
  for (const std::string& line : summary.lines) Note(line);
}

}  // namespace

void AddTune(CLI::App* app) {
  auto options = std::make_shared<Options>();
  graft::TuneOptions& tune = options->tune;
  CLI::App* verb = app->add_subcommand("tune", "Tune the weights of a model on a development set by batch MIRA");
  verb->add_option("-m,--model", tune.model, "Model folder; its own weights are where tuning starts")->required();
  verb->add_option("--source", tune.source, "Source side: CoNLL-U (.conllu) or text, as for translate")->required();
  verb->add_option("--references", tune.references,
                   "References, a line for each sentence; several files: several references")
      ->required();
  verb->add_option("-o,--output", tune.output, "Weights to write, e.g. weights.toml")->required();
  AddFlags(verb, TuneOptionTable(), {}, &tune);
  verb->add_option("--nbest-folder", tune.nbest_folder, "Write the n-best lists of every iteration into this folder");
  verb->add_option("--set", tune.settings, "Override a key of model.toml for this run: section.key=value")
      ->allow_extra_args(false);
  options->threads.AddTo(verb);
  verb->footer(
      "Example:\n"
      "  graft tune -m MODEL --source dev.de.conllu --references dev.en -o weights.toml\n"
      "  graft model new --table MODEL/rules.graft --lm MODEL/lm.bin --weights weights.toml -o TUNED");
  verb->callback([options] { RunTune(*options); });
}

}  // namespace graft::engine::cli
