// The whole way from texts to a tuned model, and many systems compared. Steps that are done are not done again.
//
//   const graft::TrainSummary trained = graft::Train({.config = "train.toml", .settings = {"tune.runs=3"}});
//   std::printf("%s: %llu rules\n", trained.model.c_str(), static_cast<unsigned long long>(trained.rules));
//
//   graft::TrainQuickly({.source = "train.de", .target = "train.en", .output = "model"});
//
//   const graft::ExperimentSummary found = graft::RunExperiment({.config = "experiment.toml"});
//   std::puts(found.html.c_str());
//
// Configurations are described in docs/training.md and docs/experiments.md. reporter.stop ends all of these with
// Stopped; only what KenLM does in one go, making its binary form, is waited for. Stopped or failed, the work goes on
// where it was when it is started again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graft/model.h"
#include "graft/reporter.h"

#pragma GCC visibility push(default)
namespace graft {

using LogLine = std::function<void(std::string_view line)>;  // for people; may be empty

struct TrainOptions {
  std::string config{};  // a TOML file
  Settings settings{};   // instead of its own: "tune.runs=3"
  int threads = 0;       // 0: as many as the machine has cores
  std::string memory = "80%";
};

struct TestScores {
  std::string name;
  std::vector<double> bleu;  // of every run
};

struct TrainSummary {
  std::string model;             // the folder
  std::vector<double> dev_bleu;  // of every run; empty without a development set
  size_t best_run = 0;
  std::vector<TestScores> tests;
  uint64_t rules = 0;
  double seconds = 0;  // of this call
  uint64_t peak_bytes = 0;
  std::string text;  // all of it, and where the time went, for people
};
TrainSummary Train(const TrainOptions& options, const Reporter& reporter = {}, const LogLine& log = {});
// What Train would do, with rough needs of memory and disk, for people. Writes nothing.
std::string PlanTraining(const TrainOptions& options, const Reporter& reporter = {});

// Two files instead of a configuration: phrase-based for text, a graph system for CoNLL-U; some pairs are kept for
// tuning and testing.
struct QuickOptions {
  std::string source{}, target{};
  std::string output{};             // the model folder
  std::optional<bool> tokenised{};  // unset: judged by the texts
  Settings settings{};              // "system.name=hpbmt"
  int threads = 0;
  std::string memory = "80%";
};
TrainSummary TrainQuickly(const QuickOptions& options, const Reporter& reporter = {}, const LogLine& log = {});
std::string PlanQuickTraining(const QuickOptions& options, const Reporter& reporter = {}, const LogLine& log = {});

struct ExperimentOptions {
  std::string config{};
  Settings settings{};
  int threads = 0;
  std::string memory = "80%";
};
struct ExperimentRow {
  std::string id, title;
  uint64_t rules = 0;
  std::vector<TestScores> tests;
};
struct ExperimentSummary {
  std::vector<ExperimentRow> rows;
  std::string markdown, html, csv, json;  // paths of the report
  std::string text;                       // the tables of scores, for people
};
ExperimentSummary RunExperiment(const ExperimentOptions& options, const Reporter& reporter = {},
                                const LogLine& log = {});
std::string PlanExperiment(const ExperimentOptions& options, const Reporter& reporter = {});

}  // namespace graft
#pragma GCC visibility pop
