// What every search writes: nodes (hypotheses or items that survived pruning) and hyperedges (the units, rules and glue
// that made them, also those that lost a recombination). k-best lists, forced decoding, explanation and tuning read
// only this. A node of left-to-right search is a hypothesis, its edges the units that complete it; a node of a search
// with a grammar is an item, its edges the rules and glue that derive it.
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
  kBorder,  // no step of a derivation: into the goal, which adds </s>; the empty hypothesis, without tails; forest
            // search: the S over a complete X, which adds <s>
  kUnit,    // left to right: a unit of OptionSet after its one tail
  kRule,    // a rule of the table, a copied word or a pseudo rule, whose non-terminals the tails fill in source order
  kGlue,    // S → X with one tail or S → S X with two
};

struct HyperEdge {
  uint32_t first_tail = 0;  // into Hypergraph::tails
  uint32_t tail_count = 0;
  uint32_t unit = kNoUnit;  // kUnit: a unit of OptionSet; kRule, kGlue: a match of ItemStore
  uint32_t option = 0;      // kUnit: an option of OptionSet; kRule: an option of the match's list
  float score = 0;          // weighted sum of what this step adds
  float lm = 0;             // language model value, natural log
  int16_t jump = 0;         // kUnit: words jumped over from the end of the last unit; kGlue: glue distortion
  int16_t gap = 0;          // kUnit: words inside its gaps; kRule: gap count
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
