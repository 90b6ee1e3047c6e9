#include "tune/weight_step.h"

#include <algorithm>
#include <cmath>

#include "graft/error.h"

namespace graft::engine {
namespace {

constexpr float kLargestWeight = 1e6f;  // of a [weights] table

Weights Widen(const FeatureVector& weights) {
  Weights wide{};
  std::copy(weights.begin(), weights.end(), wide.begin());
  return wide;
}

WeightStep Moved(const FeatureVector& from, const Weights& to) {
  WeightStep step;
  double largest = 0;
  for (int f = 0; f < kFeatures; ++f) {
    step.weights[f] = static_cast<float>(to[f]);
    const double move = std::abs(static_cast<double>(step.weights[f]) - static_cast<double>(from[f]));
    if (!(move <= largest)) largest = move;  // not a number is a move, too
  }
  if (largest <= kStill) step.stopped = "no weight moved";
  return step;
}

double SumOfTuned(const Weights& weights, const TunedFeatures& tuned) {
  double sum = 0;
  for (int f = 0; f < kFeatures; ++f)
    if (tuned[f]) sum += std::abs(weights[f]);
  return sum;
}

Weights Scaled(Weights weights, double factor) {
  for (double& weight : weights) weight *= factor;
  return weights;
}

// Whether the last decoding is too far below the best before it.
bool HasFallen(const TuneRun& run) { return run.iterations.back().bleu < run.bleu - kDrop; }

// Decodings since the last that was better by kGain than all before it.
int SinceLastGain(const TuneRun& run) {
  int since = 0;
  double best = -1;
  for (const TuneIteration& iteration : run.iterations) {
    const bool gain = iteration.bleu >= best + kGain;
    since = gain ? 0 : since + 1;
    if (gain) best = iteration.bleu;
  }
  return since;
}

}  // namespace

void CheckWeights(const FeatureVector& weights, const TunedFeatures& tuned) {
  bool any = false;
  for (int f = 0; f < kFeatures; ++f) {
    if (!(std::abs(weights[f]) <= kLargestWeight))
      throw Error(
          "the weights are degenerate: one is infinite, not a number or beyond 1000000; tune with --method mira, and "
          "check that source and references belong together");
    any |= tuned[f] && weights[f] != 0;
  }
  if (!any)
    throw Error(
        "the weights are degenerate: all are 0; start from a model with its default weights (--set weights.LM=0.5)");
}

WeightStep PaperStep(const TuneRun& run, const CandidatePool& pool, const TunedFeatures& tuned, SplitMix* random,
                     const StopCheck& stop) {
  const FeatureVector& from = run.iterations.back().weights;
  return Moved(from, RunMira(pool, Widen(from), tuned, {.stop = stop}, random).weights);
}

WeightStep StableStep(const TuneRun& run, const Trial& trial, CandidatePool* pool, const TunedFeatures& tuned,
                      SplitMix* random, const StopCheck& stop) {
  if (SinceLastGain(run) >= kPatience)
    return {.stopped = "dev BLEU has not risen for " + std::to_string(kPatience) + " iterations"};
  const FeatureVector& from = HasFallen(run) ? run.weights : run.iterations.back().weights;
  const Weights start = Scaled(Widen(from), 1 / SumOfTuned(Widen(from), tuned));
  const auto lists = static_cast<double>(run.iterations.size());
  double length = lists / (lists + 1) * (HasFallen(run) ? 0.5 : 1);
  for (int trials = 1;; ++trials, length /= 2) {
    const Weights anchored = Scaled(start, FitScale(*pool, start, stop));
    const Weights learnt = RunMira(*pool, anchored, tuned, {.stop = stop}, random).weights;
    const Weights goal = Scaled(learnt, 1 / SumOfTuned(learnt, tuned));
    Weights next = Widen(from);
    for (int f = 0; f < kFeatures; ++f)
      if (tuned[f]) next[f] = start[f] + length * (goal[f] - start[f]);
    const double sum = SumOfTuned(next, tuned);
    for (int f = 0; f < kFeatures; ++f)
      if (tuned[f]) next[f] /= sum;
    WeightStep step = Moved(from, next);
    if (!step.stopped.empty() || trials > kTrials) return step;
    CheckWeights(step.weights, tuned);
    if (trial(step.weights) >= -kDrop) return step;
  }
}

}  // namespace graft::engine
