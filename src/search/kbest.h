// The k best derivations of a hypergraph, lazily (Huang and Chiang 2005, algorithm 3). Order: score, then creation
// order of the edge, then ranks of the tails. Left-to-right search is the case with one tail.
#pragma once

#include <cstdint>
#include <vector>

#include "search/hypergraph.h"
#include "util/stop_counter.h"

namespace graft::engine {

class KBest {
 public:
  explicit KBest(const Hypergraph& graph, const StopCheck& stop = {});
  ~KBest();

  // The rank-th best derivation (0-based) as its edges, tails before heads, left to right; false when there are no
  // more.
  bool Get(uint32_t rank, std::vector<const HyperEdge*>* edges, float* score);

 private:
  struct Candidate {
    float score;
    uint32_t edge;   // into graph.edges
    uint32_t ranks;  // into ranks_, one per tail
  };
  struct NodeState {
    bool started = false;
    bool exhausted = false;
    std::vector<Candidate> best;  // found so far, best first
    std::vector<Candidate> heap;
  };
  bool Ensure(uint32_t node, uint32_t rank);
  bool Worse(const Candidate& a, const Candidate& b) const;
  void Push(uint32_t node, uint32_t edge, uint32_t ranks);
  void PushSuccessors(uint32_t node, Candidate from);
  void Collect(uint32_t node, uint32_t rank, std::vector<const HyperEdge*>* edges) const;

  const Hypergraph& graph_;
  StopCounter stop_;
  std::vector<NodeState> states_;
  std::vector<uint32_t> ranks_;  // starts with the zeros that every edge begins with
};

}  // namespace graft::engine
