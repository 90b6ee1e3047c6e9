// A search with a grammar decides which rules match where and in which order stacks are filled; what becomes of the
// matches is the business of ItemStacks. The same search thus finds the best translations (BeamStacks) and the
// derivations of a given one (ForcedStacks).
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "search/grammar_input.h"
#include "search/item_stacks.h"

namespace graft::engine {

// One per thread; keeps its memory between sentences.
class GrammarSearch {
 public:
  virtual ~GrammarSearch() = default;

  // Fills `stacks`, which make the items of `store` and were reset, for the sentence of `input`. Returns the cells of S
  // items over the whole sentence, none if there is no derivation or the stacks became too large; valid until the next
  // call.
  virtual std::span<const uint32_t> Run(GrammarInput* input, const StackLimits& limits, ItemStore* store,
                                        ItemStacks* stacks) = 0;

  // Of the last sentence: matches, their targets, trie steps.
  virtual SearchStatistics statistics() const = 0;
};

// The search that the model's system asks for.
std::unique_ptr<GrammarSearch> MakeGrammarSearch(const DecodingModel& model);

}  // namespace graft::engine
