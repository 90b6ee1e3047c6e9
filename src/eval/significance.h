// How sure a difference between two systems is (Clark et al. 2011): over sentences, by resampling the test set, and
// over tuning runs, of which every system has several.
//
// Everything here is determined by the seed, for any number of threads. A system compared with itself gives p = 1.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "eval/metric.h"
#include "graft/evaluation.h"

namespace graft::engine {

struct SignificanceOptions {
  int shuffles = CompareOptions().shuffles;
  int replicas = CompareOptions().replicas;  // of the test set, by bootstrap
  uint64_t seed = CompareOptions().seed;
  int threads = 1;
  // MultEval and sacreBLEU count only differences *greater* than the one observed; a system compared with itself then
  // gives p near 0. We count those at least as great.
  bool strictly_greater = CompareOptions().strictly_greater;
  StopCheck stop = {};  // asked at every shuffle and replica, by Compare also while metrics read the outputs
};

// Two-sided p of |score(a) - score(b)| by stratified approximate randomisation. The points are all (run, sentence) of
// both systems; in a shuffle a fair coin decides for every point whether the two systems swap theirs; pseudo-systems
// are scored on their sums over all runs, as the observed difference is. (Points of a sentence may also be permuted
// among the runs: that changes no such sum, so it is not drawn.) p = (c + 1) / (shuffles + 1), where c shuffles gave a
// difference as great as the observed one.
// Both systems need the same number of runs and sentences.
double RandomisationP(const Metric& metric, const SystemStatistics& a, const SystemStatistics& b,
                      const SignificanceOptions& options);

// Scores of replicas of the test set: as many sentences, drawn with replacement; the same for every system.
struct BootstrapScores {
  double deviation = 0;        // standard deviation over the replicas, mean over the runs ("s_sel")
  std::vector<double> pooled;  // by replica: score of the sums over all runs
};
BootstrapScores Bootstrap(const Metric& metric, const SystemStatistics& system, const SignificanceOptions& options);

// p by paired bootstrap (Koehn 2004), with sacreBLEU's convention (that of Moses's script): the differences of the
// replicas, |a - b|, are shifted by their mean to what they would be without a difference, and p = (c + 1) / (replicas
// + 1), where c of them are as great as `observed`, the difference on the test set itself.
double PairedBootstrapP(const BootstrapScores& a, const BootstrapScores& b, double observed,
                        const SignificanceOptions& options);

double Mean(std::span<const double> values);
// Of a sample (divisor n - 1); 0 for fewer than two values.
double StandardDeviation(std::span<const double> values);

}  // namespace graft::engine
