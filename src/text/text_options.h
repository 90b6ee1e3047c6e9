// How plain text becomes the tokens a model is trained on, and back: the [text] table of a model.
#pragma once

#include <string>
#include <vector>

namespace graft::engine {

struct TextOptions {
  bool lowercase = false;
  bool truecase = false;               // words at the start of a sentence take their usual case; excludes lowercase
  std::string tokeniser = "none";      // "none": text is tokenised already and stays as it is; "icu": tokeniser.h
  std::vector<std::string> languages;  // source and target, ["de", "en"]; the tokeniser's rules follow them

  friend bool operator==(const TextOptions&, const TextOptions&) = default;
};

std::vector<std::string> TextTokenisers();  // what `tokeniser` may be

// Throws Error for an unknown tokeniser, lowercase with truecase, and more than two languages.
void CheckTextOptions(const TextOptions& options);

}  // namespace graft::engine
