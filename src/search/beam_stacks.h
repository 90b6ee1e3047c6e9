// Items with language model states, for the best translations: cube pruning over rule matches and glue.
//
// A match with non-terminals is a cube: its targets by estimate, and the group of each non-terminal by score. The queue
// holds the corner of every cube; the best combination is popped, inserted into the stack, and its neighbours pushed.
// A combination is scored, language model included, when it is pushed. Each has one parent, so none is pushed twice:
// with axes (target o, item u of the non-terminal that stands first in the target, item v of the other), (o,u,v+1)
// comes from (o,u,v), (o,u+1,0) from (o,u,0), (o+1,0,0) from (o,0,0). Combinations that differ in v alone share what
// the language model says up to the second non-terminal: their prefix. A string that the stack has seen already is not
// joined again (string_memo.h). Where no limit applies, every combination is
// made, without a queue.
#pragma once

#include <cstdint>
#include <vector>

#include "search/item_stacks.h"
#include "search/key_queue.h"
#include "search/lm_states.h"
#include "search/string_memo.h"

namespace graft {

class BeamStacks final : public ItemStacks {
 public:
  explicit BeamStacks(const Model& model);

  void Reset(bool keep_arcs) override;
  std::span<const uint32_t> Fill(std::span<const RuleMatch> rules, std::span<const GlueMatch> glue,
                                 const StackLimits& limits) override;

 private:
  struct Candidate {
    float score;
    float rank;
    float lm;
    uint32_t match;   // rule, or glue with kGlueBit
    uint32_t option;  // glue: item of the S group
    uint32_t u;       // glue: item of the X group
    uint32_t v;       // glue: 1 if it is in the stack already
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
  // Scores a combination: the next candidate.
  void ScoreRule(uint32_t match, uint32_t option, uint32_t u, uint32_t v, uint32_t prefix);
  void ScoreGlue(uint32_t match, uint32_t s, uint32_t x);
  void PushLast();
  void PushCorner(uint32_t match);
  void PushRule(uint32_t match, uint32_t option, uint32_t u, uint32_t v, uint32_t prefix);
  void PushGlue(uint32_t match, uint32_t s, uint32_t x);
  void PushNeighbours(const Candidate& from);
  void InsertCandidate(uint32_t candidate);
  void InsertAll(uint32_t match);
  float Join(uint32_t match, uint32_t option, uint32_t first, uint32_t second, uint32_t* prefix, LmPhrase* joined);
  void InsertX(const Made& made, uint32_t string);
  void InsertS(const Made& made, uint32_t state);
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
  std::vector<Prefix> prefixes_;
  KeyQueue queue_;
  std::vector<float> ranks_;
};

}  // namespace graft
