// Canonical form of a rule's source side: symbols in word order, each with its signature towards the earlier symbols.
// Nodes are ordered and subgraphs node-induced, so the signature sequence is the whole induced edge set: two sources
// are equal iff symbols and signatures are.
//
// Signature of symbol k, by kind:
//   kNone           0
//   kGap            1 if a gap lies before the symbol, else 0 (SDTU's `[*]`; no symbol of its own)
//   kEdges          for each earlier symbol u bits 2u: edge u→k, 2u+1: edge k→u
//   kLabelledEdges  for each earlier symbol u bits 4u: u→k is dep, 4u+1: u→k is seq, 4u+2: k→u is dep, 4u+3: k→u is seq
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/dependency_graph.h"
#include "rules/system_spec.h"

namespace graft {

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
  }
  return 0;
}

}  // namespace graft
