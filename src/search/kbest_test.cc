#include "search/kbest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace graft::engine {
namespace {

// A random hypergraph with up to three tails an edge, in topological order.
Hypergraph RandomGraph(std::mt19937* random) {
  Hypergraph graph;
  const uint32_t nodes = 2 + (*random)() % 6;
  std::uniform_real_distribution<float> score(-4, 0);
  for (uint32_t n = 0; n < nodes; ++n) {
    HyperNode node{static_cast<uint32_t>(graph.edges.size()), 0};
    const uint32_t edges = 1 + (*random)() % 3;
    for (uint32_t e = 0; e < edges; ++e) {
      HyperEdge edge;
      edge.first_tail = static_cast<uint32_t>(graph.tails.size());
      edge.tail_count = n == 0 ? 0 : (*random)() % 4;
      for (uint32_t t = 0; t < edge.tail_count; ++t) graph.tails.push_back((*random)() % n);
      edge.score = score(*random);
      graph.edges.push_back(edge);
      ++node.edge_count;
    }
    graph.nodes.push_back(node);
  }
  return graph;
}

std::vector<double> AllScores(const Hypergraph& graph, uint32_t node) {
  std::vector<double> all;
  for (const HyperEdge& edge : graph.EdgesOf(node)) {
    std::vector<double> sums{edge.score};
    for (uint32_t tail : graph.TailsOf(edge)) {
      std::vector<double> grown;
      for (double left : sums)
        for (double right : AllScores(graph, tail)) grown.push_back(left + right);
      sums = std::move(grown);
    }
    all.insert(all.end(), sums.begin(), sums.end());
  }
  return all;
}

TEST(KBestTest, ListsEveryDerivationOnceBestFirst) {
  std::mt19937 random(5);
  int compared = 0;
  for (int round = 0; round < 500; ++round) {
    const Hypergraph graph = RandomGraph(&random);
    const uint64_t count = CountDerivations(graph);
    if (count > 20'000) continue;
    std::vector<double> expected = AllScores(graph, graph.goal());
    std::sort(expected.begin(), expected.end(), std::greater<>());
    ASSERT_EQ(count, expected.size());
    KBest kbest(graph);
    std::vector<const HyperEdge*> edges;
    float score = 0;
    uint32_t rank = 0;
    for (; kbest.Get(rank, &edges, &score); ++rank) {
      ASSERT_NEAR(score, expected[rank], 1e-3);
      double sum = 0;
      for (const HyperEdge* edge : edges) sum += edge->score;
      ASSERT_NEAR(sum, score, 1e-3);
    }
    ASSERT_EQ(rank, count);
    ++compared;
  }
  EXPECT_GT(compared, 300);
}

TEST(KBestTest, AnEmptyGraphHasNoDerivation) {
  const Hypergraph graph;
  KBest kbest(graph);
  std::vector<const HyperEdge*> edges;
  float score = 0;
  EXPECT_FALSE(kbest.Get(0, &edges, &score));
  EXPECT_EQ(CountDerivations(graph), 0u);
}

}  // namespace
}  // namespace graft::engine
