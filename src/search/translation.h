// What callers get: plain values, free of the model and of search memory.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/features.h"
#include "util/utf8.h"  // JoinTokens

namespace graft::engine {

// One step of a derivation: a unit, in the order of translation; or with a grammar a rule or glue, after the steps that
// fill its non-terminals.
struct DerivationStep {
  std::vector<int> positions;      // source words, 0-based; with a grammar also those under its non-terminals
  std::vector<std::string> edges;  // `u>v`, positions in the unit or source symbols, with labels if the system has them
  int target_begin = 0;            // its words: target_begin .. target_end - 1 of the translation
  int target_end = 0;
  bool copied = false;       // an unknown word, copied through
  FeatureVector features{};  // what this step adds
  float score = 0;           // weighted sum of features

  // With a grammar only.
  bool glue = false;                                        // S → X, S → S X, or a pseudo rule
  std::string lhs;                                          // label of the left-hand side
  std::vector<std::string> source_symbols, target_symbols;  // words, and non-terminals as `[X,1]`
  std::vector<int> children;                                // the steps that fill its non-terminals, in source order
};

struct Translation {
  std::vector<std::string> tokens;
  float score = 0;
  FeatureVector features{};
  std::vector<std::pair<int, int>> alignment;  // (source, target), 0-based, sorted
  std::vector<DerivationStep> derivation;      // </s> belongs to the last step
};

}  // namespace graft::engine
