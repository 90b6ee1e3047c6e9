// Where tokens stand in the text that they were cut from, or that they were put together to.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace graft::engine {

struct TextRange {
  size_t begin = 0, end = 0;  // bytes begin .. end - 1

  friend bool operator==(const TextRange&, const TextRange&) = default;
};

// `tokens` are all of `text` in its order, but for white space and for the characters that a tokeniser leaves out
// (CharClass::kIgnored), between and inside them.
std::vector<TextRange> RangesOf(std::string_view text, const std::vector<std::string>& tokens);

}  // namespace graft::engine
