// Target lists of source sides, pre-scored: everything search needs to know of a rule but where it applies.
//
// A list is scored once (weights, penalties, language model with the context at hand) and kept per thread; the best
// `table_limit` of each left-hand side by that estimate stay, ties in stored order. The words between non-terminals are
// kept as segments: phrases for LanguageModel::Join, one more than there are non-terminals, some possibly empty.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "lm/language_model.h"
#include "rules/rule.h"
#include "search/decoding_model.h"
#include "search/string_key.h"
#include "table/rule_table.h"
#include "util/stop_counter.h"

namespace graft::engine {

struct TargetOption {
  // Weighted table scores, penalties and lm_inside: all of its score but distortion, gaps and what the language model
  // says once neighbours are known.
  float estimate = 0;
  float lm_inside = 0;  // of its segments, natural log
  RuleScores scores;
  uint32_t first_symbol = 0;  // into the symbols of its list
  uint16_t symbol_count = 0;
  uint16_t word_count = 0;
  uint32_t alignment = 0;  // of the table; kCopyAlignment for a copied word
  uint16_t segments = 0;   // bit k: segment k has words; none of the later ones has

  bool HasSegment(int k) const { return k <= kMaxNonTerminals && (segments >> k & 1) != 0; }
};
inline constexpr uint32_t kCopyAlignment = UINT32_MAX;
inline constexpr TargetSymbol kCopiedSymbol = UINT32_MAX;  // the symbol of a copied word

// The targets of one source side and left-hand side, best first by estimate.
struct ScoredTargets {
  uint32_t lhs = 0;
  int nonterminals = 0;
  bool pseudo = false;  // the pseudo rule: its non-terminals in source order, and no symbols
  std::vector<TargetOption> options;
  std::vector<float> estimates;   // of the options, densely
  std::vector<LmPhrase> phrases;  // segment k of option o: o * (nonterminals + 1) + k
  std::vector<StringKey> keys;    // of the segments' words, likewise
  std::vector<TargetSymbol> symbols;
  std::vector<uint8_t> order;  // NonterminalAt(o, k): o * nonterminals + k

  size_t size() const { return options.size(); }
  bool copied() const { return options[0].alignment == kCopyAlignment; }
  const LmPhrase& Segment(uint32_t option, int k) const { return phrases[SegmentIndex(option, k)]; }
  const StringKey& SegmentKey(uint32_t option, int k) const { return keys[SegmentIndex(option, k)]; }
  // The k-th non-terminal of an option in target order, as a 0-based number in source order.
  size_t NonterminalAt(uint32_t option, int k) const {
    return order[static_cast<size_t>(option) * static_cast<size_t>(nonterminals) + static_cast<size_t>(k)];
  }
  std::span<const TargetSymbol> Symbols(const TargetOption& option) const {
    return {symbols.data() + option.first_symbol, option.symbol_count};
  }

 private:
  size_t SegmentIndex(uint32_t option, int k) const {
    return static_cast<size_t>(option) * static_cast<size_t>(nonterminals + 1) + static_cast<size_t>(k);
  }
};

// One per thread.
class TargetLists {
 public:
  explicit TargetLists(const DecodingModel& model);

  // To be called before each sentence: lists are dropped when there are too many. What Of returned before is void
  // afterwards.
  void NextSentence(const StopCheck& stop);

  // The lists of a node that has rules, one per left-hand side, none of them empty.
  std::span<const ScoredTargets> Of(TrieNode node) {
    const uint64_t key = static_cast<uint64_t>(node.level) << 32 | node.index;
    const auto known = cache_.find(key);
    // Read may throw: a list is there whole or not at all.
    return known != cache_.end() ? known->second : cache_.emplace(key, Read(node)).first->second;
  }

  // The list of a word that is copied, with the given label.
  ScoredTargets Copy(LmWord word, uint32_t label) const;

  // The list of the pseudo rule, which joins any number of X in source order: glue, and no rule of the table.
  ScoredTargets Pseudo(int nonterminals) const;

 private:
  std::vector<ScoredTargets> Read(TrieNode node);
  void Score(std::span<const TargetList::Entry> entries, ScoredTargets* targets);
  TargetOption Describe(const TargetList::Entry& entry, int nonterminals) const;
  float Bound(const TargetOption& option) const;
  void KeepBest(std::span<const TargetList::Entry> entries, size_t segments);
  void Reserve(std::span<const TargetList::Entry> entries, ScoredTargets* targets) const;
  void Append(const TargetList::Entry& entry, uint32_t i, ScoredTargets* targets) const;
  void ScoreSegments(std::span<const TargetSymbol> symbols, TargetOption* option, LmPhrase* phrases, StringKey* keys);

  const DecodingModel model_;
  std::unordered_map<uint64_t, std::vector<ScoredTargets>> cache_;
  size_t cached_phrases_ = 0;
  StopCounter stop_;
  // Of the source side and left-hand side at hand, by entry:
  TargetList list_;
  std::vector<std::pair<float, uint32_t>> ranking_, kept_;  // (bound or estimate, entry)
  std::vector<TargetOption> scored_;
  std::vector<LmPhrase> phrases_;  // of all segments
  std::vector<StringKey> keys_;    // likewise
  std::vector<LmWord> words_;
};

}  // namespace graft::engine
