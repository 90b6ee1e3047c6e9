#include "library/comparison_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "util/text_table.h"

namespace graft::internal {
namespace {

using engine::TableRow;
using Json = nlohmann::ordered_json;

std::string Marks(const ComparisonSummary& summary, const SystemScores& system) {
  std::string marks;
  for (size_t i = 0; i < summary.baselines.size(); ++i)
    for (const Contrast& contrast : system.contrasts)
      if (contrast.baseline == summary.baselines[i] && contrast.significantly_better) marks += kBaselineMarks[i];
  return marks;
}

std::vector<TableRow> Table(const ComparisonSummary& summary, const MetricComparison& metric) {
  TableRow head = {"system", metric.metric, "s_sel", "s_opt"};
  for (const std::string& baseline : summary.baselines) head.insert(head.end(), {"Δ " + baseline, "p", "p boot"});
  // Marks stand to the right of the digits, which stay below each other.
  size_t most_marks = 0;
  for (const SystemScores& system : metric.systems) most_marks = std::max(most_marks, Marks(summary, system).size());
  std::vector<TableRow> rows = {head};
  for (const SystemScores& system : metric.systems) {
    TableRow row = {system.name, fmt::format("{:.2f}{:<{}}", system.mean, Marks(summary, system), most_marks),
                    fmt::format("{:.2f}", system.s_sel), system.s_opt ? fmt::format("{:.2f}", *system.s_opt) : "-"};
    for (const std::string& baseline : summary.baselines) {
      const auto contrast = std::find_if(system.contrasts.begin(), system.contrasts.end(),
                                         [&](const Contrast& c) { return c.baseline == baseline; });
      if (contrast == system.contrasts.end())
        row.insert(row.end(), {"-", "-", "-"});
      else
        row.insert(row.end(), {fmt::format("{:+.2f}", contrast->difference), fmt::format("{:.4f}", contrast->p),
                               fmt::format("{:.4f}", contrast->p_bootstrap)});
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string Legend(const CompareOptions& options, const ComparisonSummary& summary) {
  std::string text;
  for (size_t i = 0; i < summary.baselines.size(); ++i)
    text += fmt::format("{} significantly better than {} (p <= {})\n", kBaselineMarks[i], summary.baselines[i],
                        options.alpha);
  text += fmt::format(
      "p: stratified approximate randomisation, {} shuffles{}; p boot: paired bootstrap, {} replicas; seed {}.\n",
      options.shuffles, options.strictly_greater ? ", strictly greater (MultEval)" : "", options.replicas,
      options.seed);
  text += fmt::format(
      "Means of {} run{} on {} sentence{}. s_sel: standard deviation by choice of the test sentences (bootstrap); "
      "s_opt: over the runs.\n",
      summary.runs, summary.runs == 1 ? "" : "s", summary.sentences, summary.sentences == 1 ? "" : "s");
  return text;
}

std::string Title(const MetricComparison& metric) {
  return fmt::format("{}|{}{}", metric.metric, metric.signature, metric.higher_is_better ? "" : " (lower is better)");
}

Json JsonOf(const ComparisonSummary& summary, const SystemScores& system) {
  Json object;
  object["name"] = system.name;
  object["scores"] = system.runs;
  object["mean"] = system.mean;
  object["s_sel"] = system.s_sel;
  object["s_opt"] = system.s_opt ? Json(*system.s_opt) : Json(nullptr);
  object["marks"] = Marks(summary, system);
  object["against"] = Json::array();
  for (const Contrast& contrast : system.contrasts)
    object["against"].push_back({{"baseline", contrast.baseline},
                                 {"delta", contrast.difference},
                                 {"delta_pooled", contrast.pooled},
                                 {"p", contrast.p},
                                 {"p_bootstrap", contrast.p_bootstrap},
                                 {"significantly_better", contrast.significantly_better}});
  return object;
}

}  // namespace

std::string ComparisonText(const CompareOptions& options, const ComparisonSummary& summary) {
  std::string text;
  for (const MetricComparison& metric : summary.metrics)
    text += fmt::format("{}\n{}\n", Title(metric), engine::PlainTable(Table(summary, metric)));
  return text + Legend(options, summary);
}

std::string ComparisonMarkdown(const CompareOptions& options, const ComparisonSummary& summary) {
  std::string text;
  for (const MetricComparison& metric : summary.metrics)
    text += fmt::format("`{}`\n\n{}\n", Title(metric), engine::MarkdownTable(Table(summary, metric)));
  return text + "```\n" + Legend(options, summary) + "```\n";
}

std::string ComparisonJson(const CompareOptions& options, const ComparisonSummary& summary) {
  Json all;
  all["sentences"] = summary.sentences;
  all["runs"] = summary.runs;
  all["shuffles"] = options.shuffles;
  all["replicas"] = options.replicas;
  all["seed"] = options.seed;
  all["alpha"] = options.alpha;
  all["multeval"] = options.strictly_greater;
  all["baselines"] = summary.baselines;
  all["metrics"] = Json::array();
  for (const MetricComparison& metric : summary.metrics) {
    Json object;
    object["name"] = metric.metric;
    object["signature"] = metric.signature;
    object["higher_is_better"] = metric.higher_is_better;
    object["systems"] = Json::array();
    for (const SystemScores& system : metric.systems) object["systems"].push_back(JsonOf(summary, system));
    all["metrics"].push_back(std::move(object));
  }
  return all.dump(1) + "\n";
}

}  // namespace graft::internal
