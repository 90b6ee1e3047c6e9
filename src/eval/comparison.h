// Several systems, each with several tuning runs, compared on one test set: what `graft compare` prints.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eval/metric.h"
#include "eval/significance.h"

namespace graft::engine {

struct SystemOutputs {
  std::string name;
  std::vector<std::vector<std::string>> runs;  // [run][sentence]
};

// A system against one baseline.
struct Contrast {
  size_t baseline = 0;     // index of a system
  double difference = 0;   // of the means; positive: this system has the higher score
  double pooled = 0;       // of the scores of all runs' sums, which the tests are about
  double p = 1;            // stratified approximate randomisation
  double p_bootstrap = 1;  // paired bootstrap
  bool better = false;     // in the direction of the metric, on the pooled sums
};

struct SystemResult {
  std::string name;
  std::vector<double> scores;  // by run
  double mean = 0;
  double s_sel = 0;             // standard deviation by choice of the test sentences (bootstrap), mean over the runs
  std::optional<double> s_opt;  // standard deviation over the runs; nothing for one run
  std::vector<Contrast> contrasts;  // one per baseline but itself
};

// Systems must have the same number of runs, of as many sentences as the references; `baselines` are indices of
// systems. Throws Error otherwise.
std::vector<SystemResult> Compare(const Metric& metric, const std::vector<SystemOutputs>& systems,
                                  const std::vector<size_t>& baselines, const SignificanceOptions& options);

}  // namespace graft::engine
