// Bottom-up beam search over arbitrary coverage (paper, Algorithm 2).
//
// Items are [X, C] and [S, C], C any set of words; X keeps to max_words and max_span. For l = 1, 2, … the stack of all
// X items of l words is made from rule matches (bottom_up_matcher.h), then that of all S items of l words from glue: X
// of l words starts a sentence, X of b words is appended to S of l - b. Both stacks are pruned as a whole by score plus
// future cost; survivors are grouped by coverage, S items also by the end of the last X.
//
// Glue appends an X whose words are disjoint from those of S and which starts at most glue_limit words after the first
// uncovered word. In left order the first X must cover the first word (an S without it could never get it); in free
// order any X may be first, within the same limit.
//
// A translation always exists: the best item of every single word stays in its stack, and so does the best S over the
// first l words, for which S over l - 1 words and X over the next enter the stack before anything competes with them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/bottom_up_matcher.h"
#include "search/future_cost.h"
#include "search/grammar_search.h"
#include "util/hash_index.h"

namespace graft::engine {

class BottomUpSearch final : public GrammarSearch {
 public:
  explicit BottomUpSearch(const DecodingModel& model);

  std::span<const uint32_t> Run(GrammarInput* input, const StackLimits& limits, ItemStore* store,
                                ItemStacks* stacks) override;
  SearchStatistics statistics() const override { return statistics_; }

 private:
  struct XGroup {
    BottomUpGroup group;
    NodeSet covered;
  };
  struct SGroup {
    NodeSet covered;
    uint32_t cell;
    uint16_t first_uncovered;
    uint16_t next;  // position after the last word of the last X
  };

  void BuildFutureCost();
  void FillX(int size);
  void FillS(int size);
  // A match with its words and tails, for each of its target lists.
  RuleMatch SymbolsOf(const BottomUpMatch& match);
  void AddRule(const ScoredTargets& targets, const BottomUpMatch& match, RuleMatch rule);
  void AddGlue(const SGroup* s, const XGroup& x, int size);
  uint32_t CellOfX(uint32_t label, const BottomUpMatch& match, int size);
  uint32_t CellOfS(const NodeSet& covered, int next, int size);
  // The X groups of a size that start at first..last.
  std::span<const XGroup> XGroups(int size, int first, int last) const;

  const DecodingModel model_;
  BottomUpMatcher matcher_;
  FutureCost future_;
  GrammarInput* input_ = nullptr;
  ItemStore* store_ = nullptr;
  ItemStacks* stacks_ = nullptr;
  StackLimits limits_;
  int words_ = 0;

  std::vector<RuleMatch> rules_;  // of the open stack
  std::vector<GlueMatch> glue_;
  bool guaranteed_ = false;  // the open S stack has the match that is guaranteed to enter
  uint32_t first_cell_ = 0;
  std::vector<BottomUpGroup> x_cells_;  // of the open stack, from first_cell_ on
  std::vector<SGroup> s_cells_;
  HashIndex index_;  // of x_cells_ or s_cells_
  std::vector<BottomUpGroup> x_final_;
  std::vector<std::vector<XGroup>> x_groups_;   // by size, sorted by start
  std::vector<std::vector<uint32_t>> x_first_;  // by size: the first group that starts at a word or later
  std::vector<std::vector<SGroup>> s_groups_;   // by size, best first
  std::vector<Unit> units_;
  std::vector<float> unit_scores_;
  std::vector<uint32_t> goals_;
  SearchStatistics statistics_;
};

}  // namespace graft::engine
