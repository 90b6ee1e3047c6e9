// Everything a decoder needs, immutable and shared by all threads: system, table, language model, weights, search
// options.
//
// On disk a model is a folder: model.toml, rules.graft, lm.bin. It can be moved, and opened read-only by many processes
// at once.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lm/language_model.h"
#include "rules/system_spec.h"
#include "search/features.h"
#include "search/search_options.h"
#include "table/rule_table.h"

namespace graft {

struct TextOptions {
  bool lowercase = false;
  std::vector<std::string> languages;  // source and target, for information: ["de", "en"]

  friend bool operator==(const TextOptions&, const TextOptions&) = default;
};

// The contents of model.toml; with `system` left empty also those of weights.toml.
struct ModelConfig {
  SystemSpec system;
  TextOptions text;
  SearchOptions search;
  FeatureVector weights = kDefaultWeights;
};

// Reads a [weights] table, optionally with [search] and [text], into `config` (whose system is set). Unknown keys,
// weights of features the system does not have and values of the wrong type are Errors with file, line and, where one
// is near, a suggestion.
void ReadWeightsFile(const std::string& path, ModelConfig* config);

// model.toml as text, complete and readable.
std::string ModelToml(const ModelConfig& config);

// One `section.key=value` of --set, the value in TOML syntax.
using Override = std::string;

class Model {
 public:
  // Opens a model folder. `overrides` replace keys of model.toml for this run.
  static std::unique_ptr<Model> Load(const std::string& folder, const std::vector<Override>& overrides = {});

  // From parts in memory (tests, training). The table's system must equal config.system.
  Model(ModelConfig config, RuleTable table, std::unique_ptr<LanguageModel> lm);

  const SystemSpec& system() const { return config_.system; }
  const ModelConfig& config() const { return config_; }
  const SearchOptions& search() const { return config_.search; }
  const FeatureVector& weights() const { return config_.weights; }
  const RuleTable& table() const { return table_; }
  const LanguageModel& lm() const { return *lm_; }

  LmWord LmWordOf(WordId target_word) const { return lm_words_[target_word]; }

 private:
  ModelConfig config_;
  RuleTable table_;
  std::unique_ptr<LanguageModel> lm_;
  std::vector<LmWord> lm_words_;  // by target word id
};

// Checks combinations of search options for a system; throws Error.
void CheckSearchOptions(const SystemSpec& system, const SearchOptions& options);

// Assembles a model folder from parts; the language model is written as lm.bin in KenLM's binary form whatever form it
// came in.
void WriteModel(const std::string& folder, const std::string& table_path, const std::string& lm_path,
                const ModelConfig& config);

}  // namespace graft
