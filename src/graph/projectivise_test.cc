#include "graph/projectivise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <vector>

#include "graft/error.h"
#include "support/cpu_time.h"

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

// Each word hangs on one of the `reach` before it in a random order: 1 is a chain of random words.
Heads RandomTree(int words, int reach, std::mt19937* random) {
  std::vector<int> order(words);
  for (int w = 0; w < words; ++w) order[w] = w + 1;
  std::shuffle(order.begin(), order.end(), *random);
  Heads heads(words, 0);
  for (int k = 1; k < words; ++k)
    heads[order[k] - 1] = order[k - 1 - static_cast<int>((*random)() % std::min(k, reach))];
  return heads;
}

TEST(ProjectiviseTest, EqualsTheDefinitionOnDeepTrees) {
  std::mt19937 random(2);
  for (int round = 0; round < 300; ++round) {
    const Heads heads = RandomTree(10 + round % 30, 1 + round % 4, &random);
    ASSERT_EQ(Projective(heads), ByDefinition(heads)) << testing::PrintToString(heads);
  }
}

// How the words of a chain may follow each other: each head is the word before.
using Order = std::vector<int>;

Heads Chain(const Order& order) {
  Heads heads(order.size(), 0);
  for (size_t k = 1; k < order.size(); ++k) heads[order[k] - 1] = order[k - 1];
  return heads;
}

// Of each of `parts` equal parts in turn a word: where `there_and_back`, every second part is taken from its end.
Order Interleaved(int words, int parts, bool there_and_back) {
  Order order;
  const int size = words / parts;
  for (int k = 0; k < size; ++k)
    for (int part = 0; part < parts; ++part)
      order.push_back(there_and_back && part % 2 == 1 ? (part + 1) * size - k : part * size + k + 1);
  return order;
}

// Every stride-th word, then those after them, and so on.
Order Strides(int words, int stride) {
  Order order;
  for (int first = 1; first <= stride; ++first)
    for (int w = first; w <= words; w += stride) order.push_back(w);
  return order;
}

// All of these, and the same from their ends.
std::vector<Order> WorstOrders(int words) {
  std::vector<Order> orders;
  for (const int parts : {2, 5}) {
    orders.push_back(Interleaved(words, parts, false));
    orders.push_back(Interleaved(words, parts, true));
    orders.push_back(Strides(words, parts));
  }
  for (size_t k = orders.size(); k-- > 0;) orders.emplace_back(orders[k].rbegin(), orders[k].rend());
  return orders;
}

TEST(ProjectiviseTest, EqualsTheDefinitionOnInterleavedChains) {
  for (const int words : {20, 40, 80})
    for (const Order& order : WorstOrders(words))
      ASSERT_EQ(Projective(Chain(order)), ByDefinition(Chain(order))) << testing::PrintToString(order);
  std::mt19937 random(4);
  for (int round = 0; round < 2'000; ++round) {
    std::vector<Order> orders = WorstOrders(20);
    Heads heads = Chain(orders[random() % orders.size()]);
    for (int change = 0; change < round % 5; ++change) {  // roots, and some farther up
      int& head = heads[random() % heads.size()];
      if (head != 0) head = random() % 3 == 0 ? 0 : heads[head - 1];
    }
    ASSERT_EQ(Projective(heads), ByDefinition(heads)) << testing::PrintToString(heads);
  }
}

// Chains that take millions of lifts, some of which leave long arcs across everything.
TEST(ProjectiviseTest, InterleavedChainsOfManyWordsTakeSeconds) {
  for (const Order& order : WorstOrders(10'000)) {
    Heads heads = Chain(order);
    const double start = CpuSeconds();
    Projectivise(&heads);
    EXPECT_LT(CpuSeconds() - start, 15 * kSlowness) << order[0] << ' ' << order[1];
    EXPECT_FALSE(Projectivise(&heads)) << "it is projective now";
  }
}

TEST(ProjectiviseTest, ATreeThatWouldTakeTooMuchMemoryIsRefused) {
  Heads comb, chain;
  for (int w = 1; w <= 200'000; ++w) {
    comb.push_back(std::max(w - 2, 0));
    chain.push_back(w - 1);
  }
  EXPECT_FALSE(Projectivise(&chain));
  EXPECT_THROW(Projectivise(&comb), Error);
}

TEST(ProjectiviseTest, DeepAndWideTreesOfManyWordsTakeSeconds) {
  constexpr int kWords = 10'000;
  std::mt19937 random(3);
  Heads chain, backwards, star(kWords, kWords / 2), crossed(kWords, 1), comb;
  star[kWords / 2 - 1] = 0;
  crossed[0] = 0;
  for (int w = 1; w <= kWords; ++w) {
    chain.push_back(w - 1);
    backwards.push_back(w == kWords ? 0 : w + 1);
    comb.push_back(w <= 2 ? 0 : w - 2);  // two chains, word by word
    if (w > 2 && w % 2 == 0) crossed[w - 1] = w - 1;
  }
  crossed[1] = kWords;  // across everything
  for (Heads heads : {chain, backwards, star}) EXPECT_FALSE(Projectivise(&heads));
  for (Heads heads : {comb, crossed, RandomTree(kWords, 1, &random), RandomTree(kWords, 3, &random),
                      RandomTree(kWords, 100, &random), RandomTree(kWords, kWords, &random)}) {
    const double start = CpuSeconds();
    EXPECT_TRUE(Projectivise(&heads));
    EXPECT_LT(CpuSeconds() - start, 30 * kSlowness);
    EXPECT_FALSE(Projectivise(&heads)) << "it is projective now";
  }
}

TEST(ProjectiviseTest, EndsWhenItIsOutOfTime) {
  const StopCheck late({}, StopCheck::Clock::now() - std::chrono::seconds(1));
  Heads projective = {2, 0};
  EXPECT_FALSE(Projectivise(&projective, late)) << "there is nothing to do";
  Heads crossing = {2, 4, 4, 0, 2, 7, 5, 4};
  EXPECT_THROW(Projectivise(&crossing, late), Stopped);
}

}  // namespace
}  // namespace graft::engine
