#include "graph/dependency_edge_graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>

#include "graft/error.h"

namespace graft::engine {
namespace {

// The running example of the paper: 2010nian FIFA shijiebei zai Nanfei chenggong juxing.
const std::vector<int> kExampleHeads = {3, 3, 7, 7, 4, 7, 0};

TEST(DependencyEdgeGraphTest, UnitsOfThePapersExample) {
  const DependencyEdgeGraph graph(7, kExampleHeads);
  std::string units;
  for (int length = 2; length <= 7; ++length)
    for (int first = 1; first + length <= 8; ++first)
      if (graph.OfSpan(first - 1, first + length - 2))
        units += std::to_string(first) + "-" + std::to_string(first + length - 1) + " ";
  EXPECT_EQ(units, "1-2 2-3 4-5 6-7 1-3 3-5 4-6 1-4 2-5 3-6 4-7 1-5 2-6 3-7 1-6 2-7 1-7 ");
}

TEST(DependencyEdgeGraphTest, ANonTerminalLeadsFromTheRootNodeToTheOpenNode) {
  const DependencyEdgeGraph graph(7, kExampleHeads);
  EXPECT_EQ(graph.OfWord(0), (EdgeEnds{3, 1}));
  EXPECT_EQ(graph.OfWord(6), (EdgeEnds{0, 7}));
  EXPECT_EQ(graph.OfSpan(5, 6), (EdgeEnds{0, 7})) << "juxing has dependents outside";
  EXPECT_EQ(graph.OfSpan(1, 2), (EdgeEnds{7, 3})) << "2010nian hangs on shijiebei";
  EXPECT_EQ(graph.OfSpan(3, 4)->start, 7);
  EXPECT_EQ(graph.OfSpan(3, 4)->end, 4) << "no node is open: one of the unit's own";
  EXPECT_EQ(graph.OfSpan(2, 3), std::nullopt) << "shijiebei and zai both have dependents outside";
  EXPECT_EQ(graph.OfSpan(4, 5), std::nullopt) << "Nanfei and chenggong do not meet";
  for (int word = 0; word < 7; ++word) EXPECT_EQ(graph.OfSpan(word, word), graph.OfWord(word));
}

TEST(DependencyEdgeGraphTest, RootsMeetInNodeZero) {
  const DependencyEdgeGraph graph(4, {0, 1, 0, 0});
  EXPECT_EQ(graph.OfSpan(0, 3), (EdgeEnds{0, 1}));
  EXPECT_EQ(graph.OfSpan(2, 3), (EdgeEnds{0, 3}));
  EXPECT_EQ(graph.OfSpan(1, 2), std::nullopt);
}

TEST(DependencyEdgeGraphTest, EqualsTheDefinitionOnRandomTrees) {
  std::mt19937 random(17);
  int units = 0;
  for (int round = 0; round < 2000; ++round) {
    const int words = 1 + static_cast<int>(random() % 9);
    std::vector<int> order, heads(static_cast<size_t>(words), 0);
    for (int i = 1; i <= words; ++i) order.push_back(i);
    std::shuffle(order.begin(), order.end(), random);
    for (size_t i = 1; i < order.size(); ++i)
      if (random() % 6 != 0) heads[static_cast<size_t>(order[i]) - 1] = order[random() % i];
    const DependencyEdgeGraph graph(words, heads);
    for (int first = 0; first < words; ++first)
      for (int last = first; last < words; ++last) {
        std::set<int> inside, outside, starts, ends;
        for (int word = 0; word < words; ++word) {
          const int head = heads[static_cast<size_t>(word)];
          const bool member = first <= word && word <= last;
          (member ? inside : outside).insert({head, word + 1});
          if (member) starts.insert(head), ends.insert(word + 1);
        }
        std::set<int> roots, open;
        for (int node : starts)
          if (ends.count(node) == 0) roots.insert(node);
        for (int node : inside)
          if (outside.count(node) != 0 && roots.count(node) == 0) open.insert(node);
        const auto found = graph.OfSpan(first, last);
        ASSERT_EQ(found.has_value(), roots.size() == 1 && open.size() <= 1);
        if (!found) continue;
        ++units;
        ASSERT_EQ(found->start, *roots.begin());
        if (open.empty())
          ASSERT_TRUE(ends.count(found->end) != 0 && outside.count(found->end) == 0);
        else
          ASSERT_EQ(found->end, *open.begin());
      }
  }
  EXPECT_GT(units, 10000);
}

TEST(DependencyEdgeGraphTest, NeedsAHeadForEveryWord) { EXPECT_THROW(DependencyEdgeGraph(3, {}), Error); }

}  // namespace
}  // namespace graft::engine
