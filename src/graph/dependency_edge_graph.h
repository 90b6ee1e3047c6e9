// The dependency edge graph (DEG) of a source sentence: words stand on edges. It has the nodes 0 … n; word i (0-based)
// is the edge from the node of its head to node i + 1, roots hang on node 0. So siblings meet in the node of their
// head.
//
// A run of words is a unit that one edge, a non-terminal, can stand for iff its edges hang together and it has at most
// one open node. Its root node is where its topmost edges start; another node is open if it also touches an edge
// outside the unit. The non-terminal leads from the root node to the open node.
#pragma once

#include <optional>
#include <vector>

namespace graft::engine {

// Nodes that an edge starts from and leads to.
struct EdgeEnds {
  int start = 0, end = 0;
  friend bool operator==(const EdgeEnds&, const EdgeEnds&) = default;
};

class DependencyEdgeGraph {
 public:
  DependencyEdgeGraph() = default;
  // `heads` as in Sentence (1-based, 0 = root). Throws Error unless there is one for every word.
  DependencyEdgeGraph(int words, const std::vector<int>& heads);

  EdgeEnds OfWord(int word) const { return {heads_[static_cast<size_t>(word)], word + 1}; }

  // The edge that a non-terminal over the words first … last is; nullopt if they are no unit. Without an open node it
  // leads to a node that no edge outside the unit touches. For a single word it is the word's edge.
  std::optional<EdgeEnds> OfSpan(int first, int last) const;

 private:
  std::vector<int> heads_;
  std::vector<int> first_dependent_, last_dependent_;  // by word; the word itself if it has none on that side
};

}  // namespace graft::engine
