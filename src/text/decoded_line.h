// A line of text as characters with the parts they play, and the way back to its bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/characters.h"

namespace graft::engine {

class DecodedLine {
 public:
  // Ignored characters (CharClass::kIgnored) are left out. `line` must outlive what View gives. Memory is kept for the
  // next line.
  void Read(std::string_view line);

  size_t size() const { return characters_.size(); }
  char32_t operator[](size_t i) const { return characters_[i]; }
  CharClass Class(size_t i) const { return classes_[i]; }
  std::string_view View(size_t begin, size_t end) const {
    return text_.substr(offsets_[begin], offsets_[end] - offsets_[begin]);
  }

 private:
  bool Decode(std::string_view line);  // false: there are characters to leave out

  std::vector<char32_t> characters_;
  std::vector<CharClass> classes_;
  std::vector<uint32_t> offsets_;  // in bytes; one more than there are characters
  std::string_view text_;
  std::string clean_;  // the text without ignored characters, if it has any
};

}  // namespace graft::engine
