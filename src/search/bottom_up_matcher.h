// Which source sides of a grammar occur in a sentence when a non-terminal may cover any set of words (paper, Section 6
// and Algorithm 2): the enumeration of bottom-up search.
//
// A partial match is a trie node with the symbols that led to it. Symbols follow each other by their first words; the
// next one only has to start after the *start* of the last and to be disjoint from all, so words and non-terminals may
// lie inside the span of an earlier non-terminal. Hence there is one order in which a match can be put together, and
// each partial match is built once: with l covered words from one of l - 1 and a word, or from one of l - b and a group
// of b words. Groups of fewer than l words are final when size l is reached.
//
//   matcher.Start(words, graph, limits);              // finds the matches of words alone
//   for (int size = 1; size <= largest; ++size) {
//     for (const BottomUpMatch& match : matcher.Advance(size)) …
//     matcher.AddGroups(size, groups);                 // the X items of that size, by label and coverage
//   }
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/dependency_graph.h"
#include "rules/source_side.h"
#include "search/future_cost.h"
#include "table/rule_table.h"
#include "table/step_memo.h"
#include "util/stop_counter.h"

namespace graft::engine {

// The X items of one label and coverage.
struct BottomUpGroup {
  uint32_t label = 0;
  uint32_t cell = 0;   // the caller's name for it
  float score = 0;     // of its best item
  uint16_t start = 0;  // first and last word
  uint16_t end = 0;
  uint64_t mask = 0;  // bit i = position start + i
};

inline constexpr uint32_t kNoGroup = UINT32_MAX;

struct BottomUpMatch {
  TrieNode node;                                         // has rules
  uint64_t mask = 0;                                     // covered words: bit i = position start + i
  uint64_t terminals = 0;                                // those that are words of the rule
  std::array<uint32_t, 2> cells = {kNoGroup, kNoGroup};  // BottomUpGroup::cell of the non-terminals, in source order
  uint16_t start = 0;
  uint16_t end = 0;  // last word
  // Words of the span that are neither terminals of the rule nor inside the span of one of its non-terminals: the gap
  // count, a feature.
  uint16_t gap = 0;
};

struct BottomUpLimits {
  int max_span = 20;     // words from first to last of a match, both included; at most kMaxUnitSpan
  int max_words = 20;    // of a match
  int active_limit = 0;  // partial matches of one size that later sizes extend, best by estimate; 0 = all
};

// One per thread: keeps its memory between sentences. The table must outlive it.
class BottomUpMatcher {
 public:
  explicit BottomUpMatcher(const RuleTable& table);

  // `words` are source ids of the table (kNoWord: unknown, never matches). Both must outlive the sentence's use.
  void Start(std::span<const WordId> words, const DependencyGraph& graph, const BottomUpLimits& limits,
             const StopCheck& stop = {});

  // The matches of `size` words that consist of words alone; known after Start.
  std::span<const BottomUpMatch> WordMatches(int size) const;
  int largest_word_match() const { return static_cast<int>(word_matches_.size()); }  // no larger ones

  // What active_limit judges partial matches by: one-word estimates of terminals, scores of groups, future cost.
  // To be set before the first Advance if there is a limit.
  void set_future(const FutureCost* future) { future_ = future; }

  // All matches of `size` words, those of words alone first. Sizes ascend one by one from 1; the groups of all smaller
  // sizes have been added. Valid until the next call.
  std::span<const BottomUpMatch> Advance(int size);
  void AddGroups(int size, std::span<const BottomUpGroup> groups);

  uint64_t steps() const { return steps_; }  // table look-ups since construction; what the memo knew does not count

 private:
  using Rows = SymbolRows<uint64_t>;  // bit i = position first word of the match + i
  struct Partial {
    uint64_t used;                   // all symbols' words
    uint64_t symbol;                 // the last symbol's words
    uint64_t spans;                  // words, and everything from first to last of non-terminals
    uint32_t parent;                 // partial match without the last symbol; kNone for the first
    uint32_t node;                   // index; its level is symbols - 1
    std::array<uint32_t, 2> groups;  // into groups_
    uint16_t start;
    uint8_t last;  // first word of the last symbol, relative to start
    uint8_t symbols : 6;
    uint8_t nonterminals : 2;
  };
  struct ShiftedGroup {  // a group as seen from a first word before it
    Rows rows;
    uint64_t span;
    uint32_t group;
    SourceSymbolId symbol;
    uint8_t first;
  };
  static constexpr uint32_t kNone = UINT32_MAX;

  // A symbol that a partial match is extended by.
  struct Extension {
    TrieStep step;              // it led to
    const Rows& rows;           // of its words
    uint64_t span;              // the words, for a group everything from first to last
    uint32_t group = kNoGroup;  // into groups_
  };

  // Adds what comes of partial match `parent` (kNone: a match that starts at `start`) by an extension. Without
  // `matches` it is none yet: what consists of one group alone would need itself.
  void Enter(uint32_t parent, int start, const Extension& by, int size, std::vector<BottomUpMatch>* matches);
  void AddMatch(const Partial& partial, std::vector<BottomUpMatch>* matches) const;
  // All extensions of partial match `id` by a word.
  void AddWords(uint32_t id, int size, std::vector<BottomUpMatch>* matches);
  void AddGroupsTo(uint32_t id, int group_size, int size, std::vector<BottomUpMatch>* matches);
  std::span<const uint64_t> SymbolsOf(uint32_t id);
  TrieStep Step(TrieNode node, SourceSymbolId symbol, uint32_t signature);
  void Limit(int size);
  float Estimate(const Partial& partial) const;
  const Rows& WordRows(int start, int offset) const {
    return word_rows_[static_cast<size_t>(start) * static_cast<size_t>(limits_.max_span) + static_cast<size_t>(offset)];
  }

  const RuleTable& table_;
  const SignatureKind kind_;
  StepMemo memo_;
  uint64_t steps_ = 0;
  StopCounter stop_;

  std::span<const WordId> words_;
  const DependencyGraph* graph_ = nullptr;
  BottomUpLimits limits_;
  const FutureCost* future_ = nullptr;
  std::vector<Rows> word_rows_;  // by (first word of the match, offset from it)
  std::vector<Partial> partials_;
  // By size: the partial matches that a word may follow (words alone: only during Start), or a group.
  std::vector<std::vector<uint32_t>> before_words_, before_groups_;
  std::vector<std::vector<BottomUpMatch>> word_matches_;  // by size - 1
  std::vector<BottomUpMatch> matches_;
  std::vector<BottomUpGroup> groups_;
  std::vector<std::vector<ShiftedGroup>> shifted_;  // by (size, first word of the match): groups by start
  std::array<uint64_t, kMaxSourceSymbols> symbols_;
  std::vector<uint32_t> active_;
  std::vector<uint64_t> keys_;
};

}  // namespace graft::engine
