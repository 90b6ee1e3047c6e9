// Steps from iteration to iteration, with a decoder that chooses among made-up translations instead of searching.
#include "tune/weight_step.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "graft/error.h"

namespace graft::engine::fixtures {
namespace {

using ::testing::HasSubstr;

const TunedFeatures kTuned = TunedFeaturesOf(MakeSystemSpec({{"name", "pbmt"}}));

struct Latent {
  FeatureVector features{};
  BleuStatistics statistics;
};

// Sentences with many possible translations of all lengths, most of them never seen in n-best lists. Each further word
// costs language model score and wins the word penalty's, so that lengths tip over when the two change their relation;
// the first lists hold translations of nearly one length, which say little of it.
class World {
 public:
  explicit World(uint32_t seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    for (int s = 0; s < 150; ++s) {
      const int reference = 12 + static_cast<int>(random() % 10);
      std::vector<Latent> all;
      for (int k = 0; k < 3000; ++k) {
        const int length = reference / 2 + static_cast<int>(random() % static_cast<uint32_t>(4 * reference));
        const double quality = 0.1 * normal(random);
        const double words = length;
        const double excess = (words - 0.9 * reference) / reference;
        Latent one;
        one.features[kLanguageModel] = Float(-1.7 * words + 4 * quality * words + 4 * normal(random));
        one.features[kTargetGivenSource] =
            Float(-0.6 * words + 3 * quality * words - 1.5 * excess * excess + 3 * normal(random));
        one.features[kSourceGivenTarget] = Float(-0.8 * words + 3 * normal(random));
        one.features[kLexTargetGivenSource] = Float(-1.0 * words + quality * words + 3 * normal(random));
        one.features[kLexSourceGivenTarget] = Float(-1.0 * words + 3 * normal(random));
        one.features[kRulePenalty] = -static_cast<float>(std::lround(0.6 * words + normal(random)));
        one.features[kWordPenalty] = -static_cast<float>(length);
        one.features[kJump] = -static_cast<float>(random() % 8);
        one.statistics.length = length;
        one.statistics.reference_length = reference;
        const double right = std::clamp(0.5 + 2.5 * quality, 0.05, 0.95) * std::min(1.0, reference / words);
        for (int n = 0; n < 4; ++n) {
          one.statistics.total[n] = std::max(0, length - n);
          one.statistics.match[n] = std::lround(static_cast<double>(one.statistics.total[n]) * std::pow(right, n + 1));
        }
        all.push_back(one);
      }
      sentences_.push_back(std::move(all));
    }
  }

  CandidatePool EmptyPool() const { return CandidatePool(sentences_.size()); }

  BleuStatistics Decode(const FeatureVector& weights, CandidatePool* pool, size_t stride = 1) const {
    BleuStatistics sum;
    for (size_t s = 0; s < sentences_.size(); s += stride) {
      std::vector<std::pair<float, size_t>> ranking;
      for (size_t k = 0; k < sentences_[s].size(); ++k)
        ranking.emplace_back(-Dot(weights, sentences_[s][k].features), k);
      std::partial_sort(ranking.begin(), ranking.begin() + 30, ranking.end());
      sum += sentences_[s][ranking[0].second].statistics;
      for (size_t rank = 0; rank < 30; ++rank) {
        const Latent& one = sentences_[s][ranking[rank].second];
        (*pool)[s].Add(one.features, one.statistics);
      }
    }
    return sum;
  }

