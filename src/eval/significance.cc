#include "eval/significance.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "graft/error.h"
#include "util/parallel_for.h"
#include "util/random.h"

namespace graft::engine {

namespace {

// Equal differences may be computed from different sums: what is nearer than this is equal. Scores are 0 to 100.
constexpr double kRounding = 1e-9;

bool AsGreat(double difference, double observed, bool strictly_greater) {
  return strictly_greater ? difference > observed + kRounding : difference >= observed - kRounding;
}

// A stream of its own for every trial, so that it does not matter which thread runs it.
SplitMix TrialRandom(uint64_t seed, uint64_t trial) {
  SplitMix random(SplitMix(SplitMix(seed).Next() + trial).Next());
  random.Next();  // is not used: p-values stay those of the first version
  return random;
}

// 0 to n - 1, n far below 2^32; without the division of SplitMix::Below, in the innermost loop of the bootstrap.
size_t Draw(size_t n, SplitMix* random) { return static_cast<size_t>(((random->Next() >> 32) * n) >> 32); }

// run(trial) for all trials, on all threads.
template <class Run>
void RunTrials(int trials, const SignificanceOptions& options, Run run) {
  constexpr int kBlock = 100;
  ParallelFor(options.threads, static_cast<size_t>((trials + kBlock - 1) / kBlock), [&](size_t block, int) {
    const int begin = static_cast<int>(block) * kBlock;
    for (int trial = begin; trial < std::min(trials, begin + kBlock); ++trial) {
      options.stop.Poll();
      run(trial);
    }
  });
}

}  // namespace

double Mean(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

double StandardDeviation(std::span<const double> values) {
  if (values.size() < 2) return 0;
  const double mean = Mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

double RandomisationP(const Metric& metric, const SystemStatistics& a, const SystemStatistics& b,
                      const SignificanceOptions& options) {
  if (a.runs != b.runs || a.sentences != b.sentences)
    throw Error("a significance test needs the same number of runs and sentences of both systems");
  const size_t width = a.width;
  const size_t points = a.runs * a.sentences;
  std::vector<double> gains(points * width);  // of a if the point is swapped
  for (size_t i = 0; i < gains.size(); ++i) gains[i] = b.values[i] - a.values[i];
  const std::vector<double> sum_a = a.PooledSum();
  const std::vector<double> sum_b = b.PooledSum();
  const double observed = std::abs(metric.Score(sum_a) - metric.Score(sum_b));

  std::vector<char> as_great(static_cast<size_t>(options.shuffles));
  RunTrials(options.shuffles, options, [&](int trial) {
    SplitMix random = TrialRandom(options.seed, static_cast<uint64_t>(trial));
    std::vector<double> gain(width);
    for (size_t first = 0; first < points; first += 64) {
      uint64_t swapped = random.Next();
      if (points - first < 64) swapped &= (uint64_t{1} << (points - first)) - 1;
      for (; swapped != 0; swapped &= swapped - 1) {
        const double* point = &gains[(first + static_cast<size_t>(std::countr_zero(swapped))) * width];
        for (size_t i = 0; i < width; ++i) gain[i] += point[i];
      }
    }
    std::vector<double> pseudo_a = sum_a;
    std::vector<double> pseudo_b = sum_b;
    for (size_t i = 0; i < width; ++i) {
      pseudo_a[i] += gain[i];
      pseudo_b[i] -= gain[i];
    }
    const double difference = std::abs(metric.Score(pseudo_a) - metric.Score(pseudo_b));
    as_great[static_cast<size_t>(trial)] = AsGreat(difference, observed, options.strictly_greater) ? 1 : 0;
  });
  const auto count = std::count(as_great.begin(), as_great.end(), 1);
  return static_cast<double>(count + 1) / static_cast<double>(options.shuffles + 1);
}

BootstrapScores Bootstrap(const Metric& metric, const SystemStatistics& system, const SignificanceOptions& options) {
  const auto replicas = static_cast<size_t>(options.replicas);
  BootstrapScores result;
  result.pooled.resize(replicas);
  std::vector<std::vector<double>> of_run(system.runs, std::vector<double>(replicas));
  RunTrials(options.replicas, options, [&](int trial) {
    const auto replica = static_cast<size_t>(trial);
    SplitMix random = TrialRandom(options.seed, replica);
    std::vector<size_t> drawn(system.sentences);
    for (size_t& sentence : drawn) sentence = Draw(system.sentences, &random);
    std::vector<double> pooled(system.width);
    for (size_t run = 0; run < system.runs; ++run) {
      std::vector<double> sum(system.width);
      for (const size_t sentence : drawn) {
        const double* point = system.Point(run, sentence);
        for (size_t i = 0; i < system.width; ++i) sum[i] += point[i];
      }
      of_run[run][replica] = metric.Score(sum);
      for (size_t i = 0; i < system.width; ++i) pooled[i] += sum[i];
    }
    result.pooled[replica] = metric.Score(pooled);
  });
  std::vector<double> deviations;
  for (const std::vector<double>& scores : of_run) deviations.push_back(StandardDeviation(scores));
  result.deviation = Mean(deviations);
  return result;
}

double PairedBootstrapP(const BootstrapScores& a, const BootstrapScores& b, double observed,
                        const SignificanceOptions& options) {
  std::vector<double> differences(a.pooled.size());
  for (size_t i = 0; i < differences.size(); ++i) differences[i] = std::abs(a.pooled[i] - b.pooled[i]);
  const double mean = Mean(differences);
  const auto count = std::count_if(differences.begin(), differences.end(), [&](double difference) {
    return AsGreat(difference - mean, observed, options.strictly_greater);
  });
  return static_cast<double>(count + 1) / static_cast<double>(differences.size() + 1);
}

}  // namespace graft::engine
