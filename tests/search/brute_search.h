// Exhaustive search by the definitions: every ordered segmentation of a sentence into units of the rule book, each
// scored from scratch word by word. Nothing here uses the table, the matcher, the options or the search of the library.
#pragma once

#include <string>
#include <vector>

#include "model/features.h"
#include "support/small_model.h"

namespace graft::engine::fixtures {

struct BruteTranslation {
  std::vector<std::string> target;
  double score;
};

struct BruteSettings {
  int distortion_limit = 6;
  bool moses_rule = false;
  int max_span = 20;
  bool copy_unknown = true;
};

// All derivations, best first. `heads` as in Sentence; edges are built from them here, for the graph of the book's
// system.
std::vector<BruteTranslation> AllDerivations(const RuleBook& book, const LanguageModel& lm,
                                             const FeatureVector& weights, const std::vector<std::string>& source,
                                             const std::vector<int>& heads, const BruteSettings& settings);

}  // namespace graft::engine::fixtures
