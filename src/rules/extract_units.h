// Extraction of subgraph-phrase pairs (paper, Section 4.2): the rules of the segmentation systems.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "corpus/parallel_corpus.h"
#include "graph/dependency_graph.h"
#include "rules/rule.h"
#include "rules/system_spec.h"

namespace graft {

// A sentence pair over word ids, ready for extraction.
struct IndexedPair {
  std::vector<WordId> source;
  std::vector<WordId> target;
  std::vector<int> heads;         // 1-based, 0 = root; empty where the system reads no tree
  std::vector<std::string> tags;  // parts of speech; empty unless non-terminals are labelled by them
  std::vector<WordLink> links;    // sorted
};

// A pair (unit, target span), both ends included, before it is written as a rule.
struct UnitPair {
  NodeSet unit;
  int target_first;
  int target_last;
};

// Keep one per thread: it owns scratch memory. Usage:
//   UnitExtractor extractor(spec);
//   extractor.Extract(pair, [&](const RuleOccurrence& rule, const UnitPair& where) { … });
// Every pair (unit, target span) of the sentence pair reaches the sink once. A pair with an empty side, without links,
// or with more than kMaxSentenceWords on a side gives nothing.
class UnitExtractor {
 public:
  using Sink = std::function<void(const RuleOccurrence&, const UnitPair&)>;

  explicit UnitExtractor(const SystemSpec& spec);
  void Extract(const IndexedPair& pair, const Sink& sink);

 private:
  // Unaligned words between two aligned ones that may join from a side whose neighbour is in the core.
  struct Run {
    int first, last;
    bool from_left, from_right;
  };

  void ReadLinks();
  void ExtractRuns(const UnitPair& core);  // contiguous units
  void GrowBoundaries(const UnitPair& core);
  void GrowRun(size_t run, NodeSet unit, int room);
  void JoinInTree(const UnitPair& core);
  void GrowTree(const NodeSet& unit, int size, NodeSet frontier);
  bool SpanFits(const NodeSet& unit) const;
  void Emit(const NodeSet& unit);

  SystemSpec spec_;
  const IndexedPair* pair_ = nullptr;  // during Extract only, like sink_
  const Sink* sink_ = nullptr;
  UnitPair where_{};  // the target span at work
  DependencyGraph graph_;
  NodeSet unaligned_;                // source words without a link
  std::vector<NodeSet> sources_of_;  // the source words linked to a target word
  std::vector<int> reach_first_;     // by target word: first and last target word linked to these source words
  std::vector<int> reach_last_;
  std::vector<int> links_begin_;     // by source word: where its links start in pair.links; one more at the end
  std::vector<int> aligned_before_;  // by source position: aligned words before it
  std::vector<int> depth_;           // by source word, in the tree; where any unaligned word may join
  std::vector<Run> runs_;
  std::vector<SourceSymbol> source_;
  std::vector<TargetSymbol> target_;
  std::vector<RuleLink> links_;
};

}  // namespace graft
