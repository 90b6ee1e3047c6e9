#include "eval/comparison.h"

#include <fmt/format.h>

#include <cmath>

#include "graft/error.h"

namespace graft::engine {

std::vector<SystemResult> Compare(const Metric& metric, const std::vector<SystemOutputs>& systems,
                                  const std::vector<size_t>& baselines, const SignificanceOptions& options) {
  for (const SystemOutputs& system : systems) {
    const SystemOutputs& first = systems.front();
    if (system.runs.size() != first.runs.size())
      throw Error(fmt::format(
          "system {} has {} run{}, {} has {}; runs are compared in pairs: give every system as many", system.name,
          system.runs.size(), system.runs.size() == 1 ? "" : "s", first.name, first.runs.size()));
  }
  std::vector<SystemStatistics> statistics;
  std::vector<BootstrapScores> bootstraps;
  std::vector<SystemResult> results;
  for (const SystemOutputs& system : systems) {
    statistics.push_back(StatisticsOf(metric, system.runs, options.threads, options.stop));
    bootstraps.push_back(Bootstrap(metric, statistics.back(), options));
    SystemResult& result = results.emplace_back();
    result.name = system.name;
    for (size_t run = 0; run < system.runs.size(); ++run)
      result.scores.push_back(metric.Score(statistics.back().Sum(run)));
    result.mean = Mean(result.scores);
    result.s_sel = bootstraps.back().deviation;
    if (result.scores.size() > 1) result.s_opt = StandardDeviation(result.scores);
  }
  for (size_t system = 0; system < systems.size(); ++system) {
    for (const size_t baseline : baselines) {
      if (baseline == system) continue;
      Contrast& contrast = results[system].contrasts.emplace_back();
      contrast.baseline = baseline;
      contrast.difference = results[system].mean - results[baseline].mean;
      contrast.pooled = metric.Score(statistics[system].PooledSum()) - metric.Score(statistics[baseline].PooledSum());
      contrast.better = metric.higher_is_better() ? contrast.pooled > 0 : contrast.pooled < 0;
      contrast.p = RandomisationP(metric, statistics[baseline], statistics[system], options);
      contrast.p_bootstrap =
          PairedBootstrapP(bootstraps[baseline], bootstraps[system], std::abs(contrast.pooled), options);
    }
  }
  return results;
}

}  // namespace graft::engine
