// The settings of an experiment besides those of a training (train_tables.h), declared once, as they are written: rows
// and test sets by name.
#pragma once

#include <string>
#include <vector>

#include "pipeline/experiment_config.h"
#include "util/options.h"

namespace graft::engine {

struct ExperimentRootSettings {
  std::string output;
  std::vector<std::string> baselines;
};
const OptionTable<ExperimentRootSettings>& ExperimentRootTable();  // keys outside of sections

struct RowSettings {
  std::string id;
};
const OptionTable<RowSettings>& RowOptionTable();  // of [[row]], besides the keys of [system]

struct ConsensusSettings {
  std::string id;
  std::vector<std::string> rows;
  graft::CombineOptions combine = ConsensusRow().combine;
};
const OptionTable<ConsensusSettings>& ConsensusOptionTable();

struct ReportSettings {
  std::string test;
  std::vector<std::string> example_rows;
  ReportOptions numbers;
};
const OptionTable<ReportSettings>& ReportOptionTable();

}  // namespace graft::engine
