// What is to be translated. Made by name, never guessed from its content:
//
//   graft::Input text = graft::Input::Text("Der Lehrer ruft den Arzt an. Er kommt.");  // as people write
//   graft::Input line = graft::Input::Line("Der Lehrer ruft den Arzt an.");            // one sentence, not split
//   graft::Input tokens = graft::Input::Tokens({"der", "Lehrer", "ruft", "an"});       // one sentence, as trained
//   graft::Input trees = graft::Input::Conllu("1\tEr\t_\t_\t_\t_\t2\tnsubj\t_\t_\n"
//                                             "2\tkommt\t_\t_\t_\t_\t0\troot\t_\t_\n");
//   graft::Input parsed = graft::Input::Parsed({{"Er", "PPER", 2, "nsubj"}, {"kommt", "VVFIN", 0, "root"}});
//
// Systems that work on trees (ModelInfo::reads_trees) take the last two; raw text needs a model that tokenises
// (ModelInfo::tokenises).
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "graft/reporter.h"

#pragma GCC visibility push(default)
namespace graft {

class Model;

// A word of a parsed sentence.
struct Word {
  std::string form;
  std::string tag;       // part of speech, as in training; empty: unknown
  int head = 0;          // number of the word it depends on, from 1; 0: a root
  std::string relation;  // to the head; empty: unknown
};

class Input {
 public:
  enum class Kind { kText, kLine, kTokens, kConllu, kParsed };

  Input() = default;  // an empty line
  // Up to 64 MB of text, as of every input. Sentences end at their punctuation and at line ends; the white space
  // between them is kept.
  static Input Text(std::string text) { return {Kind::kText, std::move(text), {}, {}}; }
  static Input Line(std::string text) { return {Kind::kLine, std::move(text), {}, {}}; }
  static Input Tokens(std::vector<std::string> tokens) { return {Kind::kTokens, {}, std::move(tokens), {}}; }
  // Any number of sentences, separated by empty lines.
  static Input Conllu(std::string blocks) { return {Kind::kConllu, std::move(blocks), {}, {}}; }
  static Input Parsed(std::vector<Word> words) { return {Kind::kParsed, {}, {}, std::move(words)}; }

  Kind kind() const { return kind_; }
  const std::string& text() const { return text_; }                   // kText, kLine, kConllu
  const std::vector<std::string>& tokens() const { return tokens_; }  // kTokens
  const std::vector<Word>& words() const { return words_; }           // kParsed

 private:
  Input(Kind kind, std::string text, std::vector<std::string> tokens, std::vector<Word> words)
      : kind_(kind), text_(std::move(text)), tokens_(std::move(tokens)), words_(std::move(words)) {}

  Kind kind_ = Kind::kLine;
  std::string text_;
  std::vector<std::string> tokens_;
  std::vector<Word> words_;
};

// Sentences of a file, one Input each, in the form that the given models read.
class InputReader {
 public:
  // `file`: a path, compressed by its name (.gz .zst .xz), or - for stdin. `form`: "conllu", "text" (tokens), "raw"
  // (lines that the models tokenise) or empty: by name, then by content (a first line of ten columns is
  // CoNLL-U); stdin is CoNLL-U for models of trees; everything else is raw for a model that tokenises, else text.
  // Throws Error if the models do not read the same text or one of them cannot read the file.
  InputReader(const std::string& file, const std::string& form, const std::vector<std::shared_ptr<const Model>>& models,
              const Reporter& reporter = {});
  ~InputReader();
  InputReader(InputReader&&) noexcept;

  bool Next(Input* input);  // false: no more

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace graft
#pragma GCC visibility pop
