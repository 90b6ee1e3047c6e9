// What an experiment does for one row beyond training its model: measurements, lists for a consensus, derivations.
//
// * rules: how many rules, and which share of them is continuous or connected by dependency edges
// * speed: one thread, the weights of the first run: time of each sentence of a part of one test set (speed.tsv)
// * errors: the same sentences with a much larger beam: how often, and by how much, the score rises (errors.tsv)
// * nbest.X.runN.K: lists for a consensus (nbest.X.runN.K.zst)
// * compare.X: scores and significance (comparison_step.h)
// * explain: derivations of the sentences shown as examples (explain.json)
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/experiment_config.h"
#include "pipeline/train_steps.h"

namespace graft::engine {

class RowSteps {
 public:
  // Keeps references to all but the index.
  RowSteps(const ExperimentConfig& config, size_t row, const TrainResources& resources,
           const std::function<void(std::string_view)>& log);

  TrainSteps& training() { return training_; }
  const TrainSteps& training() const { return training_; }
  std::vector<Step> Measurements();
  // `examples` is a file of ChooseExamples (examples.h).
  Step Explanation(const std::string& examples);

  static std::string NBestFile(const ExperimentConfig& config, size_t row, const std::string& test, int run,
                               uint32_t nbest);
  // Test outputs of all runs of a row.
  static std::vector<std::string> Outputs(const ExperimentConfig& config, size_t row, const std::string& test);

 private:
  struct Measured;  // a decoded sentence

  Step Rules();
  Step Speed();
  Step Errors();
  Step NBest(const std::string& test, const TextPart& part, int run, uint32_t nbest);
  Step Comparison(const std::string& test, const TextPart& part);
  Step Decoding(const std::string& name, int run) const;  // with what every decoding depends on
  std::vector<Measured> Decode(const DecodingModel& model, const std::vector<Sentence>& sentences, size_t count,
                               std::string_view step, const Reporter& reporter) const;

  const ExperimentConfig& config_;
  const size_t row_;
  const TrainConfig& train_;
  const TrainResources& resources_;
  TrainSteps training_;
};

}  // namespace graft::engine
