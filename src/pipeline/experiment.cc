#include "pipeline/experiment.h"

#include <fmt/format.h>

#include <set>

#include "pipeline/consensus_steps.h"
#include "pipeline/examples.h"
#include "pipeline/row_steps.h"
#include "text/output_file.h"
#include "text/quantities.h"

namespace graft {
namespace {

constexpr const char* kExamples = "examples.json";

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
    const auto& [test, part] = config_.common().tests.front();
    const RowSteps any(config_, 0, resources_, log_);
    const PreparedTest files = any.training().Test(test, part);
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

void WriteFile(const std::string& path, const std::string& text) {
  OutputFile file(path);
  file.Write(text);
  file.Close();
}

}  // namespace

ExperimentReport RunExperiment(const ExperimentConfig& config, const TrainResources& resources,
                               const std::function<void(std::string_view)>& log, const Reporter& reporter) {
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
    for (StepReport& report : runner.Run(stage.steps, observer, reporter))
      facts.Add(stage.title, std::move(report));
  });
  const ExperimentReport report = MakeReport(config, facts, experiment.ExamplesPath());
  WriteFile(config.InOutput("report.md"), ReportMarkdown(report));
  WriteFile(config.InOutput("report.html"), ReportHtml(report));
  WriteFile(config.InOutput("report.csv"), ReportCsv(report));
  WriteFile(config.InOutput("report.json"), ReportJson(report));
  return report;
}

std::string PlanExperiment(const ExperimentConfig& config, const TrainResources& resources) {
  const std::function<void(std::string_view)> silent;
  std::string text;
  size_t done = 0, waiting = 0;
  std::set<std::string> to_be_made;
  Experiment(config, resources, silent).ForEachStage([&](const Stage& stage) {
    std::string steps;
    for (const PlannedStep& step : PlanSteps(stage.folder, stage.steps, &to_be_made)) {
      ++(step.done ? done : waiting);
      if (!step.done) steps += " " + step.name;
    }
    if (!steps.empty()) text += fmt::format("{:<32}{}\n", stage.title, steps);
  });
  return text + fmt::format("{} rows, {} steps done, {} to do; results in {}\n", config.rows.size(), done, waiting,
                            config.output);
}

}  // namespace graft
