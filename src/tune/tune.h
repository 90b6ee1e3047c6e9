// Tuning of a model's weights on a development set by batch MIRA (Cherry and Foster 2012), in process.
//
//   const std::unique_ptr<Model> model = Model::Load("model");
//   const DevSet dev = ReadDevSet(*model, "dev.de", {"dev.en"}, reporter);
//   const TuneResult tuned = Tune(*model, dev, {.runs = 3, .threads = 4}, {.row = [](const TuneIteration& row) { … }},
//                                 reporter);
//   WriteWeights("weights.toml", model->config(), tuned.best(), tuned.method);
//
// An iteration decodes the development set with the weights at hand, adds the n-best lists to those of all earlier
// iterations and runs MIRA (tune/mira.h) on the pool. What a run returns is the weights whose decoding scored best.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/sentence.h"
#include "graft/reporter.h"
#include "graft/training_steps.h"
#include "model/model.h"
#include "search/decoding_model.h"

namespace graft::engine {

// One row of the table people read: the weights an iteration decoded with and what they gave.
struct TuneIteration {
  int run = 1;        // from 1
  int iteration = 1;  // from 1; the first decodes with the model's own weights
  FeatureVector weights{};
  double bleu = 0;  // of the decoded 1-best, tok:none, 0 to 100
  double length_ratio = 0;
  uint64_t candidates = 0;  // in the pooled lists after this iteration
  double seconds = 0;       // decoding, and the MIRA that led to these weights
};

struct TuneRun {
  uint64_t seed = 1;
  FeatureVector weights{};  // of the iteration with the best dev BLEU (tie: the earliest)
  double bleu = 0;
  int best_iteration = 1;
  std::vector<TuneIteration> iterations;
  std::string stopped;  // why it ended, for people
};

struct TuneResult {
  std::vector<TuneRun> runs;
  size_t best_run = 0;  // index of the run with the best dev BLEU (tie: the first)
  std::string method;

  const TuneRun& best() const { return runs[best_run]; }
  double mean_bleu() const;
  double bleu_deviation() const;  // sample standard deviation; 0 for one run
};

// What Tune tells as it goes; any may be empty. What one of them throws ends the tuning.
struct TuneListener {
  std::function<void(const TuneIteration& row)> row{};              // after every decoded iteration
  std::function<void(int number, const TuneRun& run)> run_ended{};  // with its number from 1
};

// The development set as trained: what the model sees, and references in the same form.
struct DevSet {
  std::vector<Sentence> sources;
  std::vector<std::vector<std::vector<std::string>>> references;  // [sentence][reference] = tokens
};

// Reads a development set through the text options of `model`; CoNLL-U or plain text by the extension of `source`.
// Throws Error with file and line when numbers of sentences differ, and for files that are missing or empty.
DevSet ReadDevSet(const Model& model, const std::string& source, const std::vector<std::string>& references,
                  const Reporter& reporter);

// Tunes weights, starting from those of `model`, which is only read. Of the options those of the table
// (tune_table.h) count, n-best folder and threads, of which there must be at least one; runs have the seeds seed,
// seed + 1, … and share the first decoding. Throws Error, with what to do, for settings that cannot be, for an empty
// development set, for translations that are all empty, for BLEU 0 at every iteration of a run and for weights that are
// degenerate (all zero, infinite or not a number). The weight of unknown words and those of features the system does
// not have stay as they are.
TuneResult Tune(const DecodingModel& model, const DevSet& dev, const graft::TuneOptions& options,
                const TuneListener& listener, const Reporter& reporter);

// The table of iterations, line by line, without newlines.
std::string TuneTableHeader();
std::string TuneTableRow(const TuneIteration& row);
// What came of it, one line a run; with several runs also mean and standard deviation.
std::vector<std::string> TuneSummary(const TuneResult& result);

// weights.toml as text: the weights of `run`, with the text and search options they were tuned under, so that a model
// made with them is the tuned one. A comment says how they were made. No time, no path.
std::string WeightsToml(ModelConfig config, const TuneRun& run, std::string_view method);

void WriteWeights(const std::string& path, const ModelConfig& config, const TuneRun& run, std::string_view method);

// Where the weights of one of several runs go, beside those of the best: weights.toml, weights.run1.toml, …
std::string RunWeightsPath(const std::string& path, int number);

}  // namespace graft::engine
