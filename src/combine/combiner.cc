#include "combine/combiner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "graft/error.h"

namespace graft::engine {

double ScoreUnit(const SystemSpec& system, const FeatureVector& weights) {
  double sum = 0;
  for (int f = 0; f < kFeatures; ++f)
    if (f != kUnknownWord && HasFeature(system, static_cast<Feature>(f))) sum += std::abs(double(weights[f]));
  return sum == 0 ? 1 : sum;
}

ScoredList ListOf(const SystemSpec& system, const FeatureVector& weights,
                  const std::vector<Translation>& translations) {
  const double unit = ScoreUnit(system, weights);
  ScoredList list;
  list.reserve(translations.size());
  for (const Translation& translation : translations)
    list.push_back({translation.tokens, double(translation.score) / unit});
  return list;
}

void CheckConsensusWeights(const std::vector<double>& weights, size_t models) {
  if (!weights.empty() && weights.size() != models)
    throw Error(fmt::format("{} weights (--weights) for {} models; give one for each model, in their order",
                            weights.size(), models));
  if (!weights.empty() && std::all_of(weights.begin(), weights.end(), [](double weight) { return weight == 0; }))
    throw Error("weights (--weights): at least one model must have a weight above 0");
}

Combiner::Combiner(const std::vector<NamedModel>& models, const graft::CombineOptions& options)
    : models_(models), nbest_(options.nbest), consensus_{.scale = options.scale, .weights = options.weights} {
  for (const NamedModel& model : models_) translators_.emplace_back(*model.model);
}

Consensus Combiner::CombinePiece(const Sentence& piece, const StopCheck& stop) {
  std::vector<ScoredList> lists;
  for (size_t i = 0; i < models_.size(); ++i) {
    const Model& model = *models_[i].model;
    lists.push_back(ListOf(model.system(), model.weights(),
                           translators_[i].Translate(piece, {.nbest = nbest_, .distinct = true, .stop = stop})));
  }
  return FindConsensus(lists, consensus_, stop);
}

CombinedTranslation Combiner::Combine(const Sentence& sentence, const StopCheck& stop) {
  CombinedTranslation combined;
  combined.models.resize(models_.size());
  std::iota(combined.models.begin(), combined.models.end(), 0u);
  const std::vector<Sentence> pieces = SplitLongSentence(sentence, kMaxSentenceWords);
  for (const Sentence& piece : pieces) {
    const Consensus consensus = CombinePiece(piece, stop);
    const ConsensusCandidate& best = consensus.best();
    combined.tokens.insert(combined.tokens.end(), best.tokens.begin(), best.tokens.end());
    combined.gain += best.gain / double(pieces.size());
    combined.probability *= best.probability;
    std::vector<uint32_t> both;
    std::set_intersection(combined.models.begin(), combined.models.end(), best.lists.begin(), best.lists.end(),
                          std::back_inserter(both));
    combined.models = std::move(both);
  }
  return combined;
}

}  // namespace graft::engine
