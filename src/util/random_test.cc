#include "util/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

namespace graft::engine {
namespace {

TEST(SplitMixTest, GivesThePublishedSequence) {
  SplitMix random(1234567);
  for (const uint64_t expected : {6457827717110365317ull, 3203168211198807973ull, 9817491932198370423ull,
                                  4593380528125082431ull, 16408922859458223821ull})
    EXPECT_EQ(random.Next(), expected);
}

TEST(SplitMixTest, BelowIsUniform) {
  SplitMix random(3);
  std::array<int, 7> seen{};
  for (int i = 0; i < 70'000; ++i) {
    const uint64_t value = random.Below(7);
    ASSERT_LT(value, 7u);
    ++seen[value];
  }
  for (const int count : seen) EXPECT_NEAR(count, 10'000, 500);
}

TEST(ShuffleTest, EveryPermutationIsAsLikely) {
  SplitMix random(5);
  std::map<std::vector<int>, int> seen;
  for (int i = 0; i < 24'000; ++i) {
    std::vector<int> items = {0, 1, 2, 3};
    Shuffle(&items, &random);
    ++seen[items];
  }
  ASSERT_EQ(seen.size(), 24u);
  for (const auto& [items, count] : seen) EXPECT_NEAR(count, 1000, 200);
}

TEST(ShuffleTest, FewItemsAreLeftAlone) {
  SplitMix random(5);
  std::vector<int> none;
  Shuffle(&none, &random);
  std::vector<int> one = {7};
  Shuffle(&one, &random);
  EXPECT_EQ(one, std::vector<int>{7});
}

}  // namespace
}  // namespace graft::engine
