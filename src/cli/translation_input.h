// What translating verbs read: sentences from CoNLL-U, tokens or raw text, in the form that the models at hand can
// take.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "corpus/sentence.h"
#include "corpus/source_reader.h"
#include "graft/reporter.h"
#include "model/model_group.h"
#include "util/line_reader.h"

namespace graft::engine::cli {

// FILE and --input.
struct TranslationInputOption {
  std::string file = "-", format;
  void AddTo(CLI::App* app);
};

// A sentence on its way: raw text waits for a worker to tokenise it.
struct TranslationItem {
  uint64_t id = 0;
  std::string line;  // raw text
  Sentence sentence;
};

class TranslationInput {
 public:
  // One or more models, which must outlive this object. Throws Error if they do not read the same text or one of them
  // cannot read the input.
  TranslationInput(const TranslationInputOption& option, const std::vector<NamedModel>& models,
                   const Reporter& reporter);

  bool Next(TranslationItem* item);
  void Tokenise(TranslationItem* item) const;  // may run concurrently
  // Tokens of a translation for the user: whoever gives tokens of plain text gets tokens.
  std::string Present(std::vector<std::string> tokens) const;

 private:
  enum class Form { kConllu, kText, kRaw };  // kText: tokens; kRaw: text that the models tokenise
  static Form FormOf(const TranslationInputOption& option, const std::vector<NamedModel>& models);

  void NoteTags(const Sentence* sentence);  // a null one is the end

  const TextProcessor& text_;
  const std::string name_;
  const Reporter& reporter_;
  bool wants_tags_;  // and none has been seen yet
  bool words_seen_ = false;
  Form form_ = Form::kConllu;
  std::optional<SourceReader> sentences_;
  std::optional<LineReader> lines_;
  uint64_t next_id_ = 0;
};

}  // namespace graft::engine::cli
