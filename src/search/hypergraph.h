// What every search writes: nodes (recombined states that survived pruning) and edges (the ways they were made, also
// those that lost a recombination). k-best lists, forced decoding, explanation and tuning read only this.
//
// An edge carries what its step adds, computed with its tails' states. Equal recombination keys guarantee the same
// increments for every derivation of a tail, so the score of a derivation is the plain sum over its edges. Nodes are in
// topological order (tails before heads); the goal is the last.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace graft::engine {

inline constexpr uint32_t kNoUnit = UINT32_MAX;

enum class EdgeKind : uint8_t {
  kBorder,  // into the goal, which adds </s>; or the empty hypothesis
  kUnit,    // left to right: a unit of OptionSet after the tail
  kRule,    // a rule whose non-terminals the tails fill, in source order
  kGlue,    // S → X or S → S X
};

struct HyperEdge {
  uint32_t first_tail = 0;  // into Hypergraph::tails
  uint32_t tail_count = 0;
  uint32_t unit = kNoUnit;  // unit of OptionSet; rule or glue match of ItemStacks
  uint32_t option = 0;      // option of OptionSet; option of the rule match's list
  float score = 0;          // weighted sum of what this step adds
  float lm = 0;             // language model value, natural log
  int16_t jump = 0;         // kGlue: glue distortion
  int16_t gap = 0;          // kRule: gap count
  EdgeKind kind = EdgeKind::kBorder;
};

struct HyperNode {
  uint32_t first_edge = 0;  // best first; ties in creation order
  uint32_t edge_count = 0;
};

struct Hypergraph {
  std::vector<HyperNode> nodes;
  std::vector<HyperEdge> edges;
  std::vector<uint32_t> tails;

  bool empty() const { return nodes.empty(); }  // no derivation
  uint32_t goal() const { return static_cast<uint32_t>(nodes.size() - 1); }
  std::span<const HyperEdge> EdgesOf(uint32_t node) const {
    return {edges.data() + nodes[node].first_edge, nodes[node].edge_count};
  }
  std::span<const uint32_t> TailsOf(const HyperEdge& edge) const {
    return {tails.data() + edge.first_tail, edge.tail_count};
  }
  void Clear() {
    nodes.clear();
    edges.clear();
    tails.clear();
  }
};

// Number of derivations (saturating at UINT64_MAX).
uint64_t CountDerivations(const Hypergraph& graph);

}  // namespace graft::engine
