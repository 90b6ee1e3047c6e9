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
#include "rules/pair_bound.h"
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
  // max_pairs: from kLeastMaxPairRules to kMostMaxPairRules.
  UnitPairFinder(const SystemSpec& spec, uint64_t max_pairs);

  // Lists every pair once, in order of the target span's first word, then its last. If there are more than max_pairs,
  // or they take more than MaxSetSteps, only those of up to so many words on a side as
  // keep within; returns whether all pairs were listed. A sentence pair with an empty side, without links, or with more
  // than kMaxSentenceWords on a side gives nothing.
  bool Find(const IndexedPair& pair, std::vector<UnitPair>* found);

  // Of the sentence pair given last, if it gave anything:
  const DependencyGraph& graph() const { return graph_; }                // empty if units need not be connected
  const DependencyEdgeGraph& edge_graph() const { return edge_graph_; }  // empty unless words are edges
  bool IsAligned(int source_word) const { return !unaligned_.Contains(source_word); }
  int CountAligned(NodeSet words) const { return (words -= unaligned_).size(); }
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

  void ReadPair(const IndexedPair& pair);
  void ReadLinks();
  // All of these return false as soon as the bound is passed.
  bool List(int max_length, std::vector<UnitPair>* found);
  bool ExtendSpan(const NodeSet& core);  // contiguous units
  bool GrowBoundaries(const NodeSet& core);
  bool GrowRun(size_t run, NodeSet unit, int room);
  bool JoinInTree(const NodeSet& core);
  bool GrowTree(const NodeSet& unit, int size, NodeSet frontier);
  bool Emit(const NodeSet& unit);
  bool SpanFits(const NodeSet& unit) const;
  bool SpanIsUnit(int first, int last);

  SystemSpec spec_;
  uint64_t max_pairs_;
  std::vector<UnitPair> larger_;  // tried beside those known to fit

  // Of the listing at work:
  int max_length_ = 0;
  uint64_t steps_left_ = 0;  // sets grown
  std::vector<UnitPair>* found_ = nullptr;
  UnitPair where_{};  // the target span

  // Of the sentence pair at work:
  const IndexedPair* pair_ = nullptr;
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
