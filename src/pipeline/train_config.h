// The configuration of `graft train`: one TOML file, every path in it relative to the file.
// Its sections and keys: train_tables.h, system_options.h for [system], model_tables.h for [search] and [weights].
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "corpus/source_reader.h"
#include "graft/reporter.h"
#include "graft/training_steps.h"
#include "model/model.h"
#include "rules/pair_bound.h"
#include "text/text_options.h"

namespace graft::engine {

// Sentences with their translations: all of the files, or `limit` pairs after the first `skip`.
struct TextPart {
  std::string source;
  std::vector<std::string> references;
  uint64_t skip = 0;
  uint64_t limit = 0;  // 0: all
};

struct TrainConfig {
  std::string output;  // the model folder
  std::string shared;  // folder of what several trainings have in common; empty: the work folder
  SystemSpec system;
  SourceOptions reading;  // how CoNLL-U is read: what the system says, or what all systems that share it say
  TextPart corpus;        // one reference: the target side
  std::string align;      // Pharaoh links of the corpus; empty: made
  TextOptions text;
  uint64_t max_pair_rules = kMaxPairRulesOfSystem;  // rules of one pair (rules/pair_bound.h)

  // Of these, what the tables of train_tables.h have; files, threads and memory are the steps' own.
  graft::AlignOptions aligning;
  graft::LanguageModelOptions lm;
  graft::TuneOptions tune;

  std::vector<std::string> lm_text;  // empty: the target side of the corpus
  std::string lm_file;               // a finished model instead

  std::optional<TextPart> dev;
  std::vector<std::pair<std::string, TextPart>> tests;  // by name

  SearchOptions search;
  FeatureVector weights = kDefaultWeights;

  std::string work_folder() const { return output + ".work"; }
  std::string shared_folder() const { return shared.empty() ? work_folder() : shared; }
  ModelConfig model() const { return {.system = system, .text = text, .search = search, .weights = weights}; }
};

// Reads a configuration; `overrides` replace keys (`tune.runs=3`). Unknown keys (with a suggestion), values of the
// wrong type, combinations that mean nothing and files that do not exist are Errors with file and line.
TrainConfig ReadTrainConfig(const std::string& path, const std::vector<Override>& overrides);

// The same from text that is (or will be) the contents of `path`.
TrainConfig ParseTrainConfig(const std::string& text, const std::string& path, const std::vector<Override>& overrides);

}  // namespace graft::engine
