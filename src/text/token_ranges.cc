#include "text/token_ranges.h"

#include <unicode/utf8.h>

#include "text/characters.h"
#include "util/utf8.h"

namespace graft::engine {
namespace {

// The bytes of the character at `at`; invalid ones one by one.
std::string_view CharacterAt(std::string_view text, size_t at, char32_t* character) {
  auto end = static_cast<int32_t>(at);
  UChar32 c = 0;
  U8_NEXT(text.data(), end, IcuLength(text), c);
  *character = c < 0 ? U'\uFFFD' : static_cast<char32_t>(c);
  return text.substr(at, static_cast<size_t>(end) - at);
}

bool LeftOut(char32_t character) {
  const CharClass kind = ClassOf(character);
  return kind == CharClass::kSpace || kind == CharClass::kIgnored;
}

}  // namespace

std::vector<TextRange> RangesOf(std::string_view text, const std::vector<std::string>& tokens) {
  std::vector<TextRange> ranges;
  size_t at = 0;
  for (const std::string_view token : tokens) {
    TextRange range{text.size(), text.size()};
    char32_t character = 0;
    for (size_t in_token = 0; in_token < token.size() && at < text.size();) {
      const std::string_view here = CharacterAt(text, at, &character);
      at += here.size();
      if (token.substr(in_token, here.size()) != here && LeftOut(character)) continue;
      if (in_token == 0) range.begin = at - here.size();
      in_token += here.size();
      range.end = at;
    }
    ranges.push_back(range);
  }
  return ranges;
}

}  // namespace graft::engine
