// Raw text to tokens and back, by Unicode properties (ICU) and a few rules by language (text/language_rules.h).
//
//   Tokeniser tokeniser("en");
//   tokeniser.Tokenise("He doesn't know (yet).")          // He doesn 't know ( yet ) .
//   tokeniser.Detokenise(tokens)                           // the text again
//
// Words keep their hyphens, numbers their separators (1,000.50 12:30 2020-02-29), abbreviations their dots (Dr. z.B.);
// web and mail addresses and paths stay whole; touching emoji are one token. Apostrophes follow the language: it 's,
// l' eau, foto's. Chinese, Japanese, Thai, Lao, Khmer and Burmese are segmented by ICU's dictionaries.
//
// On clean text (single spaces, ordinary punctuation where the language puts it) Detokenise(Tokenise(text)) == text.
// What tokens cannot say is written one way: `and / or` without spaces, a French `mot !` and `« mot »` with plain ones,
// Chinese with a space beside Latin words and numbers and Japanese without.
//
// Tokens are never empty and hold no white space of any kind: every Unicode space, control and zero-width space
// separates, and comes back as a plain space. Soft hyphens, direction and byte-order marks are dropped. Invalid UTF-8
// is kept as it is. Immutable after construction; one per thread is not needed: calls are const and may run
// concurrently.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "util/stop_check.h"

namespace graft::engine {

class Tokeniser {
 public:
  explicit Tokeniser(std::string_view language = "");  // ISO 639 code; unknown or empty: rules that fit most languages
  ~Tokeniser();
  Tokeniser(Tokeniser&&) noexcept;
  Tokeniser& operator=(Tokeniser&&) noexcept;

  std::vector<std::string> Tokenise(std::string_view text, const StopCheck& stop = {}) const;  // may throw Stopped
  std::string Detokenise(const std::vector<std::string>& tokens) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace graft::engine
