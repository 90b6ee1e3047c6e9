// Text as trained: what a line of a user's file becomes before a model sees it, and what a model's tokens become before
// the user sees them. Training, tuning and translation all go through here, so that they cannot differ. Immutable; all
// calls may run concurrently.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graft/reporter.h"
#include "text/text_options.h"
#include "text/tokeniser.h"
#include "text/truecaser.h"

namespace graft::engine {

enum class Side { kSource, kTarget };

class TextProcessor {
 public:
  // Throws Error for options that cannot be (CheckTextOptions). Truecasers are used only with options.truecase.
  explicit TextProcessor(TextOptions options, Truecaser source = {}, Truecaser target = {});

  const TextOptions& options() const { return options_; }
  bool tokenises() const { return options_.tokeniser != "none"; }

  // The tokens of a line: by the tokeniser, or by its spaces where text is tokenised already. Case is left alone.
  std::vector<std::string> Split(Side side, std::string_view line, const StopCheck& stop = {}) const;
  // Gives tokens (of Split, or of CoNLL-U) the case of training. Doing it twice changes nothing.
  void Normalise(Side side, std::vector<std::string>* tokens) const;

  // Tokens of a translation as they are written: truecasing undone.
  std::vector<std::string> WrittenTokens(std::vector<std::string> tokens) const;
  // Such tokens as text: detokenised where the model tokenises.
  std::string Join(const std::vector<std::string>& written) const;

  const Tokeniser& tokeniser(Side side) const;

 private:
  TextOptions options_;
  std::vector<Tokeniser> tokenisers_;  // source, target
  std::vector<Truecaser> truecasers_;
};

}  // namespace graft::engine
