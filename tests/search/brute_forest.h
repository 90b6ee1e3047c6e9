// Exhaustive Dep2Str search by the definitions: nodes are words and runs of a head's dependents, ways to translate them
// are found by writing every form of every structure as text and looking it up among rules that are text. Nothing here
// uses roles, label ids, the table or the search of the library.
#pragma once

#include <cstdint>
#include <vector>

#include "search/brute_grammar.h"

namespace graft::engine::fixtures {

struct ForestSettings {
  bool copy_unknown = true;
  bool pseudo_rules = true;
  int table_limit = 0;  // 0: none
};

uint64_t CountForestDerivations(const std::vector<GrammarRule>& rules, const SystemSpec& spec,
                                const GrammarInput& input, const ForestSettings& settings);

// All derivations of the sentence, best first.
std::vector<GrammarDerivation> AllForestDerivations(const std::vector<GrammarRule>& rules, const SystemSpec& spec,
                                                    const LanguageModel& lm, const FeatureVector& weights,
                                                    const GrammarInput& input, const ForestSettings& settings);

// The source side and edges of every rule that could translate a part of `input`: forms of structures, phrases, words.
// Targets are empty.
std::vector<GrammarRule> ForestSources(const SystemSpec& spec, const GrammarInput& input);

}  // namespace graft::engine::fixtures
