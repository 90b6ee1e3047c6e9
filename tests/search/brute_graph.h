// The edges of a sentence's graph from the definitions, for the exhaustive searches.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "graph/dependency_graph.h"

namespace graft::testing {

// (from, to), positions 1-based as in the paper, with true for a dependency edge.
using EdgeMap = std::map<std::pair<int, int>, bool>;

// heads: 1-based, 0 = root.
EdgeMap GraphEdges(GraphKind kind, const std::vector<int>& heads);

}  // namespace graft::testing
