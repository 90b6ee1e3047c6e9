#include "graft/evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "eval/comparison.h"
#include "eval/metric.h"
#include "eval/metric_table.h"
#include "eval/test_set.h"
#include "graft/error.h"
#include "library/comparison_text.h"
#include "library/resources.h"
#include "util/option_check.h"
#include "util/suggest.h"

namespace graft {
namespace {

using Metrics = std::vector<std::unique_ptr<engine::Metric>>;

// Checked, and with the usual metrics where none are named.
MetricOptions WithMetrics(MetricOptions options, std::vector<std::string> usual) {
  engine::CheckSettings(engine::MetricOptionTable(), options);
  if (options.metrics.empty()) options.metrics = std::move(usual);
  return options;
}

Metrics MetricsOf(const MetricOptions& options, const std::vector<std::vector<std::string>>& references,
                  const engine::StopCheck& stop) {
  Metrics metrics;
  for (const std::string& name : options.metrics)
    metrics.push_back(engine::Metric::Create(name, references, options, stop));
  return metrics;
}

// Warns when a hypothesis file looks tokenised though it is going to be tokenised for BLEU.
void WarnIfTokenised(const MetricOptions& options, const std::string& path, const std::vector<std::string>& lines,
                     const Reporter& reporter) {
  const bool bleu = std::find(options.metrics.begin(), options.metrics.end(), "bleu") != options.metrics.end();
  if (!bleu || options.tokeniser == "none" || options.tokeniser == "char") return;
  const auto count =
      std::count_if(lines.begin(), lines.end(), [](const std::string& line) { return line.ends_with(" ."); });
  if (count < 100) return;
  reporter.Warn(
      fmt::format("{}: {} lines end in a tokenised full stop; BLEU of others is that of detokenised text "
                  "(the tokeniser none, --tokenize none, scores the tokens as they are)",
                  path, count));
}

std::vector<Score> ScoresOf(const MetricOptions& options, const std::vector<std::vector<std::string>>& references,
                            const std::vector<std::string>& hypotheses, int threads, const Reporter& reporter) {
  const engine::StopCheck stop(reporter.stop);
  const Metrics metrics = MetricsOf(options, references, stop);
  std::vector<Score> scores;
  for (const auto& metric : metrics) {
    reporter.Progress("scoring", scores.size(), metrics.size());
    const std::vector<double> sums = engine::StatisticsOf(*metric, {hypotheses}, threads, stop).Sum(0);
    scores.push_back(
        {metric->name(), metric->Score(sums), metric->Details(sums), metric->signature(), metric->Fields(sums).dump()});
  }
  reporter.Progress("scoring", metrics.size(), metrics.size());
  return scores;
}

void CheckSystems(const CompareOptions& options) {
  if (options.systems.size() < 2)
    throw Error("one system alone cannot be compared; name two or more, each with its outputs (--system NAME HYP…)");
  for (size_t i = 0; i < options.systems.size(); ++i) {
    const ComparedSystem& system = options.systems[i];
    if (system.outputs.empty())
      throw Error(fmt::format("system {}: no output; give one file for each run (--system NAME HYP…)", system.name));
    for (size_t j = 0; j < i; ++j)
      if (options.systems[j].name == system.name)
        throw Error(fmt::format(
            "two systems are called {}; the runs of one system are its outputs, together (--system NAME HYP…)",
            system.name));
  }
  std::vector<std::string> files = options.references;
  for (const ComparedSystem& system : options.systems)
    files.insert(files.end(), system.outputs.begin(), system.outputs.end());
  internal::RequireOneStdin(files);
}

// Indexes of the baselines: the first system unless others are named.
std::vector<size_t> BaselinesOf(const CompareOptions& options) {
  if (options.baselines.empty()) return {0};
  constexpr std::string_view kMarks = internal::kBaselineMarks;
  if (options.baselines.size() > kMarks.size())
    throw Error(fmt::format("at most {} baselines: there are marks for no more ({})", kMarks.size(), kMarks));
  std::vector<std::string> names;
  for (const ComparedSystem& system : options.systems) names.push_back(system.name);
  std::vector<size_t> baselines;
  for (const std::string& name : options.baselines) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) throw Error("no system is called `" + name + "`" + engine::Suggestion(name, names));
    baselines.push_back(static_cast<size_t>(found - names.begin()));
    if (std::count(baselines.begin(), baselines.end(), baselines.back()) > 1)
      throw Error("`" + name + "` is named as a baseline twice");
  }
  return baselines;
}

