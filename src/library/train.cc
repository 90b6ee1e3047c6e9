#include "graft/train.h"

#include <fmt/format.h>

#include <filesystem>

#include "library/resources.h"
#include "pipeline/experiment.h"
#include "pipeline/install.h"
#include "pipeline/quick.h"
#include "pipeline/train.h"
#include "report/experiment_report.h"
#include "report/report_tables.h"
#include "util/file_operations.h"
#include "util/output_file.h"
#include "util/text_table.h"

namespace graft {
namespace {

namespace fs = std::filesystem;
using internal::MemoryOf;
using internal::ThreadsOf;

template <class Options>
engine::TrainResources ResourcesOf(const Options& options) {
  return {ThreadsOf(options.threads), MemoryOf(options.memory)};
}

LogLine Heard(const LogLine& log) {
  return log ? log : [](std::string_view) {};
}

TrainSummary Run(const engine::TrainConfig& config, const engine::TrainResources& resources, const Reporter& reporter,
                 const LogLine& log) {
  engine::TrainReport report = engine::Train(config, resources, Heard(log), reporter);
  TrainSummary summary{.model = report.model,
                       .dev_bleu = report.dev_bleu,
                       .best_run = report.best_run,
                       .rules = report.rules,
                       .seconds = report.seconds,
                       .peak_bytes = report.peak_bytes,
                       .text = engine::FormatReport(report)};
  for (engine::TestScores& test : report.tests) summary.tests.push_back({test.name, std::move(test.bleu)});
  return summary;
}

// The configuration of a quick training goes into the work folder, where a curious user finds it. One that was edited
// is kept.
void WriteConfig(const std::string& path, const std::string& text, const Reporter& reporter) {
  engine::MakeFolder(fs::path(path).parent_path().string());
  std::error_code error;
  if (fs::exists(path, error)) {
    if (engine::ReadWholeFile(path) == text) return;
    const std::string kept = engine::FreeName(path + ".old");
    engine::RenameFile(path, kept);
    reporter.Warn(fmt::format("{} is replaced; the old one is {}", path, kept));
  }
  engine::OutputFile file(path);
  file.Write(text);
  file.Close();
}

struct Quick {
  std::string path;  // of its configuration
  engine::QuickConfig made;
  engine::TrainConfig config;
};

Quick MakeQuick(const QuickOptions& options, const Reporter& reporter, const LogLine& log) {
  std::string output = options.output;
  while (output.size() > 1 && output.back() == '/') output.pop_back();
  Quick quick;
  quick.path = output + ".work/train.toml";
  quick.made = engine::MakeQuickConfig(
      {options.source, options.target, output, options.tokenised, engine::OverriddenSystem(options.settings)},
      reporter);
  quick.config = engine::ParseTrainConfig(quick.made.toml, quick.path, options.settings);
  Heard(log)(engine::ExplainSystem(quick.made, quick.config.system));
  Heard(log)(quick.made.explanation);
  return quick;
}

// The paper's tables are enough for a screen.
std::string ScoreTables(const engine::ExperimentReport& report) {
  std::string text;
  for (const engine::ReportTable& table : engine::ReportTables(report)) {
    if (!table.scores) continue;
    std::vector<engine::TableRow> rows = {table.head};
    rows.insert(rows.end(), table.rows.begin(), table.rows.end());
    text += fmt::format("{}\n{}\n", table.title, engine::PlainTable(rows));
  }
  return text + engine::ReportLegend(report) + "\n";
}

}  // namespace

TrainSummary Train(const TrainOptions& options, const Reporter& reporter, const LogLine& log) {
  return Run(engine::ReadTrainConfig(options.config, options.settings), ResourcesOf(options), reporter, log);
}

std::string PlanTraining(const TrainOptions& options, const Reporter& reporter) {
  const engine::TrainConfig config = engine::ReadTrainConfig(options.config, options.settings);
  return engine::FormatPlan(config, engine::PlanTraining(config, ResourcesOf(options), reporter));
}

TrainSummary TrainQuickly(const QuickOptions& options, const Reporter& reporter, const LogLine& log) {
  const Quick quick = MakeQuick(options, reporter, log);
  engine::CheckModelFolder(quick.config.output);
  WriteConfig(quick.path, engine::WithOverrides(quick.made.toml, options.settings), reporter);
  Heard(log)(quick.path + " says so; change it and train with it for more.");
  return Run(quick.config, ResourcesOf(options), reporter, log);
}

std::string PlanQuickTraining(const QuickOptions& options, const Reporter& reporter, const LogLine& log) {
  const Quick quick = MakeQuick(options, reporter, log);
  return engine::FormatPlan(quick.config, engine::PlanTraining(quick.config, ResourcesOf(options), reporter));
}

ExperimentSummary RunExperiment(const ExperimentOptions& options, const Reporter& reporter, const LogLine& log) {
  const engine::ExperimentConfig config = engine::ReadExperimentConfig(options.config, options.settings);
  const engine::ExperimentReport report = engine::RunExperiment(config, ResourcesOf(options), Heard(log), reporter);
  ExperimentSummary summary{.markdown = config.InOutput("report.md"),
                            .html = config.InOutput("report.html"),
                            .csv = config.InOutput("report.csv"),
                            .json = config.InOutput("report.json"),
                            .text = ScoreTables(report)};
  for (const engine::ReportRow& row : report.rows) {
    ExperimentRow& added = summary.rows.emplace_back();
    added.id = row.id;
    added.title = engine::RowName(row);
    added.rules = static_cast<uint64_t>(row.rules);
    for (size_t i = 0; i < report.tests.size(); ++i) added.tests.push_back({report.tests[i], row.tests[i].bleu});
  }
  return summary;
}

std::string PlanExperiment(const ExperimentOptions& options, const Reporter& reporter) {
  return engine::PlanExperiment(engine::ReadExperimentConfig(options.config, options.settings), ResourcesOf(options),
                                reporter);
}

}  // namespace graft
