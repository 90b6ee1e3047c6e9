// graft tune: weights of a model from a development set.
#include <fmt/format.h>

#include <memory>

#include "cli/common.h"
#include "graft/error.h"
#include "tune/tune.h"
#include "util/output_file.h"

namespace graft::engine::cli {
namespace {

struct Options {
  std::string model, source, output;
  std::vector<std::string> references, overrides;
  TuneOptions tune;
  ThreadOption threads;
};

// Tunes; with several runs the weights of each are written as it ends, so that a run that fails costs no other.
TuneResult TuneAll(const Model& model, const DevSet& dev, const Options& options, const Reporter& reporter) {
  TuneOptions tune = options.tune;
  tune.threads = options.threads.value();
  std::vector<std::string> kept;
  if (tune.runs > 1)
    tune.run_ended = [&](int number, const TuneRun& run) {
      const std::string path = RunWeightsPath(options.output, number);
      WriteWeights(path, model.config(), run, tune.method);
      kept.push_back(path);
    };
  Note(TuneTableHeader());
  try {
    return Tune(
        model, dev, tune, [](const TuneIteration& row) { Note(TuneTableRow(row)); }, reporter);
  } catch (const Error& error) {
    if (kept.empty()) throw;
    throw Error(fmt::format("{} (run {}); weights of the runs that ended are kept: {}", error.what(), kept.size() + 1,
                            fmt::join(kept, ", ")));
  }
}

void RunTune(const Options& options) {
  const Reporter reporter = ConsoleReporter();
  const std::unique_ptr<Model> model = Model::Load(options.model, options.overrides);
  const DevSet dev = ReadDevSet(*model, options.source, options.references, reporter);
  { const OutputFile writable(options.output); }  // fails now instead of after tuning
  const TuneResult result = TuneAll(*model, dev, options, reporter);
  WriteWeights(options.output, model->config(), result.best(), result.method);
  for (const std::string& line : TuneSummary(result)) Note(line);
}

}  // namespace

void AddTune(CLI::App* app) {
  auto options = std::make_shared<Options>();
  TuneOptions& tune = options->tune;
  CLI::App* verb = app->add_subcommand("tune", "Tune the weights of a model on a development set by batch MIRA");
  verb->add_option("-m,--model", options->model, "Model folder; its own weights are where tuning starts")->required();
  verb->add_option("--source", options->source, "Source side: CoNLL-U (.conllu) or text, as for translate")->required();
  verb->add_option("--references", options->references,
                   "References, a line for each sentence; several files: several references")
      ->required();
  verb->add_option("-o,--output", options->output, "Weights to write, e.g. weights.toml")->required();
  verb->add_option("--method", tune.method, "mira: batch MIRA made stable; paper: batch MIRA to the letter")
      ->capture_default_str()
      ->check(CLI::IsMember({"mira", "paper"}));
  verb->add_option(
          "--runs", tune.runs,
          "Tune this often, each time with another seed; the best run is written, and each beside it as it ends")
      ->capture_default_str()
      ->check(CLI::Range(1, 100));
  verb->add_option("--seed", tune.seed, "Seed of the first run")->capture_default_str()->check(CLI::NonNegativeNumber);
  verb->add_option("--iterations", tune.iterations, "Decode the development set at most this often")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  verb->add_option("--nbest", tune.nbest, "Derivations a sentence and iteration")
      ->capture_default_str()
      ->check(CLI::Range(2, 10'000));
  verb->add_option("--nbest-folder", tune.nbest_folder, "Write the n-best lists of every iteration into this folder");
  verb->add_option("--set", options->overrides, "Override a key of model.toml for this run: section.key=value")
      ->allow_extra_args(false);
  options->threads.AddTo(verb);
  verb->footer(
      "Example:\n"
      "  graft tune -m MODEL --source dev.de.conllu --references dev.en -o weights.toml\n"
      "  graft model new --table MODEL/rules.graft --lm MODEL/lm.bin --weights weights.toml -o TUNED");
  verb->callback([options] {
    if (options->output == "-" && options->tune.runs > 1)
      throw Error("several runs are written to several files; name one with -o, e.g. weights.toml");
    RunTune(*options);
  });
}

}  // namespace graft::engine::cli
