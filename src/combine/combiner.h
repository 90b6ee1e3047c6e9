// Several models, one translation: their n-best lists, and the consensus of these (consensus.h).
//
//   Combiner combiner(models, {});   // models of one text (model_group.h); one per thread; keeps its memory
//   combiner.Combine(sentence).tokens …
//
// With one model and nbest = 1 this is translation. A sentence of more than kMaxSentenceWords is combined in the pieces
// that a Translator cuts it into.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "combine/consensus.h"
#include "corpus/sentence.h"
#include "graft/combine.h"
#include "model/model_group.h"
#include "search/translation.h"
#include "search/translator.h"
#include "util/stop_check.h"

namespace graft::engine {

// What scores of a model with these weights are divided by for a consensus, so that a scale means the same for weights
// of any size: the sum of the absolute weights (that of unknown words, which is never tuned, aside).
double ScoreUnit(const SystemSpec& system, const FeatureVector& weights);

// A model's translations of a sentence as a list for FindConsensus.
ScoredList ListOf(const SystemSpec& system, const FeatureVector& weights, const std::vector<Translation>& translations);

// Throws Error unless there is a weight for each of the models, or none at all, and not all of them are 0.
void CheckConsensusWeights(const std::vector<double>& weights, size_t models);

struct CombinedTranslation {
  std::vector<std::string> tokens;
  double gain = 0;               // expected BLEU, 0 to 100; of a sentence in pieces, their mean; 0 for an empty one
  double probability = 1;        // of this string; of a sentence in pieces, the product
  std::vector<uint32_t> models;  // in whose lists it was found (every piece of it), rising
};

class Combiner {
 public:
  // The models stay with the caller. Threads are not asked for.
  Combiner(const std::vector<NamedModel>& models, const graft::CombineOptions& options);

  // Throws Stopped when asked to end.
  CombinedTranslation Combine(const Sentence& sentence, const StopCheck& stop = {});

 private:
  Consensus CombinePiece(const Sentence& piece, const StopCheck& stop);

  std::vector<NamedModel> models_;
  uint32_t nbest_;
  ConsensusOptions consensus_;
  std::vector<Translator> translators_;  // one a model
};

}  // namespace graft::engine
