// `graft train`: from texts to a tuned model, in steps that are done once.
//
//   corpus   the training pairs, checked, tokenised and cased           → corpus.source, corpus.target, corpus.align
//   align    word alignment, unless it is given                         → corpus.align
//   lm       language model                                             → lm.bin
//   table    lexical tables, extraction, scores                         → rules.graft
//   tune     one step a run, on the development set                     → weights.runN.toml
//   test.X   a test set translated with the weights of each run         → test.X.runN.out
//   model    the model folder, with the best run's weights
//
// Everything but the last goes to the work folder, OUTPUT.work. Killed at any moment and started again, training ends
// with the same model, byte for byte.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "building/occurrences.h"
#include "graft/reporter.h"
#include "pipeline/step.h"
#include "pipeline/train_config.h"

namespace graft::engine {

struct TrainResources {
  int threads = 1;            // never changes a result
  uint64_t memory_bytes = 0;  // for sorting and for the aligner
};

struct TestScores {
  std::string name;
  std::vector<double> bleu;  // of every run
};

struct TrainReport {
  std::vector<StepReport> steps;
  std::vector<double> dev_bleu;  // of every run; empty without a development set
  size_t best_run = 0;
  std::vector<TestScores> tests;
  uint64_t rules = 0;
  double seconds = 0;       // of this call
  uint64_t peak_bytes = 0;  // of all steps
  std::string model;        // the folder
};

// `log` gets lines for people: what a step is, the table of tuning. Throws Error; what is finished is kept.
TrainReport Train(const TrainConfig& config, const TrainResources& resources,
                  const std::function<void(std::string_view)>& log, const Reporter& reporter);

// What Train would do, with rough needs. Reads the target side of the corpus to judge its size; writes nothing.
struct TrainPlan {
  std::vector<PlannedStep> steps;
  uint64_t pairs = 0;
  uint64_t free_bytes = 0;  // on the disk of the work folder
};
TrainPlan PlanTraining(const TrainConfig& config, const TrainResources& resources, const Reporter& reporter);

std::string FormatReport(const TrainReport& report);
std::string FormatPlan(const TrainConfig& config, const TrainPlan& plan);

}  // namespace graft::engine
