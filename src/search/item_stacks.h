// What becomes of the matches that a search with a grammar finds: items, stack by stack. A search adds cells and the
// symbols of its matches to the store, then fills one stack after the other, tails first:
//
//   const uint32_t cell = store->AddCell({.label = x});
//   match.first_tail = store->AddTails(…);
//   for (uint32_t finished : stacks->Fill(rule_matches, glue_matches, limits)) …
//
// BeamStacks (beam_stacks.h) make the items of the best translations, ForcedStacks (forced_stacks.h) those of the
// derivations of a given one.
#pragma once

#include <cstdint>
#include <span>

#include "search/items.h"
#include "search/open_stack.h"

namespace graft::engine {

class ItemStacks {
 public:
  virtual ~ItemStacks() = default;

  // Makes the items of one stack: all targets of matches without non-terminals and all of S → X, the best applications
  // of the others. Prunes them and finishes their cells. Returns the cells that have items, in order of their best
  // item; valid until the next call. Matches are copied.
  virtual std::span<const uint32_t> Fill(std::span<const RuleMatch> rules, std::span<const GlueMatch> glue,
                                         const StackLimits& limits) = 0;

  // More edges than allowed (forced decoding only): the search should give up.
  virtual bool too_large() const = 0;

  // What </s> adds for a complete item of the given state, natural log.
  virtual float EndScore(uint32_t state) const = 0;
  // Whether the language model's part of a score lies in the applications; else all of it in the edges into the goal.
  virtual bool scores_applications() const = 0;
};

// Throws Error for a rule whose targets have other non-terminals than its source: the table is damaged.
void CheckMatches(const RuleTable& table, std::span<const RuleMatch> rules);

}  // namespace graft::engine
