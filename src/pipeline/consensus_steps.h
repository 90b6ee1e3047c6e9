// A consensus of several rows as a row of its own: for every test set and tuning run the translations of least risk
// (combine/consensus.h) among the n-best lists of the rows' models of that run.
#pragma once

#include <string>
#include <vector>

#include "pipeline/experiment_config.h"
#include "pipeline/step.h"
#include "pipeline/train.h"

namespace graft::engine {

std::string ConsensusFolder(const ExperimentConfig& config, const ConsensusRow& consensus);

// Needs the lists of the rows (row_steps.h): "test.X.runN" for each run, then "compare.X". Keeps references to all
// three.
std::vector<Step> ConsensusSteps(const ExperimentConfig& config, const ConsensusRow& consensus,
                                 const TrainResources& resources);

}  // namespace graft::engine
