// Exhaustive search with a synchronous grammar by the definitions: items are sets of words, a rule matches when words,
// labels and the contracted edges of its symbols are those of the rule, and each derivation is scored from scratch,
// the language model word by word over the whole string. Rules are text; nothing here uses signatures, the table, the
// matcher or the search of the library.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lm/language_model.h"
#include "model/features.h"
#include "rules/rule.h"

namespace graft::engine::fixtures {

struct SourceText {
  std::string text;  // a word, or the label of a non-terminal
  bool nonterminal = false;
  friend auto operator<=>(const SourceText&, const SourceText&) = default;
};
struct TargetText {
  std::string word;
  int nonterminal = 0;  // k of the k-th non-terminal of the source; 0 = a word
  friend auto operator<=>(const TargetText&, const TargetText&) = default;
};
struct GrammarRule {
  std::string lhs = "X";
  std::vector<SourceText> source;
  std::map<std::pair<int, int>, std::string> edges;  // symbols, 0-based: "dep" or "seq", "" without edge labels
  std::vector<std::pair<int, int>> ends;             // where symbols are edges: start and end node of each
  std::vector<TargetText> target;
  std::vector<std::pair<int, int>> links;
  RuleScores scores;
};

struct GrammarInput {
  std::vector<std::string> words;
  std::vector<std::string> tags;  // read with linguistic non-terminals only
  std::vector<int> heads;         // 1-based, 0 = root; read with graphs only
};

struct GrammarSettings {
  int max_span = 20;
  int max_words = 20;  // this and what follows to jump_only: items of any words only
  bool free_order = false;
  int glue_limit = 6;  // -1: none
  bool jump_only = false;
  int table_limit = 0;  // 0: none
  bool copy_unknown = true;
};

struct GrammarDerivation {
  std::vector<std::string> target;
  std::array<double, kFeatures> features{};
  std::vector<std::pair<int, int>> alignment;  // (source, target), 0-based, sorted
  double score = 0;
};

struct GrammarCounts {
  uint64_t x = 0, s = 0;  // derivations of [X, whole sentence], of any label, and of [S, whole sentence]
};
GrammarCounts CountGrammarDerivations(const std::vector<GrammarRule>& rules, const SystemSpec& spec,
                                      const GrammarInput& input, const GrammarSettings& settings);

// All derivations of [S, whole sentence], best first. The language model also ranks targets for the table limit.
std::vector<GrammarDerivation> AllGrammarDerivations(const std::vector<GrammarRule>& rules, const SystemSpec& spec,
                                                     const LanguageModel& lm, const FeatureVector& weights,
                                                     const GrammarInput& input, const GrammarSettings& settings);

// Adds the language model, word by word over each string, and the scores; then sorts, best first.
void RankDerivations(const SystemSpec& spec, const LanguageModel& lm, const FeatureVector& weights,
                     std::vector<GrammarDerivation>* derivations);

// The best `limit` targets of each source side with its left-hand side, by table scores, penalties and the language
// model score of each run of words without context.
std::vector<GrammarRule> LimitTargets(const std::vector<GrammarRule>& rules, const LanguageModel& lm,
                                      const FeatureVector& weights, int limit);

}  // namespace graft::engine::fixtures
