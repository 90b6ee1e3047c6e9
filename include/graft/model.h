// A trained model, opened once and shared by any number of threads and translators; nothing about it changes.
//
//   std::shared_ptr<const graft::Model> model = graft::Model::Open("model");
//   std::printf("%s, %s to %s\n", model->info().title.c_str(), model->info().source_language.c_str(),
//               model->info().target_language.c_str());
//
// Weights and search options are not part of what is shared: a translator or a call may have its own (translator.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "graft/error.h"
#include "graft/reporter.h"

#pragma GCC visibility push(default)
namespace graft {

// Settings by name, `section.key=value` as the command line's --set has them: "search.beam=100", "weights.LM=0.4",
// "system.name=hpbmt". An unknown key, or one that means nothing where it is given, is an Error with a suggestion. The
// keys are listed in docs/options.md.
using Settings = std::vector<std::string>;

struct ModelInfo {
  std::string folder;
  std::string system;           // as in --system: "seggbmt"
  std::string title;            // as in tables: "SegGBMT DBG"
  std::string source_language;  // ISO 639, empty if the model does not say
  std::string target_language;
  bool reads_trees = false;  // translates parsed sentences only
  bool reads_tags = false;   // uses the parts of speech of the source words
  bool tokenises = false;    // takes and gives raw text
  bool lowercase = false;    // text is lower-cased before translation
  bool truecase = false;     // words at the start of a sentence take their usual case
  uint64_t rules = 0;
  int lm_order = 0;
  uint64_t table_bytes = 0;  // on disk, mapped when opened
  uint64_t lm_bytes = 0;
  std::string table_format;  // version of the table's format: "1.0"
  std::string lm_form;       // how the language model is stored: "probing hash tables"
};

namespace internal {
struct ModelAccess;
}

class Model {
 public:
  // `settings` replace keys of model.toml. Throws Error for a folder that is not a complete model, or one with a file
  // that is not what was written; a model.toml that was edited is accepted and reported.
  static std::shared_ptr<const Model> Open(const std::string& folder, const Settings& settings = {},
                                           const Reporter& reporter = {});
  ~Model();
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  const ModelInfo& info() const { return info_; }
  // model.toml as it is in force.
  std::string Configuration() const;

 private:
  friend struct internal::ModelAccess;
  struct Impl;
  explicit Model(std::unique_ptr<const Impl> impl);

  std::unique_ptr<const Impl> impl_;
  ModelInfo info_;
};

// A file of a model folder.
struct ModelFile {
  std::string name;
  uint64_t bytes = 0;
  std::string problem;  // why it is not what was written; empty if it is, or if that cannot be told
};

struct ModelState {
  bool sums = false;    // model.toml holds the sums of the files; models of older versions have none
  bool edited = false;  // model.toml is not what was written
  std::vector<ModelFile> files;
};

// The files of a model folder and whether they are what was written. Quick: of the rule table only its first page is
// read. Throws Error for a folder that is no model, or a model.toml that cannot be read.
ModelState InspectModel(const std::string& folder, const Reporter& reporter = {});

// Reads every byte of a model and checks every sum and structure. Throws Error for the first that is wrong.
// reporter.stop ends this, InspectModel and SealModel with Stopped.
void VerifyModel(const std::string& folder, const Reporter& reporter = {});

// Accepts the files as they are, if they make a model: writes their sums into model.toml.
void SealModel(const std::string& folder, const Reporter& reporter = {});

// A model's table is mapped, not read. If somebody writes to the file while it is in use (`cp` over it), calls that
// find out throw Error; but a file that gets shorter makes the system end the process (SIGBUS), unless this was called:
// it installs a handler for the whole process, which leaves all other faults to the handler that was there. The command
// line does; a library does not unasked.
void SurviveCutFiles();

}  // namespace graft
#pragma GCC visibility pop
