#include "graph/projectivise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

namespace graft::engine {
namespace {

using Heads = std::vector<int>;

Heads Projective(Heads heads) {
  Projectivise(&heads);
  return heads;
}

// The definition, word by word.
bool IsDescendant(const Heads& heads, int word, int of) {
  while (word != 0 && word != of) word = heads[word - 1];
  return word == of;
}

bool IsProjectiveArc(const Heads& heads, int dependent) {
  const int head = heads[dependent - 1];
  for (int w = std::min(head, dependent) + 1; w < std::max(head, dependent); ++w)
    if (!IsDescendant(heads, w, head)) return false;
  return true;
}

Heads ByDefinition(Heads heads) {
  for (;;) {
    int lift = 0;
    for (int d = 1; d <= static_cast<int>(heads.size()); ++d) {
      if (heads[d - 1] == 0 || IsProjectiveArc(heads, d)) continue;
      if (lift == 0 || std::abs(heads[d - 1] - d) < std::abs(heads[lift - 1] - lift)) lift = d;
    }
    if (lift == 0) return heads;
    heads[lift - 1] = heads[heads[lift - 1] - 1];
  }
}

TEST(ProjectiviseTest, ProjectiveTreesStay) {
  Heads heads = {3, 3, 7, 7, 4, 7, 0};
  EXPECT_FALSE(Projectivise(&heads));
  EXPECT_EQ(heads, (Heads{3, 3, 7, 7, 4, 7, 0}));
  Heads empty;
  EXPECT_FALSE(Projectivise(&empty));
}

TEST(ProjectiviseTest, LiftsACrossingArc) {
  // A hearing is scheduled on the issue today: "on the issue" hangs on "hearing" across the verb.
  Heads heads = {2, 4, 4, 0, 2, 7, 5, 4};
  EXPECT_TRUE(Projectivise(&heads));
  EXPECT_EQ(heads, (Heads{2, 4, 4, 0, 4, 7, 5, 4}));
}

TEST(ProjectiviseTest, ShortestArcFirstAndSmallestDependentOnTies) {
  // Arcs 3→1 and 4→2 cross and are equally long: only the one of word 1 is lifted.
  EXPECT_EQ(Projective({3, 4, 4, 0}), (Heads{4, 4, 4, 0}));
}

TEST(ProjectiviseTest, ArcsOfRootsAreNotLifted) {
  // Word 2 is a root inside the arc 3→1; the arc is lifted to a root, the root stays.
  EXPECT_EQ(Projective({3, 0, 0}), (Heads{0, 0, 0}));
}

TEST(ProjectiviseTest, LiftsUntilNothingCrosses) {
  EXPECT_EQ(Projective({4, 3, 5, 3, 0}), ByDefinition({4, 3, 5, 3, 0}));
}

TEST(ProjectiviseTest, EqualsTheDefinitionOnRandomTrees) {
  std::mt19937 random(1);
  for (int round = 0; round < 20'000; ++round) {
    const int words = 1 + static_cast<int>(random() % 12);
    // Words in random order; each hangs on an earlier one of that order or is a root.
    std::vector<int> order(words);
    for (int w = 0; w < words; ++w) order[w] = w + 1;
    std::shuffle(order.begin(), order.end(), random);
    Heads heads(words, 0);
    for (int k = 1; k < words; ++k)
      if (random() % 8 != 0) heads[order[k] - 1] = order[random() % k];
    const Heads expected = ByDefinition(heads);
    Heads actual = heads;
    EXPECT_EQ(Projectivise(&actual), heads != expected);
    ASSERT_EQ(actual, expected) << testing::PrintToString(heads);
    for (int d = 1; d <= words; ++d) ASSERT_TRUE(actual[d - 1] == 0 || IsProjectiveArc(actual, d));
  }
}

}  // namespace
}  // namespace graft::engine