SystemScores ToValue(const CompareOptions& options, const engine::SystemResult& result) {
  SystemScores scores{
      .name = result.name, .runs = result.scores, .mean = result.mean, .s_sel = result.s_sel, .s_opt = result.s_opt};
  for (const engine::Contrast& contrast : result.contrasts)
    scores.contrasts.push_back({.baseline = options.systems[contrast.baseline].name,
                                .difference = contrast.difference,
                                .pooled = contrast.pooled,
                                .p = contrast.p,
                                .p_bootstrap = contrast.p_bootstrap,
                                .significantly_better = contrast.better && contrast.p <= options.alpha});
  return scores;
}

}  // namespace

std::vector<Score> Evaluate(const EvaluateOptions& options, const Reporter& reporter) {
  const MetricOptions metric = WithMetrics(options.metric, engine::UsualMetrics());
  std::vector<std::string> files = options.references;
  files.push_back(options.hypotheses);
  internal::RequireOneStdin(files);
  const engine::TestSet test = engine::ReadTestSet(options.references, reporter);
  const std::vector<std::string> hypotheses = test.ReadHypotheses(options.hypotheses, reporter);
  WarnIfTokenised(metric, options.hypotheses, hypotheses, reporter);
  return ScoresOf(metric, test.references, hypotheses, internal::ThreadsOf(options.threads), reporter);
}

std::vector<Score> EvaluateLines(const std::vector<std::string>& hypotheses,
                                 const std::vector<std::vector<std::string>>& references, const MetricOptions& metric,
                                 int threads, const Reporter& reporter) {
  if (references.empty()) throw Error("there is no reference to compare with");
  for (const std::vector<std::string>& reference : references)
    if (reference.size() != hypotheses.size())
      throw Error(fmt::format("{} hypotheses, but {} lines of a reference; they must be the same sentences",
                              hypotheses.size(), reference.size()));
  return ScoresOf(WithMetrics(metric, engine::UsualMetrics()), references, hypotheses, internal::ThreadsOf(threads),
                  reporter);
}

ComparisonSummary Compare(const CompareOptions& options, const Reporter& reporter) {
  engine::CheckSettings(engine::CompareOptionTable(), options);
  CheckSystems(options);
  const std::vector<size_t> baselines = BaselinesOf(options);
  const MetricOptions metric_options = WithMetrics(options.metric, engine::UsualComparedMetrics());
  const engine::TestSet test = engine::ReadTestSet(options.references, reporter);
  std::vector<engine::SystemOutputs> systems;
  for (const ComparedSystem& system : options.systems) {
    engine::SystemOutputs& outputs = systems.emplace_back();
    outputs.name = system.name;
    for (const std::string& file : system.outputs) {
      outputs.runs.push_back(test.ReadHypotheses(file, reporter));
      WarnIfTokenised(metric_options, file, outputs.runs.back(), reporter);
    }
  }
  const engine::SignificanceOptions significance{.shuffles = options.shuffles,
                                                 .replicas = options.replicas,
                                                 .seed = options.seed,
                                                 .threads = internal::ThreadsOf(options.threads),
                                                 .strictly_greater = options.strictly_greater,
                                                 .stop = engine::StopCheck(reporter.stop)};
  ComparisonSummary summary{.sentences = test.sentences(), .runs = systems.front().runs.size()};
  for (const size_t baseline : baselines) summary.baselines.push_back(options.systems[baseline].name);
  const Metrics metrics = MetricsOf(metric_options, test.references, significance.stop);
  for (const auto& metric : metrics) {
    reporter.Progress("comparing", summary.metrics.size(), metrics.size());
    MetricComparison& compared = summary.metrics.emplace_back();
    compared.metric = metric->name();
    compared.signature = metric->signature();
    compared.higher_is_better = metric->higher_is_better();
    for (const engine::SystemResult& result : engine::Compare(*metric, systems, baselines, significance))
      compared.systems.push_back(ToValue(options, result));
  }
  reporter.Progress("comparing", metrics.size(), metrics.size());
  summary.text = internal::ComparisonText(options, summary);
  summary.markdown = internal::ComparisonMarkdown(options, summary);
  summary.json = internal::ComparisonJson(options, summary);
  return summary;
}

}  // namespace graft
