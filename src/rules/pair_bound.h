// How much one sentence pair may give. Links decide how many units there are: a pair of 40 words with 4 links has
// millions of treelets, which say nothing of the language, fill the table and take the time of all other pairs. So
// extraction has a bound for each pair, on rules and on the steps that look for them.
//
// A pair beyond it keeps its small units, whole sizes as far as these fit: they hold the fewest unaligned words, are
// what other sentences have too, and what larger rules are put together from in translation. Sizes are known before
// anything is looked for, so what would be dropped is never listed. What is kept depends on the pair alone, and keeps
// the count it has without a bound.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "corpus/sentence.h"
#include "graft/error.h"
#include "rules/system_spec.h"

namespace graft::engine {

// Well above what the richest pairs give whose links are those of an aligner (docs/training.md). Rules with
// non-terminals in the place of sub-pairs are many times as many, but share the counts of fewer units.
inline constexpr uint64_t kMaxPairRules = 120'000;
inline constexpr uint64_t kMaxPairRulesWithSubPairs = 1'000'000;
// The units of one word of the longest sentence always fit.
inline constexpr uint64_t kLeastMaxPairRules = kMaxSentenceWords;
// What is found is kept until it is known to fit: up to 400 bytes a rule in every thread, beside the limit of memory.
inline constexpr uint64_t kMostMaxPairRules = 2'000'000;

inline constexpr uint64_t kMaxPairRulesOfSystem = 0;  // as a setting: what fits the system

// The bound that a setting means. Throws Error for one that does not hold single words, or too much memory.
inline uint64_t MaxPairRules(const SystemSpec& spec, uint64_t setting) {
  if (setting == kMaxPairRulesOfSystem)
    return spec.has_grammar() && !spec.has_blocks() ? kMaxPairRulesWithSubPairs : kMaxPairRules;
  if (setting < kLeastMaxPairRules || setting > kMostMaxPairRules)
    throw Error("max_pair_rules is " + std::to_string(setting) + "; it must be " + std::to_string(kLeastMaxPairRules) +
                " to " + std::to_string(kMostMaxPairRules));
  return setting;
}

// Where there may be so many rules: pairs that those with non-terminals are made of, most of the large ones giving
// none;
inline constexpr uint64_t MaxInitialPairs(uint64_t max_rules) { return std::max(kMaxPairRules, max_rules / 5); }
// sets of words grown to find so many pairs; and sub-pairs looked at, alone and by twos, which is cheap beside a rule.
inline constexpr uint64_t MaxSetSteps(uint64_t max_pairs) { return 10 * std::max(kMaxPairRules, max_pairs); }
inline constexpr uint64_t MaxSubPairSteps(uint64_t max_rules) { return 60 * std::max(kMaxPairRules, max_rules); }

}  // namespace graft::engine
