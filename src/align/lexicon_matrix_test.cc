#include "align/lexicon_matrix.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <set>

#include "align/expected_log.h"

namespace graft::engine {
namespace {

Bitext RandomBitext(uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> pairs(60);
  for (auto& [source, target] : pairs) {
    for (uint32_t k = random() % 6; k > 0; --k) source.push_back("s" + std::to_string(random() % 30));
    for (uint32_t k = random() % 6; k > 0; --k) target.push_back("t" + std::to_string(random() % 40));
  }
  return MakeBitext(pairs);
}

TEST(LexiconMatrixTest, HasAnEntryForExactlyThePairsSeenTogether) {
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    const Bitext bitext = RandomBitext(seed);
    std::set<std::pair<uint32_t, uint32_t>> together;
    for (size_t pair = 0; pair < bitext.pairs(); ++pair)
      for (uint32_t s : bitext.source.sentence(pair))
        for (uint32_t t : bitext.target.sentence(pair)) together.insert({s, t});
    const LexiconMatrix matrix(bitext, 3, 0);
    EXPECT_EQ(matrix.entries(), together.size());
    std::set<uint32_t> used;
    for (uint32_t s = 0; s < bitext.source.types(); ++s) {
      for (uint32_t t = 0; t < bitext.target.types(); ++t) {
        uint32_t entry = 0;
        matrix.Find({&s, 1}, {&t, 1}, &entry);
        EXPECT_EQ(entry != LexiconMatrix::kNoEntry, together.count({s, t}) != 0) << s << ' ' << t;
        if (entry != LexiconMatrix::kNoEntry) used.insert(entry);
      }
    }
    EXPECT_EQ(used.size(), together.size());  // each its own
  }
}

TEST(LexiconMatrixTest, EstimatesAreRelativeFrequenciesByGenerator) {
  const Bitext bitext = RandomBitext(4);
  LexiconMatrix matrix(bitext, 1, 0);
  std::mt19937 random(9);
  std::map<uint32_t, std::array<float, 2>> counts;
  std::vector<double> source_sum(bitext.source.types());
  std::vector<double> target_sum(bitext.target.types());
  for (uint32_t s = 0; s < bitext.source.types(); ++s) {
    for (uint32_t t = 0; t < bitext.target.types(); ++t) {
      uint32_t entry = 0;
      matrix.Find({&s, 1}, {&t, 1}, &entry);
      if (entry == LexiconMatrix::kNoEntry) continue;
      matrix.counts(entry) = {static_cast<float>(1 + random() % 9), static_cast<float>(1 + random() % 9)};
      counts[entry] = matrix.counts(entry);
      source_sum[s] += static_cast<double>(counts[entry][kFromSource]);
      target_sum[t] += static_cast<double>(counts[entry][kFromTarget]);
    }
  }
  matrix.Estimate(0, 2);
  for (uint32_t s = 0; s < bitext.source.types(); ++s) {
    for (uint32_t t = 0; t < bitext.target.types(); ++t) {
      uint32_t entry = 0;
      matrix.Find({&s, 1}, {&t, 1}, &entry);
      if (entry == LexiconMatrix::kNoEntry) continue;
      EXPECT_NEAR(matrix.probabilities(entry)[kFromSource], counts[entry][kFromSource] / source_sum[s], 1e-6);
      EXPECT_NEAR(matrix.probabilities(entry)[kFromTarget], counts[entry][kFromTarget] / target_sum[t], 1e-6);
      EXPECT_EQ(matrix.counts(entry)[kFromSource], 0);
    }
  }
}

TEST(LexiconMatrixTest, ThePriorTakesFromRarePairs) {
  const Bitext bitext = MakeBitext({{{"a"}, {"x", "y"}}});
  LexiconMatrix matrix(bitext, 1, 0);
  for (uint32_t entry : {1u, 2u}) matrix.counts(entry) = {entry == 1 ? 9.0f : 0.5f, 1.0f};
  matrix.Estimate(0.1, 1);
  EXPECT_NEAR(matrix.probabilities(1)[kFromSource], ExpDigamma(9.1) / ExpDigamma(9.7), 1e-5);
  EXPECT_NEAR(matrix.probabilities(2)[kFromSource], ExpDigamma(0.6) / ExpDigamma(9.7), 1e-5);
  EXPECT_LT(matrix.probabilities(2)[kFromSource], 0.5 / 9.5);
}

TEST(ExpectedLogTest, EqualsTabulatedDigamma) {
  for (const auto& [x, digamma] : {std::pair(0.1, -10.4237549404),
                                   {0.5, -1.9635100260},
                                   {1.0, -0.5772156649},
                                   {2.0, 0.4227843351},
                                   {10.0, 2.2517525890},
                                   {100.0, 4.6001618527}})
    EXPECT_NEAR(ExpDigamma(x) / std::exp(digamma), 1, 1e-5) << x;
  EXPECT_GE(ExpDigamma(1e-12), 0);
}

}  // namespace
}  // namespace graft::engine
