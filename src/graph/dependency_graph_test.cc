#include "graph/dependency_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "graft/error.h"

namespace graft::engine {
namespace {

// The running example of the paper: 2010nian FIFA shijiebei zai Nanfei chenggong juxing.
const std::vector<int> kExampleHeads = {3, 3, 7, 7, 4, 7, 0};

// `3>1 3>2`, 1-based and sorted by head, then dependent; with labels `3>1:dep`.
std::string Edges(const DependencyGraph& graph, bool labels = false) {
  std::string edges;
  for (int from = 0; from < graph.size(); ++from) {
    graph.out(from).ForEach([&](int to) {
      if (!edges.empty()) edges += ' ';
      edges += std::to_string(from + 1) + ">" + std::to_string(to + 1);
      if (labels) edges += graph.dep_out(from).Contains(to) ? ":dep" : ":seq";
    });
  }
  return edges;
}

NodeSet Words(std::initializer_list<int> words) {
  NodeSet set;
  for (int word : words) set.Add(word - 1);
  return set;
}

TEST(DependencyGraphTest, TreeOfTheRunningExample) {
  EXPECT_EQ(Edges(DependencyGraph(GraphKind::kTree, 7, kExampleHeads)), "3>1 3>2 4>5 7>3 7>4 7>6");
}

TEST(DependencyGraphTest, BigramGraphOfTheRunningExample) {
  const DependencyGraph graph(GraphKind::kDbg, 7, kExampleHeads);
  EXPECT_EQ(Edges(graph, true), "2>1:seq 3>1:dep 3>2:dep 4>3:seq 4>5:dep 5>4:seq 6>5:seq 7>3:dep 7>4:dep 7>6:dep");
}

TEST(DependencyGraphTest, SiblingGraphOfTheRunningExample) {
  const DependencyGraph graph(GraphKind::kDsg, 7, kExampleHeads);
  EXPECT_EQ(Edges(graph, true), "2>1:seq 3>1:dep 3>2:dep 4>3:seq 4>5:dep 6>4:seq 7>3:dep 7>4:dep 7>6:dep");
}

TEST(DependencyGraphTest, UnionOfSiblingAndBigramGraphOfTheRunningExample) {
  const DependencyGraph graph(GraphKind::kUnion, 7, kExampleHeads);
  EXPECT_EQ(Edges(graph, true),
            "2>1:seq 3>1:dep 3>2:dep 4>3:seq 4>5:dep 5>4:seq 6>4:seq 6>5:seq 7>3:dep 7>4:dep 7>6:dep");
}

TEST(DependencyGraphTest, ChainAndNoneIgnoreHeads) {
  EXPECT_EQ(Edges(DependencyGraph(GraphKind::kChain, 4, {}), true), "2>1:seq 3>2:seq 4>3:seq");
  EXPECT_EQ(Edges(DependencyGraph(GraphKind::kNone, 4, {})), "");
  EXPECT_EQ(DependencyGraph(GraphKind::kNone, 4, {}).size(), 4);
}

TEST(DependencyGraphTest, InRowsMirrorOutRows) {
  for (GraphKind kind : {GraphKind::kChain, GraphKind::kTree, GraphKind::kDsg, GraphKind::kDbg, GraphKind::kUnion}) {
    const DependencyGraph graph(kind, 7, kExampleHeads);
    for (int a = 0; a < 7; ++a) {
      for (int b = 0; b < 7; ++b) {
        EXPECT_EQ(graph.HasEdge(a, b), graph.in(b).Contains(a));
        EXPECT_EQ(graph.dep_out(a).Contains(b), graph.dep_in(b).Contains(a));
        EXPECT_EQ(graph.neighbours(a).Contains(b), graph.HasEdge(a, b) || graph.HasEdge(b, a));
      }
    }
  }
}

TEST(DependencyGraphTest, ConnectednessOfTheRunningExample) {
  const DependencyGraph tree(GraphKind::kTree, 7, kExampleHeads);
  const DependencyGraph dsg(GraphKind::kDsg, 7, kExampleHeads);
  const DependencyGraph dbg(GraphKind::kDbg, 7, kExampleHeads);
  const auto connected = [&](const NodeSet& set) {
    return std::vector<bool>{tree.IsConnected(set), dsg.IsConnected(set), dbg.IsConnected(set)};
  };
  using testing::ElementsAre;
  EXPECT_THAT(connected(Words({5, 6})), ElementsAre(false, false, true));
  EXPECT_THAT(connected(Words({4, 6})), ElementsAre(false, true, false));
  EXPECT_THAT(connected(Words({1, 3, 4, 5})), ElementsAre(false, true, true));
  EXPECT_THAT(connected(Words({1, 2, 3, 4, 5, 6, 7})), ElementsAre(true, true, true));
  EXPECT_THAT(connected(Words({2})), ElementsAre(true, true, true));
  EXPECT_THAT(connected(NodeSet()), ElementsAre(false, false, false));
  EXPECT_TRUE(dbg.IsConnectedByDependencies(Words({3, 4, 5, 7})));
  EXPECT_FALSE(dbg.IsConnectedByDependencies(Words({1, 2})));
  EXPECT_FALSE(dbg.IsConnectedByDependencies(NodeSet()));
}

TEST(DependencyGraphTest, RootsAreSiblings) {
  const std::vector<int> heads = {0, 1, 0, 0};
  EXPECT_EQ(Edges(DependencyGraph(GraphKind::kTree, 4, heads)), "1>2");
  EXPECT_EQ(Edges(DependencyGraph(GraphKind::kDsg, 4, heads), true), "1>2:dep 3>1:seq 4>3:seq");
  EXPECT_FALSE(DependencyGraph(GraphKind::kTree, 4, heads).IsConnected(NodeSet::Range(0, 3)));
  EXPECT_TRUE(DependencyGraph(GraphKind::kDsg, 4, heads).IsConnected(NodeSet::Range(0, 3)));
}

TEST(DependencyGraphTest, LongSentencesCrossWordBoundariesOfTheSet) {
  constexpr int kWords = NodeSet::kCapacity;
  std::vector<int> heads(kWords, 1);
  heads[0] = 0;
  const DependencyGraph graph(GraphKind::kDbg, kWords, heads);
  EXPECT_TRUE(graph.IsConnected(NodeSet::Range(1, kWords - 1)));
  EXPECT_FALSE(graph.IsConnected(NodeSet::Range(1, 100) | NodeSet::Range(102, kWords - 1)));
  EXPECT_TRUE(graph.IsConnected(NodeSet::Of(0) | NodeSet::Range(1, 100) | NodeSet::Range(102, kWords - 1)));
}

TEST(DependencyGraphTest, WhatDoesNotFitIsAnError) {
  EXPECT_THROW(DependencyGraph(GraphKind::kChain, NodeSet::kCapacity + 1, {}), Error);
  EXPECT_THROW(DependencyGraph(GraphKind::kTree, 3, {}), Error);
}

}  // namespace
}  // namespace graft::engine
