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

#include "search/item_stacks.h"
#include "search/key_queue.h"
#include "search/lm_states.h"
#include "search/string_memo.h"

namespace graft::engine {

class BeamStacks final : public ItemStacks {
 public:
  explicit BeamStacks(const DecodingModel& model);

  void Reset(bool keep_arcs, const StopCheck& stop = {}) override;
  std::span<const uint32_t> Fill(std::span<const RuleMatch> rules, std::span<const GlueMatch> glue,
                                 const StackLimits& limits) override;

 private:
  struct Candidate {
    float score;
    float rank;
    float lm;
    uint32_t match;   // rule, or glue with kGlueBit
    uint32_t option;  // glue: 1 if it is in the stack already
    uint32_t tails;   // its items in source order: index into candidate_items_
    uint32_t prefix;  // index into prefixes_
    uint32_t state;   // string of strings_; glue: state of states_
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

  void InsertTargets(uint32_t match);  // of a match without non-terminals
  void InsertSentenceStarts(uint32_t match);
  // The place that tail k of a match, in source order, is filled from.
  const Place& Group(uint32_t match, size_t k) const;
  // The tail that axis k of a cube moves along.
  size_t TailOfAxis(uint32_t match, uint32_t option, size_t k) const;
  // Items for a candidate: the best of each group, or those of another candidate with the next one of tail `k`.
  uint32_t CornerItems(uint32_t match);
  uint32_t NextItems(const Candidate& from, size_t count, size_t k) {
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
  void Score(uint32_t match, uint32_t option, uint32_t tails, uint32_t prefix);
  void ScoreRule(uint32_t match, uint32_t option, uint32_t tails, uint32_t prefix);
  void ScoreGlue(uint32_t match, uint32_t tails);
  void PushLast();
  void PushCorner(uint32_t match);
  void PushNeighbours(const Candidate& from);
  void InsertCandidate(uint32_t candidate);
  void InsertAll(uint32_t match);
  float Join(const ScoredTargets& targets, uint32_t option, const uint32_t* tails, uint32_t* prefix, LmPhrase* joined);
  void InsertX(Made made, std::span<const uint32_t> tails, uint32_t string);
  void InsertS(Made made, std::span<const uint32_t> tails, uint32_t state);
  void RunQueue(const StackLimits& limits);
  bool Hopeless(const StackLimits& limits);

  float End(uint32_t state) const override { return states_.EndOf(state); }
  bool scored_by_steps() const override { return true; }

  LmStates states_;                    // of S items
  std::vector<LmPhrase> phrases_;      // of X items, by Item::state
  std::vector<Yield> yields_;          // likewise
  StringMemo strings_;                 // of the open stack
  std::vector<uint32_t> made_states_;  // of made_: string or state
  float best_ = 0;                     // rank of the open stack
  float floor_ = 0;                    // lowest rank that is inserted, relative to best_

  std::vector<Candidate> candidates_;
  std::vector<uint32_t> candidate_items_;  // the first items_used_ mean something
  size_t items_used_ = 0;
  std::vector<const LmPhrase*> parts_;  // of a join
  std::vector<Prefix> prefixes_;
  KeyQueue queue_;
  std::vector<float> ranks_;
};

}  // namespace graft::engine
