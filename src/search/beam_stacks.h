// Items with language model states, for the best translations: cube pruning over rule matches and glue.
//
// A match with non-terminals is a cube: its targets by estimate, and the group of each non-terminal by score. The queue
// holds the corner of every cube; the best combination is popped, inserted into the stack, and its neighbours pushed.
// A combination is scored, language model included, when it is pushed. Each has one parent, so none is pushed twice:
// with axes (target, items of the non-terminals in target order) an axis grows only while all later ones are at their
// start. Combinations that differ in the last item alone share what the language model says up to it: their prefix. A
// string that the stack has seen already is not joined again (string_memo.h). Where no limit applies, every combination
// is made, without a queue.
#pragma once

#include <cstdint>
#include <vector>

#include "search/decoding_model.h"
#include "search/item_stacks.h"
#include "search/key_queue.h"
#include "search/lm_states.h"
#include "search/string_memo.h"

namespace graft::engine {

class BeamStacks final : public ItemStacks {
 public:
  // `store` must outlive this object.
  BeamStacks(const DecodingModel& model, ItemStore* store);

  // A new sentence, also for the store; keeps memory. Without `keep_arcs` only the best application of an item is
  // remembered.
  void Reset(bool keep_arcs, const StopCheck& stop = {});

  std::span<const uint32_t> Fill(std::span<const RuleMatch> rules, std::span<const GlueMatch> glue,
                                 const StackLimits& limits) override;
  bool too_large() const override { return false; }
  float EndScore(uint32_t state) const override { return states_.EndOf(state); }
  bool scores_applications() const override { return true; }

  const SearchStatistics& statistics() const { return statistics_; }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  // A combination to be scored: a match with a target and items.
  struct Combination {
    MatchId match;
    uint32_t option;  // 0 for glue
    uint32_t tails;   // its items in source order: index into candidate_items_
    uint32_t prefix;  // index into prefixes_, or none
  };
  struct Candidate {
    Combination combination;
    float score;
    float rank;
    float lm;
    uint32_t state;  // string of strings_; glue: state of states_
  };
  struct Prefix {
    LmPhrase phrase;
    float lm;
  };
  struct Yield {    // an X item as others see it
    StringKey key;  // of a string with its state
    float inside;   // language model score of that string with the context at hand
    float score;    // of the item
  };

  void InsertTargets(MatchId match);  // of a match without non-terminals
  void InsertSentenceStarts(MatchId match);
  // The tail that axis k of a cube moves along.
  size_t TailOfAxis(MatchId match, uint32_t option, size_t k) const;
  // Items for a candidate: the best of each group, or those of another candidate with the next one of tail `k`.
  uint32_t CornerItems(MatchId match);
  uint32_t NextItems(const Combination& from, size_t count, size_t k) {
    const uint32_t tails = RoomForItems(count);
    for (size_t i = 0; i < count; ++i) candidate_items_[tails + i] = candidate_items_[from.tails + i];
    ++candidate_items_[tails + k];
    return tails;
  }
  uint32_t RoomForItems(size_t count) {
    const auto first = static_cast<uint32_t>(items_used_);
    items_used_ += count;
    if (items_used_ > candidate_items_.size()) candidate_items_.resize(2 * items_used_ + 1024);
    return first;
  }
  // Scores a combination: the next candidate.
  void Score(const Combination& combination);
  void ScoreRule(Combination combination);
  void ScoreGlue(const Combination& combination);
  void PushLast();
  void PushCorner(MatchId match);
  void PushGlueNeighbours(const Combination& from);
  void PushRuleNeighbours(const Combination& from);
  void InsertCandidate(const Candidate& candidate);
  void InsertAll(MatchId match);
  float Join(Combination* combination, LmPhrase* joined);
  void InsertX(const OpenItem& item, std::span<const uint32_t> tails);
  void InsertS(const OpenItem& item, std::span<const uint32_t> tails);
  bool BelowThreshold(const OpenItem& item);
  void InsertMatches(MatchId first_rule, MatchId first_glue, const StackLimits& limits);
  void RunQueue(const StackLimits& limits);
  bool Hopeless(const StackLimits& limits);
  void KeepStrings(std::span<const uint32_t> survivors);

  const DecodingModel model_;
  const float lm_weight_;
  ItemStore& store_;
  OpenStack stack_;
  StopCounter stop_;
  SearchStatistics statistics_;

  LmStates states_;                // of S items
  std::vector<LmPhrase> phrases_;  // of X items, by number
  std::vector<Yield> yields_;      // likewise

  // Of the open stack:
  StringMemo strings_;
  float best_ = 0;         // rank
  float floor_ = 0;        // lowest rank that is inserted, relative to best_
  uint32_t inserted_ = 0;  // the candidate that is in the stack before it is popped
  std::vector<Candidate> candidates_;
  std::vector<uint32_t> candidate_items_;  // the first items_used_ mean something
  size_t items_used_ = 0;
  std::vector<const LmPhrase*> parts_;  // of a join
  std::vector<Prefix> prefixes_;
  KeyQueue queue_;
  std::vector<float> ranks_;
};

}  // namespace graft::engine
