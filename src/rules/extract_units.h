// Extraction of subgraph-phrase pairs (paper, Section 4.2): the rules of the segmentation systems.
#pragma once

#include <functional>
#include <span>
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
  std::vector<int> heads;       // 1-based, 0 = root; empty where the system reads no tree
  std::vector<WordLink> links;  // sorted
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
// A pair with an empty side, without links, or with more than kMaxSentenceWords on a side gives nothing.
class UnitExtractor {
 public:
  using Sink = std::function<void(const RuleOccurrence&, const UnitPair&)>;

  explicit UnitExtractor(const SystemSpec& spec);
  void Extract(const IndexedPair& pair, const Sink& sink);

 private:
  void ExtractSpan(const IndexedPair& pair, int first, int last, const Sink& sink);
  void Emit(const IndexedPair& pair, const UnitPair& where, const Sink& sink);

  SystemSpec spec_;
  DependencyGraph graph_;
  NodeSet aligned_;                           // source words with a link
  std::vector<std::vector<int>> targets_of_;  // links by source word
  std::vector<std::vector<int>> sources_of_;  // links by target word
  std::vector<NodeSet> seen_, queue_;
  std::vector<SourceSymbol> source_;
  std::vector<TargetSymbol> target_;
  std::vector<RuleLink> links_;
};

}  // namespace graft
