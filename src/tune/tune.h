// Batch MIRA (Cherry and Foster 2012) on a development set, in process.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "corpus/sentence.h"
#include "eval/bleu.h"
#include "search/model.h"
#include "text/reporter.h"

namespace graft {

struct TuneOptions {
  std::string method =
      "mira";  // "paper": systems of the paper to the letter; "mira": with the changes documented in mira.h
  int iterations = 25;
  uint64_t seed = 1;  // of this run
  int nbest = 100;
  int threads = 1;           // never changes the result
  std::string nbest_folder;  // empty: n-best lists are not written
};

// One row of the table people read: the weights an iteration decoded with and what they gave.
struct TuneIteration {
  int iteration = 0;  // from 1
  FeatureVector weights{};
  double bleu = 0;  // of the decoded 1-best, tok:none
  double length_ratio = 0;
  uint64_t candidates = 0;  // in the pooled lists after this iteration
};

struct TuneResult {
  FeatureVector weights{};  // of the iteration with the best dev BLEU
  double bleu = 0;
  int best_iteration = 0;
  std::vector<TuneIteration> iterations;
  std::string stopped;  // why it ended: for people
};

// The development set: sentences and references as trained (text/text_processor.h).
struct DevSet {
  std::vector<Sentence> sources;
  std::vector<std::vector<std::vector<std::string>>> references;  // [sentence][reference]
};

// Tunes the weights of `model`, starting from its own; the model has its old weights again when this returns. `row` is
// called after every decoded iteration. Throws Error for an empty development set, for BLEU 0 at every iteration and
// for degenerate weights, each with what to do.
TuneResult Tune(Model* model, const DevSet& dev, const TuneOptions& options,
                const std::function<void(const TuneIteration&)>& row, const Reporter& reporter);

}  // namespace graft
