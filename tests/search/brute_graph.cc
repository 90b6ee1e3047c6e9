#include "search/brute_graph.h"

namespace graft::engine::fixtures {

EdgeMap GraphEdges(GraphKind kind, const std::vector<int>& heads) {
  EdgeMap edges;
  const int n = static_cast<int>(heads.size());
  if (kind == GraphKind::kNone || kind == GraphKind::kChain) return edges;
  for (int d = 1; d <= n; ++d)
    if (heads[d - 1] != 0) edges[{heads[d - 1], d}] = true;
  if (kind == GraphKind::kDbg || kind == GraphKind::kUnion)
    for (int i = 1; i < n; ++i) edges.try_emplace({i + 1, i}, false);
  if (kind == GraphKind::kDsg || kind == GraphKind::kUnion)
    for (int a = 1; a <= n; ++a)
      for (int b = a + 1; b <= n; ++b) {
        if (heads[a - 1] != heads[b - 1]) continue;
        edges.try_emplace({b, a}, false);
        break;
      }
  return edges;
}

std::optional<NodePair> NonterminalEdge(const std::vector<int>& heads, const std::set<int>& words) {
  std::map<int, std::set<int>> touched_by;  // words whose edges touch a node
  for (int word = 1; word <= static_cast<int>(heads.size()); ++word) {
    touched_by[heads[word - 1]].insert(word);
    touched_by[word].insert(word);
  }
  std::set<int> reached = {*words.begin()};
  for (bool grew = true; grew;) {
    grew = false;
    for (const auto& [node, touching] : touched_by)
      for (int from : touching)
        for (int to : touching)
          if (reached.count(from) != 0 && words.count(to) != 0) grew = reached.insert(to).second || grew;
  }
  if (reached != words) return std::nullopt;
  int root = 0;
  for (int word : words)
    if (words.count(heads[word - 1]) == 0) root = heads[word - 1];
  std::vector<int> open;
  for (const auto& [node, touching] : touched_by) {
    bool inside = false, outside = false;
    for (int word : touching) (words.count(word) != 0 ? inside : outside) = true;
    if (inside && outside && node != root) open.push_back(node);
  }
  if (open.size() > 1) return std::nullopt;
  return NodePair{root, open.empty() ? -*words.begin() : open[0]};
}

std::vector<NodePair> Renamed(const std::vector<NodePair>& edges) {
  std::map<int, int> names;
  std::vector<NodePair> renamed;
  for (const auto& [start, end] : edges) {
    const int start_name = names.try_emplace(start, static_cast<int>(names.size())).first->second;
    const int end_name = names.try_emplace(end, static_cast<int>(names.size())).first->second;
    renamed.emplace_back(start_name, end_name);
  }
  return renamed;
}

}  // namespace graft::engine::fixtures
