// Trains the alignment models of both directions on a bitext and reads alignments off them.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "align/bitext.h"
#include "align/hmm.h"
#include "align/lexicon_matrix.h"

namespace graft {

struct TrainingOptions {
  int model1_iterations = 4;
  int hmm_iterations = 5;
  double prior = 0.01;  // Dirichlet prior of translation probabilities; 0: maximum likelihood
  float null = 0.2f;    // probability of the empty word
  int agreement = 1;    //
  bool learn_jumps = true;
  int decode = 0;
  float prune = 1e-6f;
  int threads = 1;  // never changes the result
  uint64_t memory_bytes = 0;
};

class AlignmentTrainer {
 public:
  AlignmentTrainer(const Bitext& bitext, const TrainingOptions& options);

  // One iteration over the corpus; log-likelihood of both directions under the parameters before it.
  // `progress` is called with the pairs done.
  std::array<double, 2> Iterate(bool hmm, const std::function<void(uint64_t)>& progress);
  void Prune();

  struct Aligned {
    DirectionalAlignment source_choice;
    DirectionalAlignment target_choice;
  };
  void Decode(size_t first, size_t end, std::vector<Aligned>* out);

  const LexiconMatrix& lexicon() const { return lexicon_; }

 private:
  struct Worker {
    Hmm hmm;
    std::vector<uint32_t> cells;
    std::vector<float> emissions[2];
    std::vector<float> null[2];
    Posteriors posteriors[2];
  };
  struct Chunk;

  Emissions Fill(size_t pair, Direction direction, const uint32_t* cells, Worker* worker);
  void Expect(size_t pair, bool hmm, Chunk* chunk, Worker* worker, double* jumps, double* log_likelihood);
  void Collect(const Chunk& chunk);
  const uint32_t* Cells(size_t pair, Worker* worker) const;

  const Bitext& bitext_;
  TrainingOptions options_;
  LexiconMatrix lexicon_;
  HmmParameters parameters_[2];
  std::vector<Worker> workers_;
  std::vector<uint64_t> cell_starts_;
};

}  // namespace graft