 private:
  static float Float(double value) { return static_cast<float>(value); }
  std::vector<std::vector<Latent>> sentences_;
};

double Yes(const FeatureVector&) { return 0; }  // a trial that is content

void Record(const FeatureVector& weights, double bleu, TuneRun* run) {
  TuneIteration iteration;
  iteration.iteration = static_cast<int>(run->iterations.size()) + 1;
  iteration.weights = weights;
  iteration.bleu = bleu;
  run->iterations.push_back(iteration);
  if (run->iterations.size() == 1 || bleu > run->bleu) {
    run->bleu = bleu;
    run->weights = weights;
    run->best_iteration = iteration.iteration;
  }
}

enum class Method { kPaper, kStable };

TuneRun Simulate(const World& world, Method method, uint64_t seed) {
  constexpr size_t kStride = 2;
  TuneRun run;
  CandidatePool pool = world.EmptyPool();
  SplitMix random(seed);
  const Trial trial = [&](const FeatureVector& weights) {
    CandidatePool aside = world.EmptyPool();
    return Bleu(world.Decode(weights, &pool, kStride)) - Bleu(world.Decode(run.weights, &aside, kStride));
  };
  WeightStep next{.weights = kDefaultWeights};
  while (next.stopped.empty() && run.iterations.size() < 15) {
    Record(next.weights, Bleu(world.Decode(next.weights, &pool)), &run);
    next = method == Method::kPaper ? PaperStep(run, pool, kTuned, &random)
                                    : StableStep(run, trial, &pool, kTuned, &random);
  }
  return run;
}

// The deepest fall of a decoding below the best before it.
double DeepestFall(const TuneRun& run) {
  double deepest = 0;
  double best = 0;
  for (const TuneIteration& iteration : run.iterations) {
    deepest = std::max(deepest, best - iteration.bleu);
    best = std::max(best, iteration.bleu);
  }
  return deepest;
}

TEST(WeightStepTest, StableWhereThePublishedStepFalls) {
  for (const uint32_t seed : {1u, 2u, 3u}) {
    const World world(seed);
    const TuneRun paper = Simulate(world, Method::kPaper, seed);
    const TuneRun stable = Simulate(world, Method::kStable, seed);
    EXPECT_GT(DeepestFall(paper), 6) << "this world is too easy to show anything";
    EXPECT_LT(DeepestFall(stable), 2.5);
    EXPECT_GT(stable.bleu, stable.iterations[0].bleu + 40);
    EXPECT_GT(stable.bleu, paper.bleu - 2);
  }
}

class WeightStepsTest : public ::testing::Test {
 protected:
  WeightStepsTest() : world_(4), pool_(world_.EmptyPool()) { Record(kDefaultWeights, Decode(kDefaultWeights), &run_); }
  double Decode(const FeatureVector& weights) { return Bleu(world_.Decode(weights, &pool_)); }

