#include "tune/tune.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "eval/bleu.h"
#include "graft/error.h"
#include "tune/candidate_pool.h"
#include "tune/dev_decoder.h"
#include "tune/mira.h"
#include "tune/tune_table.h"
#include "tune/weight_step.h"
#include "util/file_operations.h"
#include "util/option_check.h"
#include "util/random.h"

namespace graft::engine {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point started) { return std::chrono::duration<double>(Clock::now() - started).count(); }

BleuStatistics Sum(const std::vector<BleuStatistics>& sentences, size_t stride) {
  BleuStatistics sum;
  for (size_t i = 0; i < sentences.size(); i += stride) sum += sentences[i];
  return sum;
}

// A trial decodes a tenth of the development set, of a small one a larger part.
size_t TrialStride(size_t sentences) { return std::clamp<size_t>(sentences / 100, 1, 10); }

class Tuner {
 public:
  Tuner(const DecodingModel& model, const DevSet& dev, const graft::TuneOptions& options, const TuneListener& listener,
        const Reporter& reporter)
      : options_(options),
        listener_(listener),
        reporter_(reporter),
        tuned_(TunedFeaturesOf(model.system())),
        start_(model.weights()),
        decoder_(model, dev, options.nbest, options.threads),
        first_pool_(dev.sources.size()) {
    CheckWeights(start_, tuned_);
  }

  void DecodeFirst();
  TuneRun Run(int number);

 private:
  std::string NBestFile(const std::string& name) const;
  TuneIteration Decode(int run, int iteration, const FeatureVector& weights, CandidatePool* pool);
  WeightStep Step(const TuneRun& run, CandidatePool* pool, SplitMix* random);

  const graft::TuneOptions& options_;
  const TuneListener& listener_;
  const Reporter& reporter_;
  const TunedFeatures tuned_;
  const FeatureVector start_;
  DevDecoder decoder_;
  CandidatePool first_pool_;  // of the first decoding, which does not depend on the seed
  TuneIteration first_;
  std::vector<BleuStatistics> first_decoded_;
  bool first_match_ = false;
  // Of the run at hand:
  bool any_match_ = false;               // some decoding had BLEU above 0 without smoothing
  std::vector<BleuStatistics> decoded_;  // the last decoding, by sentence
  std::vector<BleuStatistics> best_;     // the best one
};

std::string Tuner::NBestFile(const std::string& name) const {
  if (options_.nbest_folder.empty()) return "";
  return (std::filesystem::path(options_.nbest_folder) / (name + ".nbest.gz")).string();
}

TuneIteration Tuner::Decode(int run, int iteration, const FeatureVector& weights, CandidatePool* pool) {
  const auto started = Clock::now();
  const std::string file = NBestFile(iteration == 1 ? "start" : fmt::format("run{}.iteration{:02}", run, iteration));
  decoded_ = decoder_.Decode(weights, 1, file, pool, reporter_);
  const BleuStatistics statistics = Sum(decoded_, 1);
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
  first_decoded_ = decoded_;
}

WeightStep Tuner::Step(const TuneRun& run, CandidatePool* pool, SplitMix* random) {
  const StopCheck stop(reporter_.stop);
  if (options_.method == "paper") return PaperStep(run, *pool, tuned_, random, stop);
  const Trial trial = [&](const FeatureVector& weights) {
    const size_t stride = TrialStride(best_.size());
    return Bleu(Sum(decoder_.Decode(weights, stride, "", pool, reporter_), 1)) - Bleu(Sum(best_, stride));
  };
  return StableStep(run, trial, pool, tuned_, random, stop);
}

TuneRun Tuner::Run(int number) {
  TuneRun run;
  run.seed = options_.seed + static_cast<uint64_t>(number - 1);
  any_match_ = first_match_;
  decoded_ = first_decoded_;
  SplitMix random(run.seed);
  CandidatePool pool = first_pool_;
  TuneIteration now = first_;
  now.run = number;
  if (number > 1) now.seconds = 0;
  for (;;) {
    run.iterations.push_back(now);
    if (listener_.row) listener_.row(now);
    if (now.iteration == 1 || now.bleu > run.bleu) {
      run.bleu = now.bleu;
      run.weights = now.weights;
      run.best_iteration = now.iteration;
      best_ = decoded_;
    }
    if (now.iteration == options_.iterations) {
      run.stopped = fmt::format("{} iterations", options_.iterations);
      break;
    }
    const auto started = Clock::now();
    const WeightStep step = Step(run, &pool, &random);
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

TuneResult Tune(const DecodingModel& model, const DevSet& dev, const graft::TuneOptions& options,
                const TuneListener& listener, const Reporter& reporter) {
  CheckSettings(TuneOptionTable(), options);
  if (options.threads < 1) throw Error("tuning needs at least one thread");
  if (dev.sources.empty()) throw Error("the development set is empty; give sentences to tune on");
  if (dev.references.size() != dev.sources.size())
    throw Error(fmt::format("the development set has {} sentences, but references for {}", dev.sources.size(),
                            dev.references.size()));
  if (!options.nbest_folder.empty()) MakeFolder(options.nbest_folder);
  Tuner tuner(model, dev, options, listener, reporter);
  tuner.DecodeFirst();
  TuneResult result;
  result.method = options.method;
  for (int number = 1; number <= options.runs; ++number) {
    result.runs.push_back(tuner.Run(number));
    if (result.runs.back().bleu > result.best().bleu) result.best_run = result.runs.size() - 1;
    if (listener.run_ended) listener.run_ended(number, result.runs.back());
  }
  return result;
}

}  // namespace graft::engine
