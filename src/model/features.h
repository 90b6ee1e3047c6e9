// The features of the model and their weights. A score is the sum of weight times value; values are natural logs or
// minus counts.
#pragma once

#include <array>
#include <string_view>

#include "rules/system_spec.h"

namespace graft::engine {

// In the order in which n-best lists print them.
enum Feature : int {
  kSourceGivenTarget,  // log p(s|t)
  kLexSourceGivenTarget,
  kTargetGivenSource,
  kLexTargetGivenSource,
  kLanguageModel,
  kRulePenalty,  // minus the number of rules
  kWordPenalty,  // minus the number of target words
  kJump,         // minus the words jumped over between the last unit's end and the next unit's start
  kGap,          // minus the words inside the gaps of units (with a grammar: minus the gap count of rule applications)
  kGlue,         // minus the number of glue rules
  kGlueDistortion,  // minus the distances of glue rules
  kUnknownWord,     // -100 for each copied word; its weight is never tuned
  kFeatures
};

using FeatureVector = std::array<float, kFeatures>;

// Moses's defaults under our signs.
inline constexpr FeatureVector kDefaultWeights = {0.2f,  0.2f, 0.2f, 0.2f,  0.5f, -0.2f,
                                                  -1.0f, 0.3f, 0.3f, -1.0f, 0.3f, 1.0f};
inline constexpr float kUnknownWordValue = -100.0f;

// Features by the names of n-best lists and [weights] tables. TranslationModel stands for the first four.
struct FeatureGroup {
  std::string_view name;
  Feature first;
  int size;
  std::string_view help;  // what its value is
};
inline constexpr std::array<FeatureGroup, 9> kFeatureGroups = {
    {{"TranslationModel", kSourceGivenTarget, 4, "Logs of p(s|t), lex(s|t), p(t|s) and lex(t|s)"},
     {"LM", kLanguageModel, 1, "Log of the language model's probability"},
     {"RulePenalty", kRulePenalty, 1, "Minus the number of rules; glue does not count"},
     {"WordPenalty", kWordPenalty, 1, "Minus the number of target words"},
     {"Jump", kJump, 1, "Minus the words jumped over between units"},
     {"Gap", kGap, 1, "Minus the words in the gaps of units; with a grammar, minus the number of gaps"},
     {"Glue", kGlue, 1, "Minus the number of glue rules, or of pseudo rules"},
     {"GlueDistortion", kGlueDistortion, 1, "Minus the distances of glue rules"},
     {"UnknownWordPenalty", kUnknownWord, 1, "-100 for each word that is copied; never tuned"}}};

inline bool HasFeature(const SystemSpec& spec, Feature feature) {
  switch (feature) {
    case kJump: return spec.search == SearchKind::kLeftToRight;
    case kGap: return spec.has_gap_feature();
    case kGlue: return spec.has_grammar();
    case kGlueDistortion: return spec.search == SearchKind::kBottomUp;
    default: return true;
  }
}

inline float Dot(const FeatureVector& weights, const FeatureVector& values) {
  float sum = 0;
  for (int f = 0; f < kFeatures; ++f) sum += weights[f] * values[f];
  return sum;
}

}  // namespace graft::engine
