// The usual case of words. Counts how each word is written where its case is the writer's choice, and gives words at
// the start of a sentence their usual form again.
//
//   Truecaser truecaser;
//   for (const auto& tokens : corpus) truecaser.Count(tokens);
//   truecaser.Finish();
//   truecaser.Apply(&tokens);    // Das Haus ist groß .  →  das Haus ist groß .
//   Truecaser::Undo(&tokens);    // the house is big .  →  The house is big .
//
// A sentence starts at the first word and after a token that is a sentence-final mark (. ! ? 。 । …); quotes, brackets,
// dashes and bullets before the word do not count as words. A number is a word: nothing after it is a start. After `!
// "` and `? "` the sentence may go on (“Really?” he asked), so that is no start either.
//
// A line that is all capitals (three words or more) is a headline: it is not counted, and in Apply all of its words
// take their usual form. Undo does not bring the capitals back.
//
// File form: UTF-8 text, first line `graft truecase 1`, then one usual form a line, ordered bytewise by the lower-cased
// word.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "graft/reporter.h"

namespace graft::engine {

class Truecaser {
 public:
  void Count(const std::vector<std::string>& tokens);  // one sentence of training text
  void Finish();                                       // after the last Count; ties go to the bytewise smallest form

  // Sentence starts take their usual form; other words, words never counted, and acronyms (IT at a start is not `it`)
  // stay as they are.
  void Apply(std::vector<std::string>* tokens) const;
  // Capitalises the start of each sentence. Words with capitals inside (iPhone), addresses and numbers stay.
  static void Undo(std::vector<std::string>* tokens);

  void Write(const std::string& path) const;  // stable bytes
  // Throws Error with file and line.
  static Truecaser Read(const std::string& path, const Reporter& reporter);

  size_t size() const { return forms_.size(); }

 private:
  std::unordered_map<std::string, uint64_t> counts_;    // of forms, until Finish
  std::unordered_map<std::string, std::string> forms_;  // lower-cased word -> usual form
};

}  // namespace graft::engine
