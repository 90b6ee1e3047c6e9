// Edges of a forest hang together iff those whose head is outside, the topmost, start from one node: every other edge
// is below one of them. The node of a word inside is touched by the word's own edge, so it is open iff a dependent of
// the word is outside; no other node but the root node is touched from both sides.
#include "graph/dependency_edge_graph.h"

#include <algorithm>

#include "graft/error.h"

namespace graft::engine {

DependencyEdgeGraph::DependencyEdgeGraph(int words, const std::vector<int>& heads) : heads_(heads) {
  if (heads.size() != static_cast<size_t>(words))
    throw Error("the graph needs a head for every word; is the source CoNLL-U?");
  for (int word = 0; word < words; ++word) first_dependent_.push_back(word);
  last_dependent_ = first_dependent_;
  for (int word = 0; word < words; ++word) {
    const int head = heads[static_cast<size_t>(word)];
    if (head == 0) continue;
    const auto at = static_cast<size_t>(head) - 1;
    first_dependent_[at] = std::min(first_dependent_[at], word);
    last_dependent_[at] = std::max(last_dependent_[at], word);
  }
}

std::optional<EdgeEnds> DependencyEdgeGraph::OfSpan(int first, int last) const {
  constexpr int kNone = -1;
  int root = kNone, open = kNone;
  for (int word = first; word <= last; ++word) {
    const auto at = static_cast<size_t>(word);
    const int head = heads_[at] - 1;
    if (head < first || head > last) {
      if (root != kNone && root != heads_[at]) return std::nullopt;
      root = heads_[at];
    }
    if (first_dependent_[at] < first || last_dependent_[at] > last) {
      if (open != kNone) return std::nullopt;
      open = word;
    }
  }
  return EdgeEnds{root, (open == kNone ? first : open) + 1};
}

}  // namespace graft::engine
