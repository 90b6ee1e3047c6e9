// A rule and its occurrences, over word ids.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rules/source_side.h"
#include "text/vocabulary.h"

namespace graft::engine {

// Target symbols: 1..15 the k-th non-terminal, 16 + id a word.
using TargetSymbol = uint32_t;
inline constexpr TargetSymbol kFirstTargetWord = kMaxNonTerminals + 1;
inline constexpr bool IsTargetWord(TargetSymbol symbol) { return symbol >= kFirstTargetWord; }
inline constexpr TargetSymbol TargetWord(WordId word) { return word + kFirstTargetWord; }
inline constexpr WordId TargetWordId(TargetSymbol symbol) { return symbol - kFirstTargetWord; }

// A link between a source and a target symbol position of a rule, 0-based, terminals only. In memory SDTU's gap marks
// do not count as symbols; in text (rule_text.h) they do.
struct RuleLink {
  uint8_t source;
  uint8_t target;
  friend auto operator<=>(const RuleLink&, const RuleLink&) = default;
};

// Counts are integers in units of 10^-9, so that sums do not depend on order, threads or shards.
using RuleCount = uint64_t;
inline constexpr RuleCount kOneOccurrence = 1'000'000'000;

// One occurrence as extraction finds it. The spans are valid during the call of the sink only.
struct RuleOccurrence {
  uint32_t lhs = 0;  // label id of the left-hand side; 0 = X
  std::span<const SourceSymbol> source;
  std::span<const TargetSymbol> target;
  std::span<const RuleLink> links;  // sorted by source, then target
  RuleCount count = kOneOccurrence;
};

// The four translation scores, natural logs, in this order everywhere.
struct RuleScores {
  float p_source_given_target = 0;
  float lex_source_given_target = 0;
  float p_target_given_source = 0;
  float lex_target_given_source = 0;
};

}  // namespace graft::engine
