#include "tune/candidate_pool.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "graft/error.h"

namespace graft::engine {
namespace {

uint64_t Hash(const FeatureVector& features) {
  uint64_t hash = 0;
  for (const float value : features) {
    hash = (hash ^ std::bit_cast<uint32_t>(value)) * 0x9e3779b97f4a7c15ull;
    hash ^= hash >> 32;
  }
  return hash;
}

}  // namespace

FeatureVector PooledSentence::Features(size_t candidate) const {
  FeatureVector features;
  for (size_t f = 0; f < kFeatures; ++f) features[f] = features_[f][candidate];
  return features;
}

BleuStatistics PooledSentence::Statistics(size_t candidate) const {
  BleuStatistics statistics;
  statistics.length = static_cast<int64_t>(length_[candidate]);
  statistics.reference_length = static_cast<int64_t>(reference_length_[candidate]);
  for (int n = 0; n < kBleuOrder; ++n) {
    statistics.match[n] = static_cast<int64_t>(match_[n][candidate]);
    statistics.total[n] = std::max<int64_t>(0, statistics.length - n);
  }
  return statistics;
}

bool PooledSentence::Add(const FeatureVector& given, const BleuStatistics& statistics) {
  FeatureVector features = given;
  for (float& value : features) {
    if (!std::isfinite(value)) throw Error("a translation has a feature value that is not a finite number");
    value += 0.0f;  // -0 becomes 0, so that equal values have equal bits
  }
  const auto same = [&](uint32_t candidate) { return Features(candidate) == features; };
  if (!index_.Insert(Hash(features), same).fresh) return false;
  for (size_t f = 0; f < kFeatures; ++f) features_[f].push_back(features[f]);
  for (size_t n = 0; n < kBleuOrder; ++n) match_[n].push_back(static_cast<float>(statistics.match[n]));
  length_.push_back(static_cast<float>(statistics.length));
  reference_length_.push_back(static_cast<float>(statistics.reference_length));
  return true;
}

uint64_t CandidatePool::candidates() const {
  uint64_t total = 0;
  for (const PooledSentence& sentence : sentences_) total += sentence.size();
  return total;
}

}  // namespace graft::engine
