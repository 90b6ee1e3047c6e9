// From what the steps of an experiment found to its report.
#pragma once

#include <map>
#include <string>

#include "pipeline/experiment_config.h"
#include "pipeline/step.h"
#include "report/experiment_report.h"

namespace graft::engine {

// Reports of all steps, by stage ("shared", the id of a row or consensus) and name.
class ExperimentFacts {
 public:
  void Add(const std::string& stage, StepReport report);
  const StepReport* Find(const std::string& stage, const std::string& step) const;  // nullptr if there is none
  // A default Facts likewise.
  template <class Facts>
  Facts Of(const std::string& stage, const std::string& step) const {
    const StepReport* report = Find(stage, step);
    return report == nullptr ? Facts() : report->facts.As<Facts>();
  }
  double Seconds(const std::string& stage, const std::string& step) const;
  double TotalSeconds() const;

 private:
  std::map<std::string, std::map<std::string, StepReport>> stages_;
};

// Also reads speed.tsv and explain.json of the rows, and `examples` if the report has any.
ExperimentReport MakeReport(const ExperimentConfig& config, const ExperimentFacts& facts, const std::string& examples);

}  // namespace graft::engine
