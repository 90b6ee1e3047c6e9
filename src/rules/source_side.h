// Canonical form of a rule's source side: symbols in word order, each with its signature towards the earlier symbols.
// Nodes are ordered and subgraphs node-induced, so the signature sequence is the whole induced edge set: two sources
// are equal iff symbols and signatures are.
//
// Signature of symbol k, by kind:
//   kNone           0
//   kGap            1 if a gap lies before the symbol, else 0 (SDTU's `[*]`; no symbol of its own)
//   kEdges          for each earlier symbol u bits 2u: edge u→k, 2u+1: edge k→u
//   kLabelledEdges  for each earlier symbol u bits 4u: u→k is dep, 4u+1: u→k is seq, 4u+2: k→u is dep, 4u+3: k→u is seq
//   kNodes          symbols are edges (dependency_edge_graph.h): bits 5-9 the node that k starts from, bits 0-4 the one
//                   it leads to, numbered by first occurrence in start₀, end₀, start₁, end₁, …; 0 for the first symbol,
//                   which is always 0→1
//   kRole           see SymbolRole
//
// Contraction (paper, Section 6): a non-terminal stands for a set of words, its place in the order is that of the first
// of them. It has an edge to or from another symbol iff one of its words has; the edge is dep if one of the edges it
// stands for is. Training and search both take signatures from here.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "graph/dependency_edge_graph.h"
#include "graph/dependency_graph.h"
#include "rules/system_spec.h"

namespace graft::engine {

// A word id, or a label id with kLabelBit set (non-terminals).
using SourceSymbolId = uint32_t;
inline constexpr SourceSymbolId kLabelBit = 1u << 31;

struct SourceSymbol {
  SourceSymbolId symbol;
  uint32_t signature;
  friend auto operator<=>(const SourceSymbol&, const SourceSymbol&) = default;
};

// Longest source side the signatures have room for.
inline constexpr int kMaxSourceSymbols = 16;
inline constexpr int kMaxLabelledSymbols = 8;
// Most non-terminals of a rule: what target symbols have numbers for (rule.h).
inline constexpr int kMaxNonTerminals = 15;

// Where a symbol stands towards the head of its block; the head-position symbol is the head or an inner block. The
// signature of a symbol is its role, but 0 for the first symbol as in every kind (the second tells: after the head or
// not, in a structure or not).
//
// Variables are non-terminals whose labels say what they are constrained by: `w=` and a word, or `p=` and a tag.
enum SymbolRole : uint32_t {
  kNoRole = 0,  // head rules, phrases, blocks without their head
  kBeforeHead = 1,
  kHeadPosition = 2,
  kAfterHead = 3,
};
inline constexpr std::string_view kWordLabelPrefix = "w=";
inline constexpr std::string_view kTagLabelPrefix = "p=";

inline constexpr int kNoHeadSymbol = -1;
// `head`: the head-position symbol, or kNoHeadSymbol.
inline void SetRoles(int head, std::span<SourceSymbol> source) {
  for (size_t k = 0; k < source.size(); ++k) {
    const int place = static_cast<int>(k);
    source[k].signature = head == kNoHeadSymbol || k == 0 ? kNoRole
                          : place < head                  ? kBeforeHead
                          : place == head                 ? kHeadPosition
                                                          : kAfterHead;
  }
}
// The reverse.
inline int HeadSymbol(std::span<const SourceSymbol> source) {
  if (source.size() < 2 || source[1].signature == kNoRole) return kNoHeadSymbol;
  int head = 1;
  while (head < static_cast<int>(source.size()) && source[static_cast<size_t>(head)].signature == kBeforeHead) ++head;
  return source[1].signature == kAfterHead ? 0 : head;
}

// The signature of position `next` towards the earlier positions of a unit (ascending, all < next). Inline: the inner
// step of matching.
inline uint32_t EdgeSignature(const DependencyGraph& graph, std::span<const int> earlier, int next) {
  uint32_t signature = 0;
  const NodeSet& in = graph.in(next);
  const NodeSet& out = graph.out(next);
  for (size_t u = 0; u < earlier.size(); ++u)
    signature |= (uint32_t{in.Contains(earlier[u])} | uint32_t{out.Contains(earlier[u])} << 1) << (2 * u);
  return signature;
}

inline uint32_t LabelledEdgeSignature(const DependencyGraph& graph, std::span<const int> earlier, int next) {
  uint32_t signature = 0;
  for (size_t u = 0; u < earlier.size(); ++u) {
    uint32_t bits = 0;
    if (graph.in(next).Contains(earlier[u])) bits |= graph.dep_in(next).Contains(earlier[u]) ? 1u : 2u;
    if (graph.out(next).Contains(earlier[u])) bits |= graph.dep_out(next).Contains(earlier[u]) ? 4u : 8u;
    signature |= bits << (4 * u);
  }
  return signature;
}

inline uint32_t Signature(SignatureKind kind, const DependencyGraph& graph, std::span<const int> earlier, int next) {
  switch (kind) {
    case SignatureKind::kNone: return 0;
    case SignatureKind::kGap: return !earlier.empty() && next > earlier.back() + 1 ? 1 : 0;
    case SignatureKind::kEdges: return EdgeSignature(graph, earlier, next);
    case SignatureKind::kLabelledEdges: return LabelledEdgeSignature(graph, earlier, next);
    case SignatureKind::kNodes: break;          // of edges, not of words: NodeNumbers
    case SignatureKind::kRole: return kNoRole;  // of a word in a phrase
  }
  return 0;
}

inline bool HasWordEdges(SignatureKind kind) {
  return kind == SignatureKind::kEdges || kind == SignatureKind::kLabelledEdges;
}

inline bool Intersect(const NodeSet& a, const NodeSet& b) { return a.Intersects(b); }
inline bool Intersect(uint32_t a, uint32_t b) { return (a & b) != 0; }
inline bool Intersect(uint64_t a, uint64_t b) { return (a & b) != 0; }

// A symbol: the words it stands for (one, or those under a non-terminal) and the words its edges lead to and come from.
// Set: NodeSet, or uint32_t or uint64_t where the words at hand are few enough to be numbered anew.
template <class Set>
struct SymbolRows {
  Set words{};
  Set out{}, in{};          // all edges
  Set dep_out{}, dep_in{};  // the dependency edges among them

