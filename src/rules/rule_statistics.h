// How many different rules a system extracts from a corpus, and of what kind their source sides are (paper, Section 4:
// the share of DBG rules that are continuous, connected by dependency edges, both, or neither of the two, which only
// the mixture of both kinds of edges can give).
//
// An occurrence is continuous if its words are a run, and dependency-connected if its words are connected in the tree;
// both depend on the sentence, since rules carry neither gaps nor (by default) edge labels. A rule has a property if at
// least half of its occurrences have it. A rule is its left-hand side, source side (symbols, edges, gaps)
// and target.
#pragma once

#include <cstdint>
#include <functional>

#include "rules/extract.h"
#include "rules/system_spec.h"

namespace graft::engine {

struct RuleStatistics {
  uint64_t pairs = 0;        // sentence pairs read
  uint64_t occurrences = 0;  // extracted from them
  uint64_t rules = 0;        // different ones among these
  // Of the rules; continuous and dependency-connected ones include those that are both.
  uint64_t continuous = 0;
  uint64_t dependency_connected = 0;
  uint64_t both = 0;
  uint64_t neither = 0;

  double Share(uint64_t count) const {
    return rules == 0 ? 0 : static_cast<double>(count) / static_cast<double>(rules);
  }
};

// Reads pairs until `next` returns false. Pairs without heads count as not dependency-connected (beyond single words);
// a system without trees takes heads for this purpose only. Rules are told apart by 128-bit hashes; memory: 32 to 100
// bytes a rule. max_pair_rules as in extraction (pair_bound.h).
RuleStatistics CountRules(const SystemSpec& spec, const std::function<bool(IndexedPair* pair)>& next,
                          uint64_t max_pair_rules = kMaxPairRulesOfSystem);

}  // namespace graft::engine
