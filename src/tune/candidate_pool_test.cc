#include "tune/candidate_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "graft/error.h"

namespace graft::engine {
namespace {

BleuStatistics Statistics(int64_t match, int64_t length) {
  BleuStatistics statistics;
  statistics.match = {match, match / 2, 0, 0};
  for (int n = 0; n < 4; ++n) statistics.total[n] = std::max<int64_t>(0, length - n);
  statistics.length = length;
  statistics.reference_length = 9;
  return statistics;
}

TEST(CandidatePoolTest, EqualFeatureVectorsAreOneCandidateAndTheFirstStays) {
  PooledSentence sentence;
  FeatureVector features{};
  features[kLanguageModel] = -3.5f;
  EXPECT_TRUE(sentence.Add(features, Statistics(4, 8)));
  EXPECT_FALSE(sentence.Add(features, Statistics(5, 8)));
  features[kJump] = -1;
  EXPECT_TRUE(sentence.Add(features, Statistics(5, 8)));
  ASSERT_EQ(sentence.size(), 2u);
  EXPECT_EQ(sentence.Statistics(0), Statistics(4, 8));
  EXPECT_EQ(sentence.Statistics(1), Statistics(5, 8));
  EXPECT_EQ(sentence.Features(1), features);
}

TEST(CandidatePoolTest, ZeroHasNoSign) {
  PooledSentence sentence;
  FeatureVector features{};
  EXPECT_TRUE(sentence.Add(features, Statistics(1, 2)));
  features[kGap] = -0.0f;
  EXPECT_FALSE(sentence.Add(features, Statistics(1, 2)));
}

TEST(CandidatePoolTest, StatisticsOfAnyLengthSurvive) {
  PooledSentence sentence;
  for (int length = 0; length < 7; ++length) {
    FeatureVector features{};
    features[kWordPenalty] = -static_cast<float>(length);
    ASSERT_TRUE(sentence.Add(features, Statistics(length / 2, length)));
    EXPECT_EQ(sentence.Statistics(static_cast<size_t>(length)), Statistics(length / 2, length));
  }
}

TEST(CandidatePoolTest, ManyCandidatesAreFoundAgain) {
  CandidatePool pool(2);
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < 5000; ++i) {
      FeatureVector features{};
      features[i % 3] = static_cast<float>(i) * 0.25f;
      features[kWordPenalty] = -static_cast<float>(i % 7);
      features[kUnknownWord] = static_cast<float>(i);
      EXPECT_EQ(pool[1].Add(features, Statistics(2, 5)), round == 0);
    }
  EXPECT_EQ(pool.candidates(), 5000u);
  EXPECT_EQ(pool[0].size(), 0u);
}

TEST(CandidatePoolTest, FeaturesThatAreNotFiniteAreRefused) {
  PooledSentence sentence;
  for (const float bad : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    FeatureVector features{};
    features[kLanguageModel] = bad;
    EXPECT_THROW(sentence.Add(features, Statistics(1, 2)), Error);
  }
  EXPECT_EQ(sentence.size(), 0u);
}

}  // namespace
}  // namespace graft::engine
