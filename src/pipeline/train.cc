#include "pipeline/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "graft/error.h"
#include "pipeline/cost_estimate.h"
#include "pipeline/install.h"
#include "pipeline/resources.h"
#include "pipeline/train_steps.h"
#include "util/quantities.h"

namespace graft::engine {
namespace {

namespace fs = std::filesystem;

std::string MeanAndDeviation(const std::vector<double>& values) {
  if (values.size() == 1) return fmt::format("{:.2f}", values[0]);
  double mean = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return fmt::format("{:.2f} ± {:.2f} ({:.2f})", mean, std::sqrt(squares / static_cast<double>(values.size() - 1)),
                     fmt::join(values, ", "));
}

}  // namespace

TrainReport Train(const TrainConfig& config, const TrainResources& resources,
                  const std::function<void(std::string_view)>& log, const Reporter& reporter) {
  CheckModelFolder(config.output);
  if (!config.dev) reporter.Warn("no [dev] set: the model gets the weights it starts with, untuned");
  const ResourceMeter meter;
  TrainSteps steps(config, resources, {}, log);
  StepRunner runner(config.work_folder());
  StepObserver observer;
  if (log) {
    observer.begin = [&](const std::string& step, size_t index, size_t count) {
      log(fmt::format("[{}/{}] {} …", index + 1, count, step));
    };
    observer.end = [&](const StepReport& report) {
      log(report.reused
              ? fmt::format("      {} was done before", report.name)
              : fmt::format("      {} took {}, {}{}{}", report.name, FormatDuration(report.seconds),
                            FormatBytes(report.peak_bytes), report.remark.empty() ? "" : ": ", report.remark));
    };
  }
  RemoveOldRuns(config.work_folder(), steps.runs());
  TrainReport result;
  result.steps = runner.Run(steps.steps(), observer, reporter);
  result.model = config.output;
  for (const auto& test : config.tests) result.tests.push_back({test.first, {}});
  for (const StepReport& report : result.steps) {
    if (report.name == "table") result.rules = report.facts.As<TableFacts>().rules;
    if (report.name == "model") {
      const int best_run = report.facts.As<ModelFacts>().best_run;
      if (best_run < 1 || best_run > steps.runs())
        throw Error(config.work_folder() +
                    "/ledger.json: is not what was written there; remove it and start the same command again");
      result.best_run = static_cast<size_t>(best_run) - 1;
    }
    result.peak_bytes = std::max(result.peak_bytes, report.peak_bytes);
    for (int run = 1; run <= steps.runs(); ++run) {
      if (report.name == TrainSteps::TuneName(run)) result.dev_bleu.push_back(report.facts.As<TuneFacts>().bleu);
      for (TestScores& test : result.tests)
        if (report.name == TrainSteps::TestName(test.name, run)) test.bleu.push_back(report.facts.As<TestFacts>().bleu);
    }
  }
  result.seconds = meter.seconds();
  return result;
}

TrainPlan PlanTraining(const TrainConfig& config, const TrainResources& resources, const Reporter& reporter) {
  CheckModelFolder(config.output);
  const CorpusSize size = MeasureCorpus(config, reporter);
  const std::function<void(std::string_view)> silent;
  const TrainSteps steps(config, resources, size, silent);
  TrainPlan plan;
  std::set<std::string> to_be_made;
  plan.steps = PlanSteps(config.work_folder(), steps.steps(), &to_be_made, reporter);
  plan.pairs = size.pairs;
  fs::path existing = fs::absolute(config.output);
  while (!fs::exists(existing) && existing.has_relative_path()) existing = existing.parent_path();
  std::error_code error;
  plan.free_bytes = fs::space(existing, error).available;
  return plan;
}

std::string FormatReport(const TrainReport& report) {
  std::string text = fmt::format("{:<24} {:>12} {:>12}  {}\n", "step", "time", "peak memory", "");
  double worked = 0;
  for (const StepReport& step : report.steps) {
    worked += step.seconds;
    text += fmt::format("{:<24} {:>12} {:>12}  {}{}\n", step.name, FormatDuration(step.seconds),
                        FormatBytes(step.peak_bytes), step.remark, step.reused ? " (done before)" : "");
  }
  text += fmt::format("{:<24} {:>12} {:>12}  this run: {}\n\n", "all", FormatDuration(worked),
                      FormatBytes(report.peak_bytes), FormatDuration(report.seconds));
  const auto line = [&](const std::string& name, const std::string& value) {
    text += fmt::format("{:<24} {}\n", name, value);
  };
  line("rules", GroupDigits(report.rules));
  if (!report.dev_bleu.empty())
    line("dev BLEU",
         MeanAndDeviation(report.dev_bleu) +
             (report.dev_bleu.size() > 1 ? fmt::format(", the model has run {}", report.best_run + 1) : ""));
  for (const TestScores& test : report.tests) line("test BLEU, " + test.name, MeanAndDeviation(test.bleu));
  line("model", report.model);
  return text;
}

std::string FormatPlan(const TrainConfig& config, const TrainPlan& plan) {
  std::string text = fmt::format("{} pairs, {}; model {}, intermediate files {}\n\n", GroupDigits(plan.pairs),
                                 config.system.name, config.output, config.work_folder());
  text += fmt::format("{:<24} {:>6} {:>12} {:>12}\n", "step", "", "memory", "disk");
  uint64_t memory = 0;
  uint64_t disk = 0;
  for (const PlannedStep& step : plan.steps) {
    const auto about = [](uint64_t bytes) { return bytes == 0 ? std::string("-") : "~" + FormatBytes(bytes); };
    text += fmt::format("{:<24} {:>6} {:>12} {:>12}\n", step.name, step.done ? "done" : "to do",
                        step.done ? "" : about(step.estimate.memory_bytes),
                        step.done ? "" : about(step.estimate.disk_bytes));
    if (step.done) continue;
    memory = std::max(memory, step.estimate.memory_bytes);
    disk += step.estimate.disk_bytes;
  }
  text += fmt::format("{:<24} {:>6} {:>12} {:>12}\n\n", "all", "", "~" + FormatBytes(memory), "~" + FormatBytes(disk));
  text += fmt::format("Free on this disk: {}. Nothing was done; without --dry-run it will be.\n",
                      FormatBytes(plan.free_bytes));
  return text;
}

}  // namespace graft::engine
