#include "tune/tune.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "eval/bleu.h"
#include "text/error.h"
#include "tune/candidate_pool.h"
#include "tune/dev_decoder.h"
#include "tune/mira.h"
#include "tune/random.h"
#include "tune/weight_step.h"

namespace graft {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point started) { return std::chrono::duration<double>(Clock::now() - started).count(); }

// Gives the model its weights back.
class WeightsGuard {
 public:
  explicit WeightsGuard(Model* model) : model_(model), weights_(model->weights()) {}
  ~WeightsGuard() { model_->set_weights(weights_); }
  WeightsGuard(const WeightsGuard&) = delete;
  WeightsGuard& operator=(const WeightsGuard&) = delete;

 private:
  Model* model_;
  FeatureVector weights_;
};

class Tuner {
 public:
  Tuner(Model* model, const DevSet& dev, const TuneOptions& options,
        const std::function<void(const TuneIteration&)>& row, const Reporter& reporter)
      : model_(model),
        options_(options),
        row_(row),
        reporter_(reporter),
        tuned_(TunedFeaturesOf(model->system())),
        start_(model->weights()),
        decoder_(*model, dev, options.nbest, options.threads),
        first_pool_(dev.sources.size()) {
    CheckWeights(start_, tuned_);
  }

  void DecodeFirst();
  TuneRun Run(int number);

 private:
  std::string NBestFile(const std::string& name) const;
  TuneIteration Decode(int run, int iteration, const FeatureVector& weights, CandidatePool* pool);

  Model* model_;
  const TuneOptions& options_;
  const std::function<void(const TuneIteration&)>& row_;
  const Reporter& reporter_;
  const TunedFeatures tuned_;
  const FeatureVector start_;
  DevDecoder decoder_;
  CandidatePool first_pool_;  // of the first decoding, which does not depend on the seed
  TuneIteration first_;
  bool any_match_ = false;  // some decoding of the run at hand had BLEU above 0 without smoothing
  bool first_match_ = false;
};

std::string Tuner::NBestFile(const std::string& name) const {
  if (options_.nbest_folder.empty()) return "";
  return (std::filesystem::path(options_.nbest_folder) / (name + ".nbest.gz")).string();
}

TuneIteration Tuner::Decode(int run, int iteration, const FeatureVector& weights, CandidatePool* pool) {
  const auto started = Clock::now();
  model_->set_weights(weights);
  const std::string file = NBestFile(iteration == 1 ? "start" : fmt::format("run{}.iteration{:02}", run, iteration));
  const BleuStatistics statistics = decoder_.Decode(file, pool, reporter_);
  if (iteration == 1 && statistics.length == 0)
    throw Error(
        "every translation of the development set is empty; check that its source side has words and that the model "
        "translates");
  any_match_ |= Bleu(statistics, BleuSmoothing::kNone) > 0;
  const BleuScore score = ScoreBleu(statistics);
  return {.run = run,
          .iteration = iteration,
          .weights = weights,
          .bleu = score.score,
          .length_ratio = score.ratio,
          .candidates = pool->candidates(),
          .seconds = SecondsSince(started)};
}

void Tuner::DecodeFirst() {
  any_match_ = false;
  first_ = Decode(1, 1, start_, &first_pool_);
  first_match_ = any_match_;
}

TuneRun Tuner::Run(int number) {
  TuneRun run;
  run.seed = options_.seed + static_cast<uint64_t>(number - 1);
  any_match_ = first_match_;
  SplitMix random(run.seed);
  CandidatePool pool = first_pool_;
  TuneIteration now = first_;
  now.run = number;
  if (number > 1) now.seconds = 0;
  for (;;) {
    run.iterations.push_back(now);
    if (row_) row_(now);
    if (now.iteration == 1 || now.bleu > run.bleu) {
      run.bleu = now.bleu;
      run.weights = now.weights;
      run.best_iteration = now.iteration;
    }
    if (now.iteration == options_.iterations) {
      run.stopped = fmt::format("{} iterations", options_.iterations);
      break;
    }
    const auto started = Clock::now();
    const WeightStep step =
        options_.method == "paper" ? PaperStep(run, pool, tuned_, &random) : StableStep(run, pool, tuned_, &random);
    if (!step.stopped.empty()) {
      run.stopped = step.stopped;
      break;
    }
    CheckWeights(step.weights, tuned_);
    const double seconds = SecondsSince(started);
    now = Decode(number, now.iteration + 1, step.weights, &pool);
    now.seconds += seconds;
  }
  if (!any_match_)
    throw Error(fmt::format(
        "BLEU is 0 at every iteration: no translation has four words in a row of its reference; check that the "
        "references are translations of the source line by line, tokenised and cased as the model was trained "
        "(seed {}, {} iterations)",
        run.seed, run.iterations.size()));
  return run;
}

}  // namespace

TuneResult Tune(Model* model, const DevSet& dev, const TuneOptions& options,
                const std::function<void(const TuneIteration&)>& row, const Reporter& reporter) {
  if (options.method != "mira" && options.method != "paper")
    throw Error("unknown tuning method `" + options.method + "`; there are mira and paper");
  if (options.runs < 1 || options.iterations < 1 || options.nbest < 1 || options.threads < 1)
    throw Error("tuning needs at least one run, iteration, translation a sentence and thread");
  if (dev.sources.empty()) throw Error("the development set is empty; give sentences to tune on");
  if (dev.references.size() != dev.sources.size())
    throw Error(fmt::format("the development set has {} sentences, but references for {}", dev.sources.size(),
                            dev.references.size()));
  if (!options.nbest_folder.empty()) {
    std::error_code error;
    std::filesystem::create_directories(options.nbest_folder, error);
    if (error) throw Error(options.nbest_folder + ": cannot create the folder: " + error.message());
  }
  const WeightsGuard guard(model);
  Tuner tuner(model, dev, options, row, reporter);
  tuner.DecodeFirst();
  TuneResult result;
  result.method = options.method;
  for (int number = 1; number <= options.runs; ++number) {
    result.runs.push_back(tuner.Run(number));
    if (result.runs.back().bleu > result.best().bleu) result.best_run = result.runs.size() - 1;
  }
  return result;
}

}  // namespace graft