  World world_;
  CandidatePool pool_;
  TuneRun run_;
  SplitMix random_{1};
};

TEST_F(WeightStepsTest, ScaleOfTheStartDoesNotMatter) {
  const WeightStep first = StableStep(run_, Yes, &pool_, kTuned, &random_);
  TuneRun scaled;
  FeatureVector weights = kDefaultWeights;
  for (float& weight : weights) weight *= 8;  // a power of two: no rounding
  Record(weights, run_.bleu, &scaled);
  SplitMix random(1);
  const WeightStep second = StableStep(scaled, Yes, &pool_, kTuned, &random);
  for (int f = 0; f < kFeatures; ++f) {
    if (kTuned[f]) {
      EXPECT_NEAR(first.weights[f], second.weights[f], 1e-6) << f;
    }
  }
}

TEST_F(WeightStepsTest, StableWeightsSumToOneAndLeaveTheRestAlone) {
  const WeightStep step = StableStep(run_, Yes, &pool_, kTuned, &random_);
  double sum = 0;
  for (int f = 0; f < kFeatures; ++f) sum += kTuned[f] ? std::abs(static_cast<double>(step.weights[f])) : 0;
  EXPECT_NEAR(sum, 1, 1e-6);
  EXPECT_EQ(step.weights[kUnknownWord], kDefaultWeights[kUnknownWord]);
  EXPECT_EQ(step.weights[kGap], kDefaultWeights[kGap]);
}

// A trial that fails adds its lists and makes the step shorter, until it is content or patience is at its end.
TEST_F(WeightStepsTest, FailedTrialsShortenTheStep) {
  std::vector<FeatureVector> tried;
  const Trial never = [&](const FeatureVector& weights) {
    tried.push_back(weights);
    return -10.0;
  };
  const WeightStep step = StableStep(run_, never, &pool_, kTuned, &random_);
  ASSERT_EQ(tried.size(), static_cast<size_t>(kTrials));
  auto move = [&](const FeatureVector& weights) {
    double sum = 0, defaults = 0;
    for (int f = 0; f < kFeatures; ++f) defaults += kTuned[f] ? std::abs(static_cast<double>(kDefaultWeights[f])) : 0;
    for (int f = 0; f < kFeatures; ++f)
      if (kTuned[f])
        sum += std::abs(static_cast<double>(weights[f]) - static_cast<double>(kDefaultWeights[f]) / defaults);
    return sum;
  };
  for (size_t i = 1; i < tried.size(); ++i) EXPECT_LT(move(tried[i]), 0.8 * move(tried[i - 1]));
  EXPECT_LT(move(step.weights), 0.8 * move(tried.back()));
  EXPECT_GT(move(step.weights), 0);
}

// The same pool and random order, once after a fall, once from the best weights: the step is half as long.
TEST_F(WeightStepsTest, FallsGoBackToTheBestAndHalveTheStep) {
  auto normalised = [](FeatureVector weights) {
    float sum = 0;
    for (int f = 0; f < kFeatures; ++f) sum += kTuned[f] ? std::abs(weights[f]) : 0;
    for (int f = 0; f < kFeatures; ++f)
      if (kTuned[f]) weights[f] /= sum;
    return weights;
  };
  const FeatureVector best = normalised(kDefaultWeights);
  FeatureVector elsewhere = best;
  elsewhere[kWordPenalty] = 0.5f;
  TuneRun level, fallen;
  for (TuneRun* run : {&level, &fallen}) Record(best, 20, run);
  Record(best, 20, &level);
  Record(elsewhere, 20 - kDrop - 0.1, &fallen);
  SplitMix one(9), other(9);
  const WeightStep whole = StableStep(level, Yes, &pool_, kTuned, &one);
  const WeightStep half = StableStep(fallen, Yes, &pool_, kTuned, &other);
  ASSERT_NE(whole.weights, best);
  double whole_move = 0, half_move = 0;
  for (int f = 0; f < kFeatures; ++f) {
    whole_move += std::abs(static_cast<double>(whole.weights[f] - best[f]));
    half_move += std::abs(static_cast<double>(half.weights[f] - best[f]));
  }
  EXPECT_LT(half_move, 0.7 * whole_move);
  EXPECT_GT(half_move, 0.3 * whole_move);
}

TEST_F(WeightStepsTest, StableStopsWithoutGains) {
  for (int i = 0; i < kPatience; ++i) {
    EXPECT_EQ(StableStep(run_, Yes, &pool_, kTuned, &random_).stopped, "");
    Record(kDefaultWeights, run_.bleu, &run_);
  }
  EXPECT_THAT(StableStep(run_, Yes, &pool_, kTuned, &random_).stopped, HasSubstr("has not risen"));
  EXPECT_EQ(PaperStep(run_, pool_, kTuned, &random_).stopped, "");
}

TEST_F(WeightStepsTest, BothStopWhenNoWeightMoves) {
  CandidatePool pool(2);
  for (size_t s = 0; s < 2; ++s) pool[s].Add(FeatureVector{}, BleuStatistics{});
  EXPECT_THAT(PaperStep(run_, pool, kTuned, &random_).stopped, HasSubstr("no weight moved"));
  TuneRun normal;
  Record(StableStep(run_, Yes, &pool_, kTuned, &random_).weights, 1, &normal);
  EXPECT_THAT(StableStep(normal, Yes, &pool, kTuned, &random_).stopped, HasSubstr("no weight moved"));
}

TEST(CheckWeightsTest, DegenerateWeightsAreRefused) {
  EXPECT_NO_THROW(CheckWeights(kDefaultWeights, kTuned));
  FeatureVector zero{};
  zero[kUnknownWord] = 1;
  zero[kGap] = 1;
  EXPECT_THROW(CheckWeights(zero, kTuned), Error);
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), -2e6f}) {
    FeatureVector weights = kDefaultWeights;
    weights[kLanguageModel] = bad;
    EXPECT_THROW(CheckWeights(weights, kTuned), Error);
  }
}

}  // namespace
}  // namespace graft::engine::fixtures
