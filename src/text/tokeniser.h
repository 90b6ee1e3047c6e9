// Raw text to tokens and back, by Unicode properties (ICU) and a few rules by language.
//
//   Tokeniser tokeniser("en");
//   tokeniser.Tokenise("He doesn't know (yet).")          // He doesn 't know ( yet ) .
//   tokeniser.Detokenise(tokens)                           // the text again
//
// On clean text (single spaces, ordinary punctuation) Detokenise(Tokenise(text)) == text. Tokens are never empty and
// hold no ASCII space or tab. Chinese, Japanese, Thai and the like are segmented by ICU's dictionaries and joined
// without spaces. Immutable after construction; one per thread is not needed: calls are const and may run concurrently.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace graft {

class Tokeniser {
 public:
  explicit Tokeniser(std::string_view language = "");  // ISO 639 code; unknown or empty: rules that fit most languages
  ~Tokeniser();
  Tokeniser(Tokeniser&&) noexcept;
  Tokeniser& operator=(Tokeniser&&) noexcept;

  std::vector<std::string> Tokenise(std::string_view text) const;
  std::string Detokenise(const std::vector<std::string>& tokens) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace graft
