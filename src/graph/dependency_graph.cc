#include "graph/dependency_graph.h"

#include <string>

#include "graft/error.h"

namespace graft::engine {

namespace {

// Breadth-first over the members of `nodes`, a whole frontier at a time: `rows(node)` are the neighbours of a node.
template <class Rows>
bool Reaches(const NodeSet& nodes, Rows rows) {
  if (nodes.empty()) return false;
  NodeSet frontier = NodeSet::Of(nodes.first());
  NodeSet unreached = nodes - frontier;
  while (!frontier.empty()) {
    NodeSet next;
    frontier.ForEach([&](int node) { next |= rows(node); });
    frontier = next & unreached;
    unreached -= frontier;
  }
  return unreached.empty();
}

}  // namespace

DependencyGraph::DependencyGraph(GraphKind kind, int words, const std::vector<int>& heads) {
  if (words > NodeSet::kCapacity) {
    throw Error("a sentence of " + std::to_string(words) + " words; graphs have at most " +
                std::to_string(NodeSet::kCapacity));
  }
  const auto size = static_cast<size_t>(words);
  for (auto* rows : {&out_, &in_, &dep_out_, &dep_in_, &neighbours_}) rows->resize(size);

  if (HasDependencies(kind)) {
    if (heads.size() != size) throw Error("the graph needs a head for every word; is the source CoNLL-U?");
    for (int i = 0; i < words; ++i)
      if (heads[i] != 0) AddEdge(heads[i] - 1, i, true);
  }
  if (kind == GraphKind::kChain || kind == GraphKind::kDbg || kind == GraphKind::kUnion)
    for (int i = 0; i + 1 < words; ++i) AddEdge(i + 1, i, false);
  if (kind == GraphKind::kDsg || kind == GraphKind::kUnion) {
    std::vector<int> last_dependent(size + 1, -1);  // of each head so far; the roots are the dependents of 0
    for (int i = 0; i < words; ++i) {
      int& last = last_dependent[heads[i]];
      if (last >= 0) AddEdge(i, last, false);
      last = i;
    }
  }
}

// Dependency edges are added first, so a sequence edge that is there already stays a dependency edge.
void DependencyGraph::AddEdge(int from, int to, bool dependency) {
  out_[from].Add(to);
  in_[to].Add(from);
  neighbours_[from].Add(to);
  neighbours_[to].Add(from);
  if (dependency) {
    dep_out_[from].Add(to);
    dep_in_[to].Add(from);
  }
}

bool DependencyGraph::IsConnected(const NodeSet& nodes) const {
  return Reaches(nodes, [&](int node) -> const NodeSet& { return neighbours_[node]; });
}

bool DependencyGraph::IsConnectedByDependencies(const NodeSet& nodes) const {
  return Reaches(nodes, [&](int node) { return dep_out_[node] | dep_in_[node]; });
}

}  // namespace graft::engine
