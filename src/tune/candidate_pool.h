// The n-best lists of all iterations, pooled by sentence: what MIRA reads.
//
// Candidates are kept by columns (all first features, all second features, …), so that a sentence is scored with plain
// vector operations. A candidate whose feature vector its sentence already has is not added: the first one stays.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "eval/bleu.h"
#include "model/features.h"
#include "util/hash_index.h"

namespace graft::engine {

inline constexpr int kBleuOrder = 4;

class PooledSentence {
 public:
  // False if a candidate with these features is there already. Throws Error for features that are not finite.
  bool Add(const FeatureVector& features, const BleuStatistics& statistics);

  size_t size() const { return length_.size(); }
  std::span<const float> feature(int f) const { return features_[static_cast<size_t>(f)]; }
  std::span<const float> match(int n) const { return match_[static_cast<size_t>(n)]; }  // (n+1)-grams, clipped
  std::span<const float> length() const { return length_; }
  std::span<const float> reference_length() const { return reference_length_; }

  FeatureVector Features(size_t candidate) const;
  BleuStatistics Statistics(size_t candidate) const;

 private:
  std::array<std::vector<float>, kFeatures> features_;
  std::array<std::vector<float>, kBleuOrder> match_;
  std::vector<float> length_;
  std::vector<float> reference_length_;
  HashIndex index_;  // candidates by their features
};

class CandidatePool {
 public:
  explicit CandidatePool(size_t sentences) : sentences_(sentences) {}

  PooledSentence& operator[](size_t sentence) { return sentences_[sentence]; }
  const PooledSentence& operator[](size_t sentence) const { return sentences_[sentence]; }
  size_t sentences() const { return sentences_.size(); }
  uint64_t candidates() const;

 private:
  std::vector<PooledSentence> sentences_;
};

}  // namespace graft::engine
