// Sentence in, translations out: long sentences cut in pieces, a decoder for each piece, k-best lists and the values
// made of them.
//
//   Translator translator(model);                       // one per thread; keeps its memory between sentences
//   for (const Translation& t : translator.Translate(sentence, {.nbest = 10})) …
//
// Never fails for lack of rules: an unknown word is copied. A sentence of more than kMaxSentenceWords is cut after the
// last punctuation before the limit, its pieces are translated one by one and joined again.
//
// What comes out was made from the table as it was when it was opened; a call that finds it changed throws Error.
//
// A call that is asked to end, or out of time, throws Stopped within milliseconds; the translator can then be used as
// if it had never been called.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "corpus/sentence.h"
#include "model/model.h"
#include "search/decoder.h"
#include "search/translation.h"
#include "util/stop_check.h"

namespace graft::engine {

struct TranslateOptions {
  uint32_t nbest = 1;
  bool distinct = false;  // the first derivation of each string; tries at most 20 * nbest derivations
  StopCheck stop = {};    // when to give up; never
};

struct ForcedTranslation {
  ForcedResult result = ForcedResult::kNotDerivable;
  Translation best;
};

class Translator {
 public:
  // With a model's own search options and weights, or with others. The model must outlive this object.
  explicit Translator(const DecodingModel& model);
  Translator(const Model& model, const SearchOptions& search, const FeatureVector& weights);
  ~Translator();
  Translator(Translator&&) noexcept;

  // Best first; an empty sentence gives one empty translation. The k-th of a long sentence joins the k-th best of each
  // piece (or its last).
  std::vector<Translation> Translate(const Sentence& sentence, const TranslateOptions& options);

  // The best derivation of each of several strings of one source sentence.
  std::vector<ForcedTranslation> Force(const Sentence& sentence, const std::vector<std::vector<std::string>>& targets,
                                       uint64_t max_edges, const StopCheck& stop = {});
  // The same, each handed to `found` as it is there: a late call has some. Those of a call that ends with another Error
  // than Stopped count for nothing.
  void ForceEach(const Sentence& sentence, const std::vector<std::vector<std::string>>& targets, uint64_t max_edges,
                 const StopCheck& stop, const std::function<void(ForcedTranslation&&)>& found);

  const SearchStatistics& statistics() const { return statistics_; }  // of all searches that were not stopped

 private:
  std::vector<Translation> TranslateAll(const Sentence& sentence, const TranslateOptions& options);
  std::vector<Translation> TranslatePiece(const Sentence& sentence, const TranslateOptions& options);
  ForcedTranslation ForceOne(const std::vector<std::string>& target, uint64_t max_edges, const StopCheck& stop);

  const RuleTable* table_;
  std::unique_ptr<Decoder> decoder_;
  SearchStatistics statistics_;
};

// The pieces of a sentence of any length; a word whose head is in another piece becomes a root.
std::vector<Sentence> SplitLongSentence(const Sentence& sentence, int limit);

}  // namespace graft::engine
