// The inner loop of tuning against one written separately, and on problems whose answer is known.
#include "tune/mira.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tune/naive_mira.h"

namespace graft::engine::fixtures {
namespace {

SystemSpec Pbmt() { return MakeSystemSpec({{"name", "pbmt"}}); }
SystemSpec Sdtu() { return MakeSystemSpec({{"name", "sdtu"}}); }

struct Pools {
  CandidatePool pool;
  std::vector<NaiveSentence> naive;

  explicit Pools(size_t sentences) : pool(sentences), naive(sentences) {}
  void Add(size_t sentence, const FeatureVector& features, const BleuStatistics& statistics) {
    if (!pool[sentence].Add(features, statistics)) return;
    NaiveCandidate candidate;
    candidate.features.assign(features.begin(), features.end());
    for (int n = 0; n < 4; ++n) {
      candidate.statistics.push_back(static_cast<double>(statistics.match[n]));
      candidate.statistics.push_back(static_cast<double>(statistics.total[n]));
    }
    candidate.statistics.push_back(static_cast<double>(statistics.reference_length));
    naive[sentence].push_back(candidate);
  }
};

// `quality` of the n-grams match.
BleuStatistics Statistics(int length, int reference, double quality) {
  BleuStatistics statistics;
  statistics.length = length;
  statistics.reference_length = reference;
  for (int n = 0; n < 4; ++n) {
    statistics.total[n] = std::max(0, length - n);
    statistics.match[n] = std::lround(static_cast<double>(statistics.total[n]) * std::pow(quality, n + 1));
  }
  return statistics;
}

Pools RandomPools(uint32_t seed, size_t sentences, bool unknown_words) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  Pools pools(sentences);
  for (size_t s = 0; s < sentences; ++s) {
    const int reference = 4 + static_cast<int>(random() % 20);
    const size_t count = 1 + random() % 40;
    for (size_t k = 0; k < count; ++k) {
      const int length = std::max(1, reference - 4 + static_cast<int>(random() % 9));
      FeatureVector features{};
      for (int f = kSourceGivenTarget; f <= kLanguageModel; ++f) features[f] = -10 + 3 * normal(random);
      features[kRulePenalty] = -static_cast<float>(random() % 10);
      features[kWordPenalty] = -static_cast<float>(length);
      features[kJump] = -static_cast<float>(random() % 6);
      features[kGap] = -static_cast<float>(random() % 3);
      if (unknown_words && random() % 4 == 0) features[kUnknownWord] = kUnknownWordValue;
      pools.Add(s, features, Statistics(length, reference, static_cast<double>(random() % 1000) / 1000));
    }
  }
  return pools;
}

Weights Defaults() {
  Weights weights{};
  for (int f = 0; f < kFeatures; ++f) weights[f] = static_cast<double>(kDefaultWeights[f]);
  return weights;
}

class MiraAgainstNaive : public ::testing::TestWithParam<uint32_t> {};

TEST_P(MiraAgainstNaive, SameWeights) {
  const Pools pools = RandomPools(GetParam(), 60, GetParam() % 2 == 0);
  const TunedFeatures tuned = TunedFeaturesOf(Sdtu());
  const Weights start = Defaults();
  NaiveMira naive;
  for (const bool moves : tuned) naive.frozen.push_back(!moves);
  SplitMix random(GetParam());
  SplitMix naive_random(GetParam());
  const MiraResult result = RunMira(pools.pool, start, tuned, MiraOptions{}, &random);
  const std::vector<double> expected = naive.Run(pools.naive, {start.begin(), start.end()}, &naive_random);
  for (int f = 0; f < kFeatures; ++f) EXPECT_NEAR(result.weights[f], expected[f], 1e-9) << f;
  EXPECT_NEAR(result.bleu, 100 * NaiveMira::PoolBleu(pools.naive, expected), 1e-9);
  EXPECT_NE(result.weights, start);
}
INSTANTIATE_TEST_SUITE_P(Seeds, MiraAgainstNaive, ::testing::Range(1u, 9u));

TEST(MiraTest, UnknownWordsAndForeignFeaturesAreNeverTuned) {
  const Pools pools = RandomPools(3, 50, true);
  SplitMix random(1);
  const MiraResult result = RunMira(pools.pool, Defaults(), TunedFeaturesOf(Pbmt()), MiraOptions{}, &random);
  EXPECT_EQ(result.weights[kUnknownWord], Defaults()[kUnknownWord]);
  EXPECT_EQ(result.weights[kGap], Defaults()[kGap]);  // pbmt has none
  EXPECT_NE(result.weights[kJump], Defaults()[kJump]);
}

// In every sentence one candidate is right, the one that scores best under hidden weights by a clear margin.
TEST(MiraTest, FindsWeightsThatSeparate) {
  std::mt19937 random(17);
  std::normal_distribution<float> normal;
  const std::vector<double> hidden = {0.3, 0.1, 0.7, 0.2, 1.0, -0.4, -0.8, 0.5, 0, 0};
  Pools pools(200);
  for (size_t s = 0; s < 200; ++s) {
    std::vector<std::pair<double, FeatureVector>> drawn;
    for (int k = 0; k < 30; ++k) {
      FeatureVector features{};
      for (int f = 0; f <= kJump; ++f) features[f] = 2 * normal(random);
      const std::vector<double> values(features.begin(), features.end());
      drawn.emplace_back(NaiveDot(hidden, values), features);
    }
    std::sort(drawn.begin(), drawn.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (size_t k = 0; k < drawn.size(); ++k) {
      if (k > 0 && drawn[k].first > drawn[0].first - 0.5) continue;
      pools.Add(s, drawn[k].second, Statistics(12, 12, k == 0 ? 1.0 : 0.5));
    }
  }
  const TunedFeatures tuned = TunedFeaturesOf(Pbmt());
  EXPECT_LT(Bleu(BestOfPool(pools.pool, Defaults())), 80);
  SplitMix order(1);
  const MiraResult result = RunMira(pools.pool, Defaults(), tuned, MiraOptions{}, &order);
  EXPECT_GT(result.bleu, 99);
  EXPECT_NEAR(Bleu(BestOfPool(pools.pool, result.weights), BleuSmoothing::kNone), result.bleu, 1e-9);
}

TEST(MiraTest, NothingToChooseMovesNothing) {
  CandidatePool pool(3);
  for (size_t s = 0; s < 3; ++s) pool[s].Add(FeatureVector{}, Statistics(5, 5, 0.5));
  SplitMix random(1);
  const MiraResult result = RunMira(pool, Defaults(), TunedFeaturesOf(Pbmt()), MiraOptions{}, &random);
  EXPECT_EQ(result.weights, Defaults());
}

TEST(MiraTest, OneSeedOneResult) {
  const Pools pools = RandomPools(5, 40, false);
  auto run = [&](uint64_t seed) {
    SplitMix random(seed);
    return RunMira(pools.pool, Defaults(), TunedFeaturesOf(Pbmt()), MiraOptions{}, &random).weights;
  };
  EXPECT_EQ(run(1), run(1));
  EXPECT_NE(run(1), run(2));
}

TEST(MiraTest, EndsWhenAskedTo) {
  const Pools pools = RandomPools(3, 50, true);
  SplitMix random(1);
  std::stop_source stop;
  stop.request_stop();
  const StopCheck check(stop.get_token());
  EXPECT_THROW(RunMira(pools.pool, Defaults(), TunedFeaturesOf(Pbmt()), {.stop = check}, &random), Stopped);
  EXPECT_THROW(FitScale(pools.pool, Defaults(), check), Stopped);
}

}  // namespace
}  // namespace graft::engine::fixtures
