// Trains the alignment models of both directions on a bitext and reads alignments off them.
//
//   AlignmentTrainer trainer(bitext, options);
//   for (…) trainer.Iterate(AlignmentModel::kModel1, progress);
//   for (…) trainer.Iterate(AlignmentModel::kHmm, progress);
//   trainer.Align(pair, AlignmentModel::kHmm, worker, &aligned);
//
// The result is a function of bitext and options alone: expected counts are added in the order of the corpus, whichever
// thread computed them.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "align/bitext.h"
#include "align/hmm.h"
#include "align/lexicon_matrix.h"
#include "align/symmetrise.h"
#include "util/stop_check.h"

namespace graft::engine {

enum class AlignmentModel { kModel1, kHmm };

inline constexpr uint64_t kLookupCacheBytes = uint64_t{1} << 30;  // at most, for what was looked up in the lexicon

struct TrainingOptions {
  double prior = 0.1;   // Dirichlet prior of the translation probabilities; 0: maximum likelihood
  float null = 0.05f;   // probability of the empty word
  float agreement = 1;  // HMM, 0 to 1: how much of a posterior counts only as far as the other direction agrees
  bool learn_jumps = true;
  int threads = 1;            // never changes the result
  uint64_t memory_bytes = 0;  // 0: no limit
  StopCheck stop = {};        // asked every few pairs
};

// Both directions of a sentence pair.
struct AlignedPair {
  DirectionalAlignment source_choice;
  DirectionalAlignment target_choice;
};

class AlignmentTrainer {
 public:
  // Throws Error if the memory limit is too small for the corpus.
  AlignmentTrainer(const Bitext& bitext, const TrainingOptions& options);

  // One iteration over the corpus. Returns the log-likelihood of both directions under the parameters before it.
  // `progress` is called with the number of pairs done.
  std::array<double, 2> Iterate(AlignmentModel model, const std::function<void(uint64_t)>& progress);

  // Each word chooses the partner with the greatest sum of the posteriors of both directions, or none if the empty word
  // is more probable than that. May be called by several threads at once, each as another worker < options.threads.
  void Align(size_t pair, AlignmentModel model, int worker, AlignedPair* aligned);

  const LexiconMatrix& lexicon() const { return lexicon_; }

 private:
  struct Worker {
    Hmm hmm;
    std::vector<uint32_t> cells;
    std::vector<float> words;
    std::vector<float> null;
    Posteriors posteriors[2];
  };
  struct Chunk;

  uint64_t CellsOf(size_t pair) const;
  void CacheCells();
  const uint32_t* Cells(size_t pair, Worker* worker) const;
  Emissions Fill(size_t pair, Direction direction, const uint32_t* cells, Worker* worker) const;
  void Infer(size_t pair, AlignmentModel model, const uint32_t* cells, Worker* worker, double* jumps,
             double* log_likelihood) const;
  void Expect(size_t pair, AlignmentModel model, Chunk* chunk, Worker* worker, double* sums) const;
  void Collect(const Chunk& chunk);

  const Bitext& bitext_;
  TrainingOptions options_;
  LexiconMatrix lexicon_;
  HmmParameters parameters_[2];
  std::vector<Worker> workers_;
  std::vector<uint64_t> cell_starts_;   // first cell of each pair, cells of all pairs in a row
  std::vector<uint32_t> cached_cells_;  // entries of the cells of the first pairs, as far as memory goes
};

}  // namespace graft::engine
