// The scores of one row of an experiment on one test set: BLEU of every run, their mean and spread, and how sure the
// difference to each baseline is. A step of its own for every row, so that a new row does not redo the others.
#pragma once

#include <string>
#include <vector>

#include "pipeline/step.h"

namespace graft::engine {

struct ComparedOutputs {
  std::string test;                                 // name of the test set
  std::vector<std::string> references;              // files
  std::vector<std::string> outputs;                 // of the row, one file a run
  std::vector<std::vector<std::string>> baselines;  // of each baseline likewise; empty for the row itself
};

// Gives ComparisonFacts. BLEU is that of the text as trained (tok:none).
Step ComparisonStep(const ComparedOutputs& compared, int threads);

}  // namespace graft::engine
