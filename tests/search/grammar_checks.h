// Checks of searches with a grammar against exhaustive enumeration.
#pragma once

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "search/brute_grammar.h"
#include "search/translator.h"

namespace graft::engine::fixtures {

inline constexpr double kTolerance = 2e-3;  // of sums of floats

std::unique_ptr<LanguageModel> LanguageModelOf(const std::string& arpa);
FeatureVector RandomWeights(std::mt19937* random);

void ExpectFeatures(const Translation& found, const FeatureVector& weights);

// The steps tell how the translation came about: rule by rule, each after those that fill its non-terminals.
void ExpectSteps(const Translation& found, const Sentence& sentence);

// The k-th best has the k-th best score; where no other is as good, it is the same derivation.
void ExpectList(const std::vector<Translation>& found, const std::vector<GrammarDerivation>& expected,
                const FeatureVector& weights, const Sentence& sentence);

// Strings that have derivations get the best of them; others are refused.
void ExpectForced(Translator* translator, const Sentence& sentence, const std::vector<GrammarDerivation>& expected);

}  // namespace graft::engine::fixtures
