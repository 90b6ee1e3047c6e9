// Text to tokens and back, and the usual case of words: what a model that tokenises does by itself, for those who
// prepare text on their own.
//
//   const graft::Tokeniser tokeniser({.language = "en"});
//   const std::vector<std::string> tokens = tokeniser.Tokens("He doesn't know.");  // He doesn 't know .
//   std::puts(tokeniser.Text(tokens).c_str());                                     // the text again
//
//   // Whole files, on all cores; the usual case of words is learned on the way, and used.
//   graft::TokeniseFile({.input = "raw.de", .output = "train.de", .tokeniser = {.language = "de"},
//                        .truecase_output = "truecase.de"});
//   graft::TokeniseFile({.input = "train.de", .output = "cased.de",
//                        .tokeniser = {.truecase = "truecase.de", .tokenised = true}});
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "graft/reporter.h"

#pragma GCC visibility push(default)
namespace graft {

struct TokeniserOptions {
  std::string language{};  // "en", "de", "zh", …: apostrophes, abbreviations and spacing follow it; empty: as most do
  std::string truecase{};  // a file with the usual case of words, which the first words of sentences take; empty: none
  bool tokenised = false;  // text is tokens already, between spaces, and stays so: only its case changes
};

// Calls may be made from any thread.
class Tokeniser {
 public:
  // Throws Error for a file that is none of usual cases.
  explicit Tokeniser(const TokeniserOptions& options = {}, const Reporter& reporter = {});
  ~Tokeniser();
  Tokeniser(Tokeniser&&) noexcept;

  std::vector<std::string> Tokens(std::string_view line) const;
  // The way back. With usual cases, sentences begin with a capital again.
  std::string Text(std::vector<std::string> tokens) const;

 private:
  struct Impl;
  std::unique_ptr<const Impl> impl_;
};

struct TokeniseFileOptions {
  std::string input = "-", output = "-";  // one sentence a line, compressed as their names say; - is stdin, stdout
  TokeniserOptions tokeniser{};
  bool undo = false;              // tokens in, text out
  std::string truecase_output{};  // the usual case of the words of this text goes here; empty: is not learned
  int threads = 0;                // 0: as many as the machine has cores; never changes a result
};
// Line by line, in order. What is read from stdin is written as soon as it is done.
void TokeniseFile(const TokeniseFileOptions& options, const Reporter& reporter = {});

}  // namespace graft
#pragma GCC visibility pop
