// `graft experiment`: many systems on one corpus, trained, tuned, scored, measured and compared.
//
//   OUTPUT/shared          texts, links, language model: made once
//   OUTPUT/rows/ID         the model of a row; ID.work: its steps (train_steps.h, row_steps.h)
//   OUTPUT/consensus/ID    translations of a consensus
//   OUTPUT/summary         which sentences are shown
//   OUTPUT/report.md .html .csv .json
//
// Every folder has a ledger of its own (step.h): stopped at any moment, an experiment goes on where it was, and a row
// that is added to a finished one is all that is worked on.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/experiment_config.h"
#include "pipeline/experiment_facts.h"
#include "pipeline/train.h"

namespace graft::engine {

// `log` gets lines for people. Throws Error; what is finished is kept.
ExperimentReport RunExperiment(const ExperimentConfig& config, const TrainResources& resources,
                               const std::function<void(std::string_view)>& log, const Reporter& reporter);

// What RunExperiment would do, a line for each step that is not done, for people. Reads only.
std::string PlanExperiment(const ExperimentConfig& config, const TrainResources& resources, const Reporter& reporter);

}  // namespace graft::engine
