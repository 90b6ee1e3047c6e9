// What search found as the values that people get (graft/result.h).
#pragma once

#include <string>
#include <vector>

#include "corpus/sentence.h"
#include "graft/result.h"
#include "rules/system_spec.h"
#include "search/translation.h"
#include "text/text_processor.h"

namespace graft::engine {

// The system's features in the order of n-best lists; UnknownWordPenalty only when it is not 0.
std::vector<graft::Feature> NamedFeatures(const SystemSpec& system, const FeatureVector& features);

// Without its text: Present makes that.
graft::Translation ToValue(const SystemSpec& system, const Translation& translation, bool derivation);

// `translations` best first, at least one. Without texts and byte ranges.
graft::Sentence ToValue(const SystemSpec& system, const Sentence& source, const std::vector<Translation>& translations,
                        bool derivation);

// How a translation is written: as text for those who gave text or trees, as tokens for those who gave tokens.
enum class Writing { kText, kTokens };

// The text of a translation of these tokens.
std::string Presented(const TextProcessor& text, Writing writing, std::vector<std::string> tokens);

// Sets the text of a translation and where its tokens stand in it.
void Present(const TextProcessor& text, Writing writing, graft::Translation* translation);

}  // namespace graft::engine
