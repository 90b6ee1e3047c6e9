// Extraction of the rules of a synchronous grammar (paper, Section 6): an initial pair (unit, target span) in which up
// to two smaller initial pairs are replaced by non-terminals.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rules/labels.h"
#include "rules/rule.h"
#include "rules/system_spec.h"
#include "rules/unit_pairs.h"

namespace graft::engine {

// Keep one per thread: it owns scratch memory.
class GrammarExtractor {
 public:
  // `labels` (for spec.grammar.pos) is shared by all threads and must outlive this.
  GrammarExtractor(const SystemSpec& spec, LabelNumbers* labels, uint64_t max_rules = kMaxPairRulesOfSystem);

  // Every choice of 0, 1 or 2 sub-pairs that keeps the restrictions of the spec reaches the sink as one occurrence; the
  // N choices of an initial pair count 1/N each, rounded half up to a multiple of 10^-9. Equal rules from different
  // choices reach it separately. Initial pairs come by size, the words of their longer side, then in order of the
  // target. Of the first size whose rules do not all fit under max_rules, or take too many steps (pair_bound.h), none
  // reaches the sink, and of larger ones neither; returns whether all rules did.
  bool Extract(const IndexedPair& pair, const RuleSink& sink);

 private:
  using Mask = uint32_t;  // of words of the initial pair at work, numbered 0, 1, … in order on either side

  struct InitialPair {
    UnitPair where;
    int first;              // first word of the unit
    int size;               // its words
    int aligned;            // those of them that have a link
    uint32_t label;         // of the unit
    EdgeEnds edge;          // of the unit, where words are edges
    uint32_t span_end = 0;  // the next initial pair with another target span
  };
  // An initial pair that may become a non-terminal.
  struct SubPair {
    SymbolRows<Mask> rows;
    Mask target;
    int size;
    uint32_t label;
    EdgeEnds edge;
  };
  static constexpr uint32_t kNoSubPair = UINT32_MAX;
  // The sub-pairs replaced, in source order, as numbers in sub_pairs_.
  struct Choice {
    uint32_t first = kNoSubPair, second = kNoSubPair;
  };

  // What is left of the initial pair once a choice is made: words, and symbols (words and first words of
  // non-terminals).
  struct Parts {
    std::array<const SubPair*, 2> replaced{};
    Mask words = 0, symbols = 0, target_words = 0, target_symbols = 0;
  };

  static int LongerSide(const InitialPair& pair) {
    return std::max(pair.size, pair.where.target_last - pair.where.target_first + 1);
  }
  // Initial pairs that start within this one's target span.
  uint64_t PairsWithin(const InitialPair& pair) const {
    return begin_[static_cast<size_t>(pair.where.target_last) + 1] -
           begin_[static_cast<size_t>(pair.where.target_first)];
  }

  static Mask LowestBit(Mask mask) { return mask & (~mask + 1); }
  static Mask LowestBits(int count) { return (Mask{1} << count) - 1; }

  bool ListInitialPairs();
  bool AllFit(std::span<const uint32_t> numbers);  // whether all rules of these initial pairs may come
  bool MakeChoices(const InitialPair& whole);      // false: too many steps, or more choices than rules may still come
  void OrderBySize();
  uint32_t LabelOf(const NodeSet& unit);
  EdgeEnds EdgeOf(const NodeSet& unit) const;
  void ReadInitialPair(const InitialPair& whole);
  bool ListSubPairs(const InitialPair& whole);  // false: too many steps
  void ListInnerSpans(const InitialPair& whole);
  SubPair SubPairOf(const InitialPair& whole, const InitialPair& inner) const;
  Mask Renumbered(const InitialPair& inner) const;
  bool Choose();  // likewise, or more choices than rules may still come
  bool Adjacent(Mask rest, Mask a, Mask b) const;
  Parts PartsOf(const Choice& choice) const;
  void MakeTarget(const InitialPair& whole, const Parts& parts);
  void Emit(const InitialPair& whole, const Choice& choice, RuleCount count);

  SystemSpec spec_;
  SignatureKind kind_;
  LabelNumbers* labels_;
  uint64_t max_rules_;
  UnitPairFinder finder_;
  std::unordered_map<std::string, uint32_t> known_labels_;  // saves asking labels_, which locks

  // Of the sentence pair at work:
  const IndexedPair* pair_ = nullptr;
  const RuleSink* sink_ = nullptr;
  uint64_t rules_left_ = 0, steps_left_ = 0;
  std::vector<UnitPair> found_pairs_;
  std::vector<InitialPair> initial_pairs_;  // in order of the target
  std::vector<uint32_t> by_size_;           // their numbers
  std::vector<size_t> begin_;  // by target word: the first initial pair that starts there or later; one more at the end

  // Of the initial pair at work:
  int size_ = 0;
  Mask words_ = 0, aligned_ = 0, target_words_ = 0;
  std::array<int, kMaxSourceSymbols> position_{};           // of each word
  std::array<uint8_t, NodeSet::kCapacity> number_at_{};     // the reverse
  std::array<SymbolRows<Mask>, kMaxSourceSymbols> rows_{};  // of each word, edges inside the unit only
  std::vector<std::pair<size_t, size_t>> inner_spans_;      // initial pairs of each target span that sub-pairs may have
  std::vector<SubPair> found_;                              // in order of the target
  std::vector<SubPair> sub_pairs_;                          // the same, largest first
  std::vector<Choice> choices_;

  // Of the rule at work:
  std::array<TargetSymbol, kMaxSourceSymbols> target_{};
  std::array<uint8_t, kMaxSourceSymbols> target_place_{};  // by number of the target word
  size_t target_size_ = 0;
  std::vector<RuleLink> links_;
};

}  // namespace graft::engine
