#include "pipeline/experiment.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "graft/error.h"
#include "pipeline/consensus_steps.h"
#include "pipeline/examples.h"
#include "pipeline/install.h"
#include "pipeline/row_steps.h"
#include "util/folder_lock.h"
#include "util/output_file.h"
#include "util/quantities.h"

namespace graft::engine {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExamples = "examples.json";
constexpr const char* kReports[] = {"report.md", "report.html", "report.csv", "report.json"};

// A folder with the steps that are to be done there, in order.
struct Stage {
  std::string title;  // "seggbmt-dbg"
  std::string folder;
  std::vector<Step> steps;
};

class Experiment {
 public:
  Experiment(const ExperimentConfig& config, const TrainResources& resources,
             const std::function<void(std::string_view)>& log)
      : config_(config), resources_(resources), log_(log) {}

  // Calls visit(stage) for every stage in order. A row's steps hold its table open, so they live only that long.
  template <class Visit>
  void ForEachStage(Visit visit) const {
    for (size_t row = 0; row < config_.rows.size(); ++row) {
      RowSteps steps(config_, row, resources_, log_);
      if (row == 0) visit(Stage{"shared", config_.InOutput("shared"), steps.training().shared_steps()});
      visit(Stage{Id(row), Folder(row), steps.training().own_steps()});
    }
    for (size_t row = 0; row < config_.rows.size(); ++row) {
      RowSteps steps(config_, row, resources_, log_);
      visit(Stage{Id(row), Folder(row), steps.Measurements()});
    }
    for (const ConsensusRow& consensus : config_.consensus)
      visit(Stage{consensus.id, ConsensusFolder(config_, consensus), ConsensusSteps(config_, consensus, resources_)});
    if (config_.report.examples == 0) return;
    visit(Stage{"summary", config_.InOutput("summary"), {ExampleStep()}});
    for (size_t row = 0; row < config_.rows.size(); ++row) {
      RowSteps steps(config_, row, resources_, log_);
      visit(Stage{Id(row), Folder(row), {steps.Explanation(ExamplesPath())}});
    }
  }

  std::string ExamplesPath() const { return config_.InOutput("summary/") + kExamples; }

 private:
  const std::string& Id(size_t row) const { return config_.rows[row].id; }
  std::string Folder(size_t row) const { return config_.rows[row].train.work_folder(); }

  Step ExampleStep() const {
    const auto& [test, part] = config_.common().tests[config_.report.test];
    const RowSteps any(config_, 0, resources_, log_);
    const PreparedText files = any.training().Test(test, part);
    const size_t(&rows)[2] = config_.report.example_rows;
    ExampleRequest request{files.source,
                           files.references,
                           {RowSteps::Outputs(config_, rows[0], test)[0], RowSteps::Outputs(config_, rows[1], test)[0]},
                           config_.report.examples};
    Step step;
    step.name = "examples";
    step.settings = fmt::format("examples={}", request.count);
    step.inputs = {files.source, request.outputs[0], request.outputs[1]};
    step.inputs.insert(step.inputs.end(), files.references.begin(), files.references.end());
    step.outputs = {kExamples};
    step.run = [request, path = ExamplesPath()](const StepContext& context) {
      ChooseExamples(request, path, context.reporter);
      return StepFacts{};
    };
    return step;
  }

  const ExperimentConfig& config_;
  const TrainResources& resources_;
  const std::function<void(std::string_view)>& log_;
};

// Throws Error if the results would mix with files that are not an experiment's.
void CheckOutput(const ExperimentConfig& config) {
  std::error_code ignored;
  if (fs::exists(config.output, ignored) && !fs::is_directory(config.output, ignored))
    throw Error(config.output + ": is a file; choose another output");
  const bool ours =
      fs::exists(config.InOutput("lock"), ignored) || fs::exists(config.InOutput("shared/ledger.json"), ignored);
  for (const char* name : kReports)
    if (fs::exists(config.InOutput(name), ignored) && !ours)
      throw Error(config.InOutput(name) + ": is not of an experiment in this folder; choose another output");
  for (const ExperimentRow& row : config.rows) CheckModelFolder(row.train.output);
}

void WriteFile(const std::string& path, const std::string& text) {
  OutputFile file(path);
  file.Write(text);
  file.Close();
}

}  // namespace

ExperimentReport RunExperiment(const ExperimentConfig& config, const TrainResources& resources,
                               const std::function<void(std::string_view)>& log, const Reporter& reporter) {
  CheckOutput(config);
  const FolderLock lock(config.output);  // all of it: rows and consensus read each other's results
  if (!config.common().dev) reporter.Warn("no [dev] set: all rows have the weights they start with, untuned");
  ExperimentFacts facts;
  const Experiment experiment(config, resources, log);
  size_t stage_number = 0, stages = 0;
  experiment.ForEachStage([&](const Stage&) { ++stages; });
  experiment.ForEachStage([&](const Stage& stage) {
    ++stage_number;
    StepObserver observer;
    if (log) {
      observer.begin = [&](const std::string& step, size_t, size_t) {
        log(fmt::format("[{}/{}] {}: {} …", stage_number, stages, stage.title, step));
      };
      observer.end = [&](const StepReport& report) {
        if (!report.reused) log(fmt::format("      {} took {}", report.name, FormatDuration(report.seconds)));
      };
    }
    StepRunner runner(stage.folder);
    RemoveOldRuns(stage.folder, config.common().dev ? config.common().tune.runs : 1);
    for (StepReport& report : runner.Run(stage.steps, observer, reporter)) facts.Add(stage.title, std::move(report));
  });
  const ExperimentReport report = MakeReport(config, facts, experiment.ExamplesPath());
  WriteFile(config.InOutput(kReports[0]), ReportMarkdown(report));
  WriteFile(config.InOutput(kReports[1]), ReportHtml(report));
  WriteFile(config.InOutput(kReports[2]), ReportCsv(report));
  WriteFile(config.InOutput(kReports[3]), ReportJson(report));
  return report;
}

std::string PlanExperiment(const ExperimentConfig& config, const TrainResources& resources, const Reporter& reporter) {
  const std::function<void(std::string_view)> silent;
  std::string text;
  size_t done = 0, waiting = 0;
  std::set<std::string> to_be_made;
  Experiment(config, resources, silent).ForEachStage([&](const Stage& stage) {
    std::string steps;
    for (const PlannedStep& step : PlanSteps(stage.folder, stage.steps, &to_be_made, reporter)) {
      ++(step.done ? done : waiting);
      if (!step.done) steps += " " + step.name;
    }
    if (!steps.empty()) text += fmt::format("{:<32}{}\n", stage.title, steps);
  });
  return text + fmt::format("{} rows, {} steps done, {} to do; results in {}\n", config.rows.size(), done, waiting,
                            config.output);
}

}  // namespace graft::engine
