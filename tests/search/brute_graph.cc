#include "search/brute_graph.h"

namespace graft::testing {

EdgeMap GraphEdges(GraphKind kind, const std::vector<int>& heads) {
  EdgeMap edges;
  const int n = static_cast<int>(heads.size());
  if (kind == GraphKind::kNone || kind == GraphKind::kChain) return edges;
  for (int d = 1; d <= n; ++d)
    if (heads[d - 1] != 0) edges[{heads[d - 1], d}] = true;
  if (kind == GraphKind::kDbg)
    for (int i = 1; i < n; ++i) edges.try_emplace({i + 1, i}, false);
  if (kind == GraphKind::kDsg)
    for (int a = 1; a <= n; ++a)
      for (int b = a + 1; b <= n; ++b) {
        if (heads[a - 1] != heads[b - 1]) continue;
        edges.try_emplace({b, a}, false);
        break;
      }
  return edges;
}

}  // namespace graft::testing
