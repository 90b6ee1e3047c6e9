// Translation probabilities of word pairs in both directions: a sparse matrix with an entry for each pair of a source
// and a target word that occur together in some sentence pair, in rows by source word, each row sorted by target word.
// Both directions share it, so that a sentence pair looks its cells up once.
//
// Entry 0 stands for pairs that have no entry: it can be read (kFloor) and is never learnt.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "align/bitext.h"
#include "util/stop_check.h"

namespace graft::engine {

// Indexed by the side that generates: kFromSource is t(target | source).
enum Direction { kFromSource = 0, kFromTarget = 1 };

// Memory that aligning a bitext takes when it has this many pairs of words seen together.
uint64_t AlignmentBytes(const Bitext& bitext, uint64_t entries);

class LexiconMatrix {
 public:
  static constexpr uint32_t kNoEntry = 0;
  static constexpr float kFloor = 1e-9f;     // no probability is smaller
  static constexpr int kBytesPerEntry = 20;  // target word, two probabilities, two counts

  // Uniform over the words seen together. Throws Error if memory_bytes (0: no limit) is too small for it.
  LexiconMatrix(const Bitext& bitext, int threads, uint64_t memory_bytes, const StopCheck& stop = {});

  uint64_t entries() const { return targets_.size() - 1; }

  // The entries of all cells of a sentence pair, by source position, then target position.
  void Find(std::span<const uint32_t> source, std::span<const uint32_t> target, uint32_t* cells) const;

  using Both = std::array<float, 2>;  // by Direction
  const Both& probabilities(uint32_t entry) const { return probabilities_[entry]; }
  float null_probability(Direction direction, uint32_t word) const { return null_[direction][word]; }
  Both& counts(uint32_t entry) { return counts_[entry]; }
  double* null_counts(Direction direction) { return null_counts_[direction].data(); }

  // Probabilities from the counts, which start again at 0. prior 0: relative frequencies (EM); > 0: the mean-field
  // estimate exp(digamma(count + prior)) / exp(digamma(sum + prior * entries)) under a symmetric Dirichlet prior
  // (variational Bayes), which takes from pairs seen by chance.
  void Estimate(double prior, int threads);

 private:
  void EstimateNull(double prior);

  std::vector<uint64_t> rows_;     // row e is entries rows_[e] … rows_[e + 1]
  std::vector<uint32_t> targets_;  // by entry
  std::vector<Both> probabilities_;
  std::vector<Both> counts_;
  std::vector<float> null_[2];  // by generated word
  std::vector<double> null_counts_[2];
  size_t target_types_;
};

}  // namespace graft::engine