  SymbolRows& operator|=(const SymbolRows& other) {
    words |= other.words;
    out |= other.out;
    in |= other.in;
    dep_out |= other.dep_out;
    dep_in |= other.dep_in;
    return *this;
  }
};

inline SymbolRows<NodeSet> RowsOf(const DependencyGraph& graph, int word) {
  return {NodeSet::Of(word), graph.out(word), graph.in(word), graph.dep_out(word), graph.dep_in(word)};
}
inline SymbolRows<NodeSet> RowsOf(const DependencyGraph& graph, const NodeSet& words) {
  SymbolRows<NodeSet> rows;
  words.ForEach([&](int word) { rows |= RowsOf(graph, word); });
  return rows;
}

// The signature of `next` towards the words of the earlier symbols, all disjoint. For words only it is what
// Signature(kind, graph, …) gives, except that kGap, which no system with non-terminals has, and kNodes are 0.
template <class Set>
uint32_t Signature(SignatureKind kind, std::span<const Set> earlier, const SymbolRows<Set>& next) {
  uint32_t signature = 0;
  if (kind == SignatureKind::kEdges) {
    for (size_t u = 0; u < earlier.size(); ++u)
      signature |= (uint32_t{Intersect(next.in, earlier[u])} | uint32_t{Intersect(next.out, earlier[u])} << 1)
                   << (2 * u);
  } else if (kind == SignatureKind::kLabelledEdges) {
    for (size_t u = 0; u < earlier.size(); ++u) {
      uint32_t bits = 0;
      if (Intersect(next.in, earlier[u])) bits |= Intersect(next.dep_in, earlier[u]) ? 1u : 2u;
      if (Intersect(next.out, earlier[u])) bits |= Intersect(next.dep_out, earlier[u]) ? 4u : 8u;
      signature |= bits << (4 * u);
    }
  }
  return signature;
}

// Signatures of the kind kNodes, symbol by symbol. Node numbers stay below 32, so different nodes never share one.
class NodeNumbers {
 public:
  static constexpr int kBits = 5;

  // Of the next symbol.
  uint32_t Signature(const EdgeEnds& edge) {
    const bool first = count_ == 0;
    const uint32_t start = NumberOf(edge.start), end = NumberOf(edge.end);
    return first ? 0 : start << kBits | end;
  }

  // How many nodes there are, to go back to that many when symbols are taken away again.
  int count() const { return count_; }
  void Forget(int count) { count_ = count; }

  // Numbers of the nodes of symbol k.
  static EdgeEnds EndsOf(size_t k, uint32_t signature) {
    if (k == 0) return {0, 1};
    return {static_cast<int>(signature >> kBits), static_cast<int>(signature & ((1u << kBits) - 1))};
  }

 private:
  uint32_t NumberOf(int node) {
    int number = 0;
    while (number < count_ && nodes_[static_cast<size_t>(number)] != node) ++number;
    if (number == count_) nodes_[static_cast<size_t>(count_++)] = node;
    return static_cast<uint32_t>(number);
  }

  std::array<int, 2 * kMaxSourceSymbols> nodes_{};
  int count_ = 0;
  static_assert(2 * kMaxSourceSymbols <= 1 << kBits);
};

}  // namespace graft::engine
