#include "search/kbest.h"

#include <algorithm>
#include <limits>

namespace graft::engine {

KBest::KBest(const Hypergraph& graph, const StopCheck& stop) : graph_(graph), stop_(stop), states_(graph.nodes.size()) {
  uint32_t most = 0;
  for (const HyperEdge& edge : graph.edges) most = std::max(most, edge.tail_count);
  ranks_.assign(most, 0);
}
KBest::~KBest() = default;

// Heap order: the better candidate on top; ties by creation order of the edge, then by ranks.
bool KBest::Worse(const Candidate& a, const Candidate& b) const {
  if (a.score != b.score) return a.score < b.score;
  if (a.edge != b.edge) return a.edge > b.edge;
  const auto ranks = [&](const Candidate& c) { return ranks_.begin() + static_cast<ptrdiff_t>(c.ranks); };
  const auto tails = static_cast<ptrdiff_t>(graph_.edges[a.edge].tail_count);
  return std::lexicographical_compare(ranks(b), ranks(b) + tails, ranks(a), ranks(a) + tails);
}

void KBest::Push(uint32_t node, uint32_t edge, uint32_t ranks) {
  stop_.Step();
  const HyperEdge& e = graph_.edges[edge];
  float score = e.score;
  const auto tails = graph_.TailsOf(e);
  for (size_t t = 0; t < tails.size(); ++t) {
    const uint32_t rank = ranks_[ranks + t];
    if (!Ensure(tails[t], rank)) return;
    score += states_[tails[t]].best[rank].score;
  }
  std::vector<Candidate>& heap = states_[node].heap;
  heap.push_back({score, edge, ranks});
  std::push_heap(heap.begin(), heap.end(), [this](const Candidate& a, const Candidate& b) { return Worse(a, b); });
}

// Every rank vector has one parent: only ranks at or after the last non-zero one may grow.
void KBest::PushSuccessors(uint32_t node, Candidate from) {
  const uint32_t tails = graph_.edges[from.edge].tail_count;
  uint32_t first = tails;
  while (first > 0 && ranks_[from.ranks + first - 1] == 0) --first;
  if (first > 0) --first;
  for (uint32_t t = first; t < tails; ++t) {
    const auto grown = static_cast<uint32_t>(ranks_.size());
    for (uint32_t i = 0; i < tails; ++i) ranks_.push_back(ranks_[from.ranks + i] + (i == t ? 1 : 0));
    Push(node, from.edge, grown);
  }
}

// Tails precede their heads, so the recursion of Push -> Ensure ends; its depth is that of a derivation.
bool KBest::Ensure(uint32_t node, uint32_t rank) {
  NodeState& state = states_[node];
  if (!state.started) {
    state.started = true;
    const HyperNode& n = graph_.nodes[node];
    for (uint32_t e = n.first_edge; e < n.first_edge + n.edge_count; ++e) Push(node, e, 0);
  }
  while (state.best.size() <= rank) {
    if (!state.best.empty() && !state.exhausted) PushSuccessors(node, state.best.back());
    if (state.heap.empty()) {
      state.exhausted = true;
      return false;
    }
    std::pop_heap(state.heap.begin(), state.heap.end(),
                  [this](const Candidate& a, const Candidate& b) { return Worse(a, b); });
    state.best.push_back(state.heap.back());
    state.heap.pop_back();
  }
  return true;
}

void KBest::Collect(uint32_t node, uint32_t rank, std::vector<const HyperEdge*>* edges) const {
  const Candidate& candidate = states_[node].best[rank];
  const HyperEdge& edge = graph_.edges[candidate.edge];
  const auto tails = graph_.TailsOf(edge);
  for (size_t t = 0; t < tails.size(); ++t) Collect(tails[t], ranks_[candidate.ranks + t], edges);
  edges->push_back(&edge);
}

bool KBest::Get(uint32_t rank, std::vector<const HyperEdge*>* edges, float* score) {
  edges->clear();
  if (graph_.empty() || !Ensure(graph_.goal(), rank)) return false;
  *score = states_[graph_.goal()].best[rank].score;
  Collect(graph_.goal(), rank, edges);
  return true;
}

uint64_t CountDerivations(const Hypergraph& graph) {
  if (graph.empty()) return 0;
  constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();
  std::vector<uint64_t> count(graph.nodes.size(), 0);
  for (uint32_t node = 0; node < graph.nodes.size(); ++node)
    for (const HyperEdge& edge : graph.EdgesOf(node)) {
      uint64_t ways = 1;
      for (uint32_t tail : graph.TailsOf(edge)) {
        const bool overflow = count[tail] != 0 && ways > kMax / count[tail];
        ways = overflow ? kMax : ways * count[tail];
      }
      count[node] = count[node] > kMax - ways ? kMax : count[node] + ways;
    }
  return count[graph.goal()];
}

}  // namespace graft::engine
