// The graph over the words of a source sentence (paper, Section 3; nodes = words in order, positions 0-based).
//
//   chain  no dependency edges; only (i+1)→i
//   tree   head→dependent
//   dsg    tree + later→earlier for each two consecutive dependents of one head (the roots are siblings of each other)
//   dbg    tree + (i+1)→i for every i
//   union  the edges of dsg and dbg
//   deg    no edges between words: there the words are the edges (dependency_edge_graph.h)
//
// At most one edge per ordered pair. An edge that is both a dependency and a sequence edge counts as a dependency edge.
// The subgraph of a node set has all edges between its members (node-induced); connectedness ignores direction.
#pragma once

#include <vector>

#include "graph/node_set.h"

namespace graft::engine {

enum class GraphKind { kNone, kChain, kTree, kDsg, kDbg, kUnion, kDeg };

// Whether a kind has the edges of the tree, so that heads are needed.
inline bool HasDependencies(GraphKind kind) {
  return kind == GraphKind::kTree || kind == GraphKind::kDsg || kind == GraphKind::kDbg || kind == GraphKind::kUnion;
}

class DependencyGraph {
 public:
  DependencyGraph() = default;
  // `heads` as in Sentence (1-based, 0 = root), one per word; ignored for kNone, kChain and kDeg, where `words` counts.
  DependencyGraph(GraphKind kind, int words, const std::vector<int>& heads);

  int size() const { return static_cast<int>(out_.size()); }
  const NodeSet& out(int from) const { return out_[from]; }          // all edges from→x
  const NodeSet& in(int to) const { return in_[to]; }                // all edges x→to
  const NodeSet& dep_out(int from) const { return dep_out_[from]; }  // the dependency edges among out(from)
  const NodeSet& dep_in(int to) const { return dep_in_[to]; }
  const NodeSet& neighbours(int node) const { return neighbours_[node]; }  // out | in

  bool HasEdge(int from, int to) const { return out_[from].Contains(to); }
  bool IsConnected(const NodeSet& nodes) const;  // false for the empty set
  bool IsConnectedByDependencies(const NodeSet& nodes) const;

 private:
  void AddEdge(int from, int to, bool dependency);

  std::vector<NodeSet> out_, in_, dep_out_, dep_in_, neighbours_;
};

}  // namespace graft::engine
