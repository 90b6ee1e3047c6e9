// The usual case of words. Counts how each word is written where the case is the writer's choice (not at the start of a
// sentence), and gives words at the start of a sentence their usual form again.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "text/reporter.h"

namespace graft {

class Truecaser {
 public:
  void Count(const std::vector<std::string>& tokens);  // one sentence of training text
  void Finish();                                       // after the last Count; ties go to the bytewise smallest form

  void Apply(std::vector<std::string>* tokens) const;  // sentence starts take their usual form; others stay
  static void Undo(std::vector<std::string>* tokens);  // capitalises the start of each sentence

  void Write(const std::string& path) const;  // text, stable bytes
  static Truecaser Read(const std::string& path, const Reporter& reporter);

 private:
  std::unordered_map<std::string, std::string> forms_;  // lower-cased word -> usual form, where that is another
};

}  // namespace graft
