// Sentence in, translations out: options, search, k-best and the values made of them.
//
//   Translator translator(model);                       // one per thread; keeps its memory between sentences
//   for (const Translation& t : translator.Translate(sentence, {.nbest = 10})) …
//
// Never fails for lack of rules: an unknown word is copied. A sentence of more than kMaxSentenceWords is cut after the
// last punctuation before the limit, its pieces are translated one by one and joined again.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "corpus/sentence.h"
#include "model/model.h"
#include "search/forced.h"
#include "search/hypergraph.h"
#include "search/translation.h"

namespace graft::engine {

struct TranslateOptions {
  uint32_t nbest = 1;
  bool distinct = false;  // the first derivation of each string; tries at most 20 * nbest derivations
};

struct ForcedTranslation {
  ForcedResult result = ForcedResult::kNotDerivable;
  Translation best;
};

class Translator {
 public:
  explicit Translator(const Model& model);
  ~Translator();
  Translator(Translator&&) noexcept;

  // Best first; an empty sentence gives one empty translation. The k-th of a long sentence joins the k-th best of each
  // piece (or its last).
  std::vector<Translation> Translate(const Sentence& sentence, const TranslateOptions& options);

  // The best derivation of each of several strings of one source sentence.
  std::vector<ForcedTranslation> Force(const Sentence& sentence, const std::vector<std::vector<std::string>>& targets,
                                       uint64_t max_edges);

  const SearchStatistics& statistics() const { return statistics_; }

 private:
  struct UnitSearch;
  struct RuleSearch;
  const Hypergraph& Search(const Sentence& sentence, uint32_t alternatives);
  std::vector<Translation> TranslatePiece(const Sentence& sentence, const TranslateOptions& options);
  Translation Assemble(const std::vector<const HyperEdge*>& edges, float score) const;
  ForcedTranslation ForceUnits(const std::vector<std::string>& target, uint64_t max_edges);
  ForcedTranslation ForceRules(const std::vector<std::string>& target, uint64_t max_edges);

  const Model& model_;
  std::unique_ptr<UnitSearch> units_;  // one of the two
  std::unique_ptr<RuleSearch> rules_;
  SearchStatistics statistics_;
};

// The pieces of a sentence of any length; a word whose head is in another piece becomes a root.
std::vector<Sentence> SplitLongSentence(const Sentence& sentence, int limit);

}  // namespace graft::engine
