#include "combine/combiner.h"

#include <gtest/gtest.h>

namespace graft::engine {
namespace {

TEST(ListOfTest, ScoresAreThoseOfWeightsThatSumToOne) {
  const SystemSpec system = MakeSystemSpec({{"name", "pbmt"}});
  FeatureVector weights{};
  weights[kLanguageModel] = 3;
  weights[kWordPenalty] = -1;
  weights[kGlue] = 50;         // a feature that the system does not have
  weights[kUnknownWord] = 20;  // never tuned
  Translation translation;
  translation.tokens = {"a"};
  translation.score = -2;
  const ScoredList list = ListOf(system, weights, {translation});
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].tokens, translation.tokens);
  EXPECT_EQ(list[0].score, -0.5);
  EXPECT_EQ(ListOf(system, FeatureVector{}, {translation})[0].score, -2);
}

}  // namespace
}  // namespace graft::engine
