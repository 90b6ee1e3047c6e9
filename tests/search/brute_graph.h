// The edges of a sentence's graph from the definitions, for the exhaustive searches.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "graph/dependency_graph.h"

namespace graft::engine::fixtures {

// (from, to), positions 1-based as in the paper, with true for a dependency edge.
using EdgeMap = std::map<std::pair<int, int>, bool>;

// heads: 1-based, 0 = root.
EdgeMap GraphEdges(GraphKind kind, const std::vector<int>& heads);

// Words as edges: word i leads from the node of its head to node i. The edge (start, end) that stands for a set of
// words under a non-terminal, its end below 0 if it is a node of its own; nullopt if the set is not connected or has
// several open nodes.
using NodePair = std::pair<int, int>;
std::optional<NodePair> NonterminalEdge(const std::vector<int>& heads, const std::set<int>& words);

// Nodes renamed 0, 1, … in the order in which they occur.
std::vector<NodePair> Renamed(const std::vector<NodePair>& edges);

}  // namespace graft::engine::fixtures
