// Writes the hypergraph of what a search has found: one algorithm for all searches. From the goal backwards it marks
// what is part of a derivation and orders the ways in which each node was made, best first and no more than wanted;
// then it writes the marked nodes, tails before heads, and the goal over them.
//
//   HypergraphWriter(found, alternatives, &stop).Write(goals, &graph);
//
// `Found` is a view of a search, which numbers its hypotheses or items from 0:
//
//   struct Incoming { float score; uint32_t created; … };        // an edge into a node before it is written; those of
//                                                                // equal score come in the order of their creation
//   size_t size();                                               // how many numbers there are,
//   size_t survivors();                                          // how many of them may be nodes,
//   uint32_t Survivor(size_t i);                                 // and which: tails before heads
//   void AddIncoming(uint32_t number, std::vector<Incoming>*);   // appends the edges into a node, in any order
//   std::span<const uint32_t> Tails(const Incoming&);            // numbers
//   HyperEdge Edge(const Incoming&);                             // all but its tails
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "search/hypergraph.h"
#include "util/stop_counter.h"

namespace graft::engine {

// A complete hypothesis and what </s> adds to it.
struct GoalTail {
  uint32_t number;
  float lm;     // natural log
  float score;  // weighted
};

template <class Found>
class HypergraphWriter {
 public:
  HypergraphWriter(Found& found, uint32_t alternatives, StopCounter* stop)
      : found_(found), alternatives_(alternatives), stop_(*stop) {}

  // The edges into the goal come in the order of `goals`; without any the graph is empty.
  void Write(std::span<const GoalTail> goals, Hypergraph* graph) {
    graph->Clear();
    if (goals.empty()) return;
    Mark(goals);
    WriteNodes(graph);
    graph->nodes.push_back({static_cast<uint32_t>(graph->edges.size()), static_cast<uint32_t>(goals.size())});
    for (const GoalTail& goal : goals) {
      HyperEdge edge;
      edge.lm = goal.lm;
      edge.score = goal.score;
      Append({&goal.number, 1}, edge, graph);
    }
  }

 private:
  using Incoming = typename Found::Incoming;
  static constexpr uint32_t kUnreached = UINT32_MAX;

  void Mark(std::span<const GoalTail> goals) {
    node_of_.assign(found_.size(), kUnreached);
    for (const GoalTail& goal : goals) node_of_[goal.number] = 0;
    for (size_t i = found_.survivors(); i-- > 0;) {
      const uint32_t number = found_.Survivor(i);
      if (node_of_[number] == kUnreached) continue;
      stop_.Step();
      const size_t first = incoming_.size();
      found_.AddIncoming(number, &incoming_);
      KeepBest(first);
      for (size_t k = first; k < incoming_.size(); ++k)
        for (const uint32_t tail : found_.Tails(incoming_[k])) node_of_[tail] = 0;
      incoming_end_.push_back(incoming_.size());
    }
  }

  // Orders the ways from `first` on and leaves the best.
  void KeepBest(size_t first) {
    const auto better = [](const Incoming& a, const Incoming& b) {
      return a.score != b.score ? a.score > b.score : a.created < b.created;
    };
    const auto begin = incoming_.begin() + static_cast<ptrdiff_t>(first);
    if (incoming_.size() - first > alternatives_) {
      const auto end = begin + static_cast<ptrdiff_t>(alternatives_);
      std::nth_element(begin, end, incoming_.end(), better);
      incoming_.erase(end, incoming_.end());
    }
    std::sort(begin, incoming_.end(), better);
  }

  // Ways were collected from the last node to the first.
  void WriteNodes(Hypergraph* graph) {
    for (size_t i = 0; i < found_.survivors(); ++i) {
      const uint32_t number = found_.Survivor(i);
      if (node_of_[number] == kUnreached) continue;
      stop_.Step();
      node_of_[number] = static_cast<uint32_t>(graph->nodes.size());
      const size_t end = incoming_end_.back();
      incoming_end_.pop_back();
      const size_t begin = incoming_end_.empty() ? 0 : incoming_end_.back();
      graph->nodes.push_back({static_cast<uint32_t>(graph->edges.size()), static_cast<uint32_t>(end - begin)});
      for (size_t k = begin; k < end; ++k) Append(found_.Tails(incoming_[k]), found_.Edge(incoming_[k]), graph);
    }
  }

  void Append(std::span<const uint32_t> tails, HyperEdge edge, Hypergraph* graph) const {
    edge.first_tail = static_cast<uint32_t>(graph->tails.size());
    edge.tail_count = static_cast<uint32_t>(tails.size());
    for (const uint32_t tail : tails) graph->tails.push_back(node_of_[tail]);
    graph->edges.push_back(edge);
  }

  Found& found_;
  const uint32_t alternatives_;
  StopCounter& stop_;
  std::vector<uint32_t> node_of_;  // by number; while marking 0 for what is reached
  std::vector<Incoming> incoming_;
  std::vector<size_t> incoming_end_;  // of each node marked
};

}  // namespace graft::engine
