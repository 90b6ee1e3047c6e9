// Everything a decoder needs, shared by all threads and unchanged while any of them works: system, table, language
// model, weights, search options, and how text becomes tokens.
//
// On disk a model is a folder: model.toml, rules.graft, lm.bin, and with text.truecase the truecase models of both
// sides, truecase.source and truecase.target (text/truecaser.h). It can be moved, and opened read-only by many
// processes at once. model.toml holds the sums of all files (model/file_sums.h): a folder is what was written, or it is
// refused.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graft/reporter.h"
#include "lm/language_model.h"
#include "model/features.h"
#include "model/search_options.h"
#include "rules/system_spec.h"
#include "table/rule_table.h"
#include "text/text_options.h"
#include "text/text_processor.h"
#include "util/stop_check.h"

namespace graft::engine {

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

// model.toml as text, complete and readable, and its part that a weights file may hold: [text], [search], [weights].
std::string ModelToml(const ModelConfig& config);
std::string WeightsFileToml(const ModelConfig& config);

struct ModelDescription;  // model/model_config.h

// Throws Error if the folder lacks a file that every model has, or has a pipe and the like instead.
void CheckIsModel(const std::string& folder);

// One `section.key=value` of --set, the value in TOML syntax.
using Override = std::string;

class Model {
 public:
  // Opens a model folder. `overrides` replace keys of model.toml for this run. Throws Error for a folder that is not
  // complete and unchanged; a model.toml that was edited is reported.
  static std::unique_ptr<Model> Load(const std::string& folder, const std::vector<Override>& overrides = {},
                                     const Reporter& reporter = {});
  // Opens a folder as model.toml was read; files are compared with the sums that the description has.
  static std::unique_ptr<Model> LoadAs(const std::string& folder, const ModelDescription& description,
                                       const StopCheck& stop = {});

  // From parts in memory (tests, training). The table's system must equal config.system. Truecasers are used only with
  // config.text.truecase.
  Model(ModelConfig config, RuleTable table, std::unique_ptr<LanguageModel> lm, Truecaser source = {},
        Truecaser target = {});

  const SystemSpec& system() const { return config_.system; }
  const ModelConfig& config() const { return config_; }
  const SearchOptions& search() const { return config_.search; }
  const FeatureVector& weights() const { return config_.weights; }
  const TextProcessor& text() const { return text_; }
  const RuleTable& table() const { return table_; }
  const LanguageModel& lm() const { return *lm_; }

  LmWord LmWordOf(WordId target_word) const { return lm_words_[target_word]; }

 private:
  ModelConfig config_;
  TextProcessor text_;
  RuleTable table_;
  std::unique_ptr<LanguageModel> lm_;
  std::vector<LmWord> lm_words_;  // by target word id
};

// Checks combinations of search options for a system; throws Error.
void CheckSearchOptions(const SystemSpec& system, const SearchOptions& options);

// Files of a model folder that only models with text.truecase have: source, target.
inline constexpr std::array<const char*, 2> kTruecaseParts = {"truecase.source", "truecase.target"};

// The files a model folder is made of. Truecase models are given when, and only when, the model truecases.
struct ModelParts {
  std::string table;
  std::string lm;  // ARPA or KenLM binary; written as lm.bin in KenLM's binary form whatever form it came in
  std::string truecase_source, truecase_target;
};
// Assembles a model folder, with the sums of its files; one that is a model already is replaced.
void WriteModel(const std::string& folder, const ModelParts& parts, const ModelConfig& config,
                const StopCheck& stop = {});

}  // namespace graft::engine
