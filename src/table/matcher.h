// Which source sides of a table occur in a sentence: one trie walk for every system. For each start, depth first; from
// the last matched position try every later word within the span limit whose (word, signature) is a child. A rule that
// is not an induced subgraph of the input is never visited, and the states visited are the rule prefixes that are.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "graph/dependency_graph.h"
#include "table/rule_table.h"
#include "util/stop_check.h"

namespace graft::engine {

// Longest span of a unit, first to last word.
inline constexpr int kMaxUnitSpan = 48;

// A match: the unit's positions (ascending, 0-based) and the trie node that holds its rules.
struct UnitMatch {
  TrieNode node;
  uint64_t mask = 0;   // bit i = position start + i
  uint16_t start = 0;  // first position
  uint16_t end = 0;    // last position
};

// Keep one per thread: it owns the sentence's memo of trie steps (misses included). The table must outlive it.
class UnitMatcher {
 public:
  explicit UnitMatcher(const RuleTable& table);
  ~UnitMatcher();

  // All matches with span <= max_span (at most kMaxUnitSpan, else Error), ordered by (start, mask). `words` are source
  // ids of the table (kNoWord: unknown, never matches); `graph` has as many nodes, or is empty for systems without
  // edges. After Stopped what is in `matches` means nothing.
  void Match(std::span<const WordId> words, const DependencyGraph& graph, int max_span, std::vector<UnitMatch>* matches,
             const StopCheck& stop = {});
  uint64_t steps() const;  // table look-ups made since construction; what the memo knew does not count

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace graft::engine
