// The steps of training, from its configuration.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "building/occurrences.h"
#include "model/model.h"
#include "pipeline/cost_estimate.h"
#include "pipeline/step.h"
#include "pipeline/train.h"
#include "pipeline/train_config.h"
#include "search/decoding_model.h"
#include "text/text_processor.h"

namespace graft::engine {

// A development or test set as the shared steps leave it.
struct PreparedText {
  std::string source;
  std::vector<std::string> references;
};

class TrainSteps {
 public:
  // Keeps references: `config` and `log` must outlive it. `size` is for estimates and may be unknown.
  TrainSteps(const TrainConfig& config, const TrainResources& resources, const CorpusSize& size,
             const std::function<void(std::string_view)>& log);

  // In the order in which they can run.
  const std::vector<Step>& steps() const { return steps_; }
  // The first of them, which make what does not depend on the system: texts, links and language model, in the shared
  // folder; and the others, in the work folder.
  std::vector<Step> shared_steps() const { return {steps_.begin(), steps_.begin() + shared_}; }
  std::vector<Step> own_steps() const { return {steps_.begin() + shared_, steps_.end()}; }

  // What the steps make, for steps that come after them.
  std::string TablePath() const;
  std::string LmPath() const;
  std::string WeightsPath(int run) const;
  std::string TestOutput(const std::string& test, int run) const;
  TrainingCorpus Corpus() const;
  PreparedText Test(const std::string& test, const TextPart& part) const;
  ModelConfig ConfigOfRun(int run) const;                 // with its weights
  DecodingModel OpenModel(const FeatureVector& weights);  // with the finished table and language model; kept open

  int runs() const { return config_.dev ? config_.tune.runs : 1; }
  static std::string TuneName(int run);                           // "tune.run1"
  static std::string TestName(const std::string& test, int run);  // "test.X.run1"

 private:
  void AddCorpus();
  void AddAlign();
  void AddTexts(const std::string& name, const TextPart& part);
  void AddTable();
  void AddLm();
  void AddTune(int run);
  void AddTest(const std::string& test, const TextPart& part, int run);
  void AddModel();

  std::string InWork(const std::string& name) const { return config_.work_folder() + "/" + name; }
  std::string Shared(const std::string& name) const { return config_.shared_folder() + "/" + name; }
  std::string SourceName(const std::string& part, const TextPart& text) const;
  PreparedText Outputs(const std::string& name, const TextPart& part) const;
  std::string TextSettings(const TextPart& part) const;
  TextProcessor Processor(const Reporter& reporter) const;
  std::vector<std::string> TruecaseFiles() const;  // names, as in a model folder
  ModelFacts InstallModel(const StepContext& context);

  const TrainConfig& config_;
  const TrainResources resources_;
  const CorpusSize size_;
  const std::function<void(std::string_view)>& log_;
  std::vector<Step> steps_;
  ptrdiff_t shared_ = 0;  // how many of them
  std::unique_ptr<Model> model_;
};

// Removes results of tuning runs after the first `runs` from a work folder that the caller holds: they would be taken
// for current ones.
void RemoveOldRuns(const std::string& folder, int runs);

}  // namespace graft::engine
