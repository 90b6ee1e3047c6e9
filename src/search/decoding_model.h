// A model as one translator decodes with it: the model's parts, which all translators share, and search options and
// weights, which are the translator's own. A small value: whoever needs it keeps a copy.
#pragma once

#include "model/model.h"

namespace graft::engine {

class DecodingModel {
 public:
  // With the model's own options and weights. Implicit, for a model is the most common of these.
  DecodingModel(const Model& model)  // NOLINT(google-explicit-constructor)
      : model_(&model), search_(model.search()), weights_(model.weights()) {}
  // Throws Error for search options that the system cannot follow.
  DecodingModel(const Model& model, const SearchOptions& search, const FeatureVector& weights)
      : model_(&model), search_(search), weights_(weights) {
    CheckSearchOptions(model.system(), search);
  }

  const SearchOptions& search() const { return search_; }
  const FeatureVector& weights() const { return weights_; }

  const Model& model() const { return *model_; }
  const SystemSpec& system() const { return model_->system(); }
  const TextProcessor& text() const { return model_->text(); }
  const RuleTable& table() const { return model_->table(); }
  const LanguageModel& lm() const { return model_->lm(); }
  LmWord LmWordOf(WordId target_word) const { return model_->LmWordOf(target_word); }
  // Lowercase is looked up and copied.
  bool lowercase() const { return model_->config().text.lowercase; }

 private:
  const Model* model_;  // stays with the caller
  SearchOptions search_;
  FeatureVector weights_;
};

}  // namespace graft::engine
