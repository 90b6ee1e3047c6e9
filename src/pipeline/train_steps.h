// The steps of training, from its configuration.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/estimate.h"
#include "pipeline/step.h"
#include "pipeline/train.h"
#include "pipeline/train_config.h"
#include "search/model.h"
#include "text/text_processor.h"

namespace graft {

class TrainSteps {
 public:
  // Keeps references: `config` and `log` must outlive it. `size` is for estimates and may be unknown.
  TrainSteps(const TrainConfig& config, const TrainResources& resources, const CorpusSize& size,
             const std::function<void(std::string_view)>& log);

  // In the order in which they can run.
  const std::vector<Step>& steps() const { return steps_; }

  int runs() const { return config_.dev ? config_.tune_runs : 1; }
  static std::string TuneName(int run);                           // "tune.run1"
  static std::string TestName(const std::string& test, int run);  // "test.X.run1"

 private:
  struct Prepared {
    std::string source;
    std::vector<std::string> references;
  };

  void AddCorpus();
  void AddAlign();
  void AddTexts(const std::string& name, const TextPart& part);
  void AddTable();
  void AddLm();
  void AddTune(int run);
  void AddTest(const std::string& test, const TextPart& part, int run);
  void AddModel();

  std::string InWork(const std::string& name) const { return config_.work_folder() + "/" + name; }
  std::string SourceName(const std::string& part, const TextPart& text) const;
  Prepared Outputs(const std::string& name, const TextPart& part) const;
  std::string TextSettings(const TextPart& part) const;
  SourceOptions Reading() const;
  TextProcessor Processor(const Reporter& reporter) const;
  std::vector<std::string> TruecaseFiles() const;  // names, as in a model folder
  Model* OpenModel();                              // with the finished table and language model
  StepFacts InstallModel(const StepContext& context);

  const TrainConfig& config_;
  const TrainResources resources_;
  const CorpusSize size_;
  const std::function<void(std::string_view)>& log_;
  std::vector<Step> steps_;
  std::unique_ptr<Model> model_;
};

}  // namespace graft
