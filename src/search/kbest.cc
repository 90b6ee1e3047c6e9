#include "search/kbest.h"

#include <algorithm>
#include <limits>

namespace graft {
namespace {

// Heap order: the better candidate on top; ties by creation order of the edge, then by ranks.
template <class Candidate>
bool Worse(const Candidate& a, const Candidate& b) {
  if (a.score != b.score) return a.score < b.score;
  if (a.edge != b.edge) return a.edge > b.edge;
  return a.ranks > b.ranks;
}

}  // namespace

KBest::KBest(const Hypergraph& graph) : graph_(graph), states_(graph.nodes.size()) {}
KBest::~KBest() = default;

void KBest::Push(NodeState* state, uint32_t edge, std::vector<uint32_t> ranks) {
  const HyperEdge& e = graph_.edges[edge];
  float score = e.score;
  const auto tails = graph_.TailsOf(e);
  for (size_t t = 0; t < tails.size(); ++t) {
    if (!Ensure(tails[t], ranks[t])) return;
    score += states_[tails[t]].best[ranks[t]].score;
  }
  state->heap.push_back({score, edge, std::move(ranks)});
  std::push_heap(state->heap.begin(), state->heap.end(), Worse<Candidate>);
}

// Every rank vector has one parent: only ranks at or after the last non-zero one may grow.
void KBest::PushSuccessors(NodeState* state, const Candidate& from) {
  size_t first = from.ranks.size();
  while (first > 0 && from.ranks[first - 1] == 0) --first;
  if (first > 0) --first;
  for (size_t t = first; t < from.ranks.size(); ++t) {
    std::vector<uint32_t> ranks = from.ranks;
    ++ranks[t];
    Push(state, from.edge, std::move(ranks));
  }
}

// Tails precede their heads, so the recursion of Push -> Ensure ends; its depth is that of a derivation.
bool KBest::Ensure(uint32_t node, uint32_t rank) {
  NodeState& state = states_[node];
  if (!state.started) {
    state.started = true;
    const HyperNode& n = graph_.nodes[node];
    for (uint32_t e = n.first_edge; e < n.first_edge + n.edge_count; ++e)
      Push(&state, e, std::vector<uint32_t>(graph_.edges[e].tail_count, 0));
  }
  while (state.best.size() <= rank) {
    if (!state.best.empty() && !state.exhausted) PushSuccessors(&state, Candidate(state.best.back()));
    if (state.heap.empty()) {
      state.exhausted = true;
      return false;
    }
    std::pop_heap(state.heap.begin(), state.heap.end(), Worse<Candidate>);
    state.best.push_back(std::move(state.heap.back()));
    state.heap.pop_back();
  }
  return true;
}

void KBest::Collect(uint32_t node, uint32_t rank, std::vector<const HyperEdge*>* edges) const {
  const Candidate& candidate = states_[node].best[rank];
  const HyperEdge& edge = graph_.edges[candidate.edge];
  const auto tails = graph_.TailsOf(edge);
  for (size_t t = 0; t < tails.size(); ++t) Collect(tails[t], candidate.ranks[t], edges);
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

}  // namespace graft
