#include "text/sentence_splitter.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <string>

#include "text/characters.h"
#include "util/utf8.h"

namespace graft::engine {
namespace {

constexpr std::u32string_view kLineEnds = U"\n\r\v\f\u0085\u2028\u2029";

std::u32string Characters(std::string_view text) {
  std::u32string characters;
  const auto length = IcuLength(text);
  for (int32_t at = 0; at < length;) {
    UChar32 c = 0;
    U8_NEXT(text.data(), at, length, c);
    characters += c < 0 ? U'\uFFFD' : static_cast<char32_t>(c);
  }
  return characters;
}

// A mark that ends sentences, or several.
bool IsFinal(std::u32string_view token) {
  return std::all_of(token.begin(), token.end(), [](char32_t c) {
    return c == U'…' || u_hasBinaryProperty(static_cast<UChar32>(c), UCHAR_S_TERM) != 0;
  });
}
bool IsWide(std::u32string_view token) { return ClassOf(token.back()) == CharClass::kWideMark; }

// A quote or bracket that closes what stands before it.
bool Closes(std::u32string_view token) {
  for (const char32_t c : token) {
    const CharClass kind = ClassOf(c);
    const int8_t type = u_charType(static_cast<UChar32>(c));
    const bool closes = kind == CharClass::kClose || kind == CharClass::kQuote || kind == CharClass::kApostrophe ||
                        type == U_END_PUNCTUATION || type == U_FINAL_PUNCTUATION;
    if (!closes) return false;
  }
  return true;
}

bool StartsSmall(std::u32string_view token) { return IsLowercaseLetter(token.front()); }

// Appends the sentences of one line, which begins at byte `offset` of the text.
void SplitLine(const Tokeniser& tokeniser, std::string_view line, size_t offset, const StopCheck& stop,
               std::vector<TextRange>* sentences) {
  const std::vector<std::string> tokens = tokeniser.Tokenise(line, stop);
  if (tokens.empty()) return;
  const std::vector<TextRange> ranges = RangesOf(line, tokens);
  std::vector<std::u32string> characters;
  for (const std::string& token : tokens) characters.push_back(Characters(token));
  size_t begin = ranges.front().begin;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (!IsFinal(characters[i])) continue;
    bool wide = IsWide(characters[i]);
    while (i + 1 < tokens.size() && ranges[i + 1].begin == ranges[i].end &&
           (Closes(characters[i + 1]) || IsFinal(characters[i + 1]))) {
      ++i;
      wide |= IsWide(characters[i]);
    }
    if (i + 1 == tokens.size()) break;
    const bool spaced = ranges[i + 1].begin > ranges[i].end;
    if ((!spaced && !wide) || StartsSmall(characters[i + 1])) continue;
    sentences->push_back({offset + begin, offset + ranges[i].end});
    begin = ranges[i + 1].begin;
  }
  sentences->push_back({offset + begin, offset + ranges.back().end});
}

}  // namespace

std::vector<TextRange> SplitSentences(const Tokeniser& tokeniser, std::string_view text, const StopCheck& stop) {
  std::vector<TextRange> sentences;
  size_t line = 0;
  const auto length = IcuLength(text);
  for (int32_t at = 0; at < length;) {
    const int32_t before = at;
    UChar32 c = 0;
    U8_NEXT(text.data(), at, length, c);
    if (c < 0 || kLineEnds.find(static_cast<char32_t>(c)) == std::u32string_view::npos) continue;
    SplitLine(tokeniser, text.substr(line, static_cast<size_t>(before) - line), line, stop, &sentences);
    line = static_cast<size_t>(at);
  }
  SplitLine(tokeniser, text.substr(line), line, stop, &sentences);
  return sentences;
}

std::vector<TextRange> SplitRoughly(std::string_view text, size_t begin) {
  constexpr std::string_view kBlanks = " \t\n\r\v\f", kMarks = ".!?";
  std::vector<TextRange> sentences;
  while ((begin = text.find_first_not_of(kBlanks, begin)) != std::string_view::npos) {
    size_t end = begin + 1;
    while (end < text.size() && text[end] != '\n' &&
           (kMarks.find(text[end - 1]) == std::string_view::npos || kBlanks.find(text[end]) == std::string_view::npos))
      ++end;
    const size_t next = end;
    while (kBlanks.find(text[end - 1]) != std::string_view::npos) --end;
    sentences.push_back({begin, end});
    begin = next;
  }
  return sentences;
}

}  // namespace graft::engine
