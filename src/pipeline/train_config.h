// The configuration of `graft train`: one TOML file, every path in it relative to the file.
//
//   output = "model"                     # folder; intermediate files go to model.work beside it
//   [system]   name graph …              # as in model.toml
//   [corpus]   source target align limit lowercase truecase tokenised languages
//   [align]    method symmetrise seed    # when corpus.align is not given
//   [lm]       order prune text | file
//   [dev]      source references skip limit
//   [test.X]   source references skip limit        any number
//   [tune]     runs iterations seed method
//   [search]   as in model.toml
//   [weights]  as in model.toml: where tuning starts
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "corpus/source_reader.h"
#include "graft/reporter.h"
#include "model/model.h"
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

  std::string align_method = "hmm";
  std::string symmetrise = "grow-diag-final-and";
  uint64_t align_seed = 1;

  int lm_order = 5;
  std::vector<uint64_t> lm_prune;
  std::vector<std::string> lm_text;  // empty: the target side of the corpus
  std::string lm_file;               // a finished model instead

  std::optional<TextPart> dev;
  std::vector<std::pair<std::string, TextPart>> tests;  // by name

  int tune_runs = 1;
  int tune_iterations = 25;
  uint64_t tune_seed = 1;
  std::string tune_method = "mira";

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
