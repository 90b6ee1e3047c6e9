#include "tune/weight_step.h"

#include <algorithm>
#include <cmath>

#include "text/error.h"

namespace graft {
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

// How often a decoding fell too far below the best before it; `fallen`: the last one did.
int Falls(const TuneRun& run, bool* fallen) {
  int falls = 0;
  double best = 0;
  for (const TuneIteration& iteration : run.iterations) {
    *fallen = iteration.bleu < best - kDrop;
    falls += *fallen ? 1 : 0;
    best = std::max(best, iteration.bleu);
  }
  return falls;
}

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

WeightStep PaperStep(const TuneRun& run, const CandidatePool& pool, const TunedFeatures& tuned, SplitMix* random) {
  const FeatureVector& from = run.iterations.back().weights;
  return Moved(from, RunMira(pool, Widen(from), tuned, MiraOptions{}, random).weights);
}

WeightStep StableStep(const TuneRun& run, const CandidatePool& pool, const TunedFeatures& tuned, SplitMix* random) {
  if (SinceLastGain(run) >= kPatience)
    return {.stopped = "dev BLEU has not risen for " + std::to_string(kPatience) + " iterations"};
  bool fallen = false;
  const int falls = Falls(run, &fallen);
  const FeatureVector& from = fallen ? run.weights : run.iterations.back().weights;
  const Weights start = Scaled(Widen(from), 1 / SumOfTuned(Widen(from), tuned));
  const Weights learnt = RunMira(pool, Scaled(start, kMiraScale), tuned, MiraOptions{}, random).weights;
  const Weights goal = Scaled(learnt, 1 / SumOfTuned(learnt, tuned));
  const auto lists = static_cast<double>(run.iterations.size());
  const double step = lists / (lists + 1) * std::pow(0.5, falls);
  Weights next = Widen(from);
  for (int f = 0; f < kFeatures; ++f)
    if (tuned[f]) next[f] = start[f] + step * (goal[f] - start[f]);
  const double sum = SumOfTuned(next, tuned);
  for (int f = 0; f < kFeatures; ++f)
    if (tuned[f]) next[f] /= sum;
  return Moved(from, next);
}

}  // namespace graft
