// The pairs (unit, target span) of an aligned sentence pair (paper, Section 4.2): what a segmentation system translates
// with, and the initial pairs that a grammar's rules are made of.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "corpus/parallel_corpus.h"
#include "graph/dependency_edge_graph.h"
#include "graph/dependency_graph.h"
#include "rules/rule.h"
#include "rules/system_spec.h"
#include "text/vocabulary.h"

namespace graft::engine {

// A sentence pair over word ids, ready for extraction.
struct IndexedPair {
  std::vector<WordId> source;
  std::vector<WordId> target;
  std::vector<int> heads;          // 1-based, 0 = root; empty where the system reads no tree
  std::vector<std::string> tags;   // parts of speech; empty unless non-terminals are labelled by them
  std::vector<std::string> words;  // texts of the source; empty unless non-terminals are labelled by them
  std::vector<WordLink> links;     // sorted
};

// Both ends of the target span are included.
struct UnitPair {
  NodeSet unit;
  int target_first;
  int target_last;
};

// Receives a rule with the pair it stands for.
using RuleSink = std::function<void(const RuleOccurrence&, const UnitPair&)>;

// Keep one per thread: it owns scratch memory.
class UnitPairFinder {
 public:
  using Sink = std::function<void(const UnitPair&)>;

  explicit UnitPairFinder(const SystemSpec& spec);

  // Every pair reaches the sink once, in order of the target span's first word, then its last. A sentence pair with an
  // empty side, without links, or with more than kMaxSentenceWords on a side gives nothing.
  void Find(const IndexedPair& pair, const Sink& sink);

  // Of the sentence pair given last, if it gave anything:
  const DependencyGraph& graph() const { return graph_; }                // empty if units need not be connected
  const DependencyEdgeGraph& edge_graph() const { return edge_graph_; }  // empty unless words are edges
  bool IsAligned(int source_word) const { return !unaligned_.Contains(source_word); }
  std::span<const WordLink> LinksOf(int source_word) const {
    const int begin = links_begin_[source_word];
    return {pair_->links.data() + begin, static_cast<size_t>(links_begin_[source_word + 1] - begin)};
  }

 private:
  // Unaligned words between two aligned ones that may join from a side whose neighbour is in the core.
  struct Run {
    int first, last;
    bool from_left, from_right;
  };

  void ReadLinks();
  void ExtendSpan(const NodeSet& core);  // contiguous units
  void GrowBoundaries(const NodeSet& core);
  void GrowRun(size_t run, NodeSet unit, int room);
  void JoinInTree(const NodeSet& core);
  void GrowTree(const NodeSet& unit, int size, NodeSet frontier);
  bool SpanFits(const NodeSet& unit) const;
  bool SpanIsUnit(int first, int last);
  void Emit(const NodeSet& unit);

  SystemSpec spec_;
  const IndexedPair* pair_ = nullptr;
  const Sink* sink_ = nullptr;  // during Find only
  UnitPair where_{};            // the target span at work
  DependencyGraph graph_;
  DependencyEdgeGraph edge_graph_;
  NodeSet unaligned_;                // source words without a link
  std::vector<NodeSet> sources_of_;  // the source words linked to a target word
  std::vector<int> reach_first_;     // by target word: first and last target word linked to these source words
  std::vector<int> reach_last_;
  std::vector<int> links_begin_;      // by source word: where its links start in pair.links; one more at the end
  std::vector<int> aligned_before_;   // by source position: aligned words before it
  std::vector<int> depth_;            // by source word, in the tree; where any unaligned word may join
  std::vector<int8_t> span_is_unit_;  // by first word and length; -1 = not known yet
  std::vector<Run> runs_;
};

}  // namespace graft::engine
