// Derivations as values: the target string, its alignment and the steps, from the edges of a derivation.
#pragma once

#include <vector>

#include "search/grammar_input.h"
#include "search/hypergraph.h"
#include "search/items.h"
#include "search/option_set.h"
#include "search/translation.h"

namespace graft::engine {

// `edges` as KBest gives them: tails before heads, left to right.
Translation AssembleUnits(const DecodingModel& model, const OptionSet& options,
                          const std::vector<const HyperEdge*>& edges, float score);
Translation AssembleRules(const GrammarInput& input, const ItemStore& items, const std::vector<const HyperEdge*>& edges,
                          float score);

}  // namespace graft::engine
