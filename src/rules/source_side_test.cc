#include "rules/source_side.h"

#include <gtest/gtest.h>

#include <random>

namespace graft::engine {
namespace {

using Sets = std::vector<NodeSet>;

NodeSet Set(std::initializer_list<int> positions) {
  NodeSet set;
  for (int position : positions) set.Add(position);
  return set;
}

// The running example of the paper, 0-based: 2010nian FIFA shijiebei zai Nanfei chenggong juxing.
const std::vector<int> kHeads = {3, 3, 7, 7, 4, 7, 0};

uint32_t Of(SignatureKind kind, const DependencyGraph& graph, const Sets& earlier, const NodeSet& next) {
  return Signature(kind, std::span<const NodeSet>(earlier), RowsOf(graph, next));
}

TEST(SourceSideTest, ANonTerminalHasTheEdgesOfItsWords) {
  // The paper's `X1 zai Nanfei X2`, X1 = {1,2,3,7}, X2 = {6}: 0>1 0>3 1>0 1>2 2>1 3>2.
  const DependencyGraph dbg(GraphKind::kDbg, 7, kHeads);
  const NodeSet x1 = Set({0, 1, 2, 6}), zai = Set({3}), nanfei = Set({4}), x2 = Set({5});
  EXPECT_EQ(Of(SignatureKind::kEdges, dbg, {}, x1), 0u);
  EXPECT_EQ(Of(SignatureKind::kEdges, dbg, {x1}, zai), 0b11u);
  EXPECT_EQ(Of(SignatureKind::kEdges, dbg, {x1, zai}, nanfei), 0b1100u);
  EXPECT_EQ(Of(SignatureKind::kEdges, dbg, {x1, zai, nanfei}, x2), 0b100001u);
}

TEST(SourceSideTest, AContractedEdgeIsADependencyIfOneOfItsEdgesIs) {
  const DependencyGraph dbg(GraphKind::kDbg, 7, kHeads);
  // juxing → zai and chenggong → Nanfei are dep and seq: {chenggong, juxing} → {zai, Nanfei} is dep.
  EXPECT_EQ(Of(SignatureKind::kLabelledEdges, dbg, {Set({3, 4})}, Set({5, 6})), 0b0100u);
  EXPECT_EQ(Of(SignatureKind::kLabelledEdges, dbg, {Set({4})}, Set({5, 6})), 0b1000u);
  // zai → shijiebei is seq, juxing → shijiebei dep; towards a word and away from it alike.
  EXPECT_EQ(Of(SignatureKind::kLabelledEdges, dbg, {Set({2})}, Set({3, 4})), 0b1000u);
  EXPECT_EQ(Of(SignatureKind::kLabelledEdges, dbg, {Set({2, 6})}, Set({3})), 0b1001u);
}

TEST(SourceSideTest, NodesAreNumberedByFirstOccurrence) {
  // `shijiebei [X,1] chenggong juxing`, X = {zai, Nanfei}: 0>1 0>2 0>3 4>0.
  const DependencyEdgeGraph deg(7, kHeads);
  NodeNumbers nodes;
  EXPECT_EQ(nodes.Signature(deg.OfWord(2)), 0u);
  EXPECT_EQ(nodes.Signature(deg.OfSpan(3, 4).value()), 0u << 5 | 2u);
  EXPECT_EQ(nodes.Signature(deg.OfWord(5)), 0u << 5 | 3u);
  const int before = nodes.count();
  EXPECT_EQ(nodes.Signature(deg.OfWord(6)), 4u << 5 | 0u);
  EXPECT_EQ(NodeNumbers::EndsOf(3, 4u << 5), (EdgeEnds{4, 0}));
  EXPECT_EQ(NodeNumbers::EndsOf(0, 0), (EdgeEnds{0, 1}));
  // A symbol taken away leaves no number behind.
  nodes.Forget(before);
  EXPECT_EQ(nodes.Signature(deg.OfWord(0)), 1u << 5 | 4u);
}

TEST(SourceSideTest, SingleWordsHaveTheSignaturesOfWords) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    const int words = 2 + static_cast<int>(random() % 7);
    std::vector<int> heads(1, 0);
    for (int i = 1; i < words; ++i) heads.push_back(static_cast<int>(random() % static_cast<unsigned>(i)) + 1);
    for (GraphKind graph_kind : {GraphKind::kTree, GraphKind::kDsg, GraphKind::kDbg}) {
      const DependencyGraph graph(graph_kind, words, heads);
      Sets earlier;
      std::vector<uint32_t> earlier_masks;
      std::vector<int> positions;
      for (int i = 0; i < words; ++i) {
        for (SignatureKind kind : {SignatureKind::kNone, SignatureKind::kEdges, SignatureKind::kLabelledEdges}) {
          const uint32_t expected = Signature(kind, graph, positions, i);
          EXPECT_EQ(Of(kind, graph, earlier, Set({i})), expected);
          const auto mask = [](const NodeSet& set) { return static_cast<uint32_t>(set.word(0)); };
          const SymbolRows<uint32_t> rows{1u << i, mask(graph.out(i)), mask(graph.in(i)), mask(graph.dep_out(i)),
                                          mask(graph.dep_in(i))};
          EXPECT_EQ(Signature(kind, std::span<const uint32_t>(earlier_masks), rows), expected);
        }
        earlier.push_back(Set({i}));
        earlier_masks.push_back(1u << i);
        positions.push_back(i);
      }
    }
  }
}

TEST(SourceSideTest, RolesTellTheHeadBack) {
  for (size_t size = 1; size <= 5; ++size) {
    std::vector<SourceSymbol> source(size, {7, 9});
    SetRoles(kNoHeadSymbol, source);
    EXPECT_EQ(HeadSymbol(source), kNoHeadSymbol);
    for (int head = 0; size > 1 && head < static_cast<int>(size); ++head) {
      SetRoles(head, source);
      EXPECT_EQ(source[0].signature, kNoRole);
      EXPECT_EQ(HeadSymbol(source), head);
    }
  }
}

}  // namespace
}  // namespace graft::engine
