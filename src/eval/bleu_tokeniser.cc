#include "eval/bleu_tokeniser.h"

#include <unicode/uchar.h>

#include <array>
#include <utility>

#include "eval/python_text.h"
#include "graft/error.h"
#include "util/suggest.h"

namespace graft::engine {

namespace {

constexpr std::array<std::pair<std::string_view, BleuTokeniser>, 5> kTokenisers = {{{"13a", BleuTokeniser::k13a},
                                                                                    {"zh", BleuTokeniser::kZh},
                                                                                    {"none", BleuTokeniser::kNone},
                                                                                    {"intl", BleuTokeniser::kIntl},
                                                                                    {"char", BleuTokeniser::kChar}}};

enum class Gap { kBetweenAndAfter, kBeforeAndBetween };

// Spaces are put around the members of all pairs of neighbours that `first` and `second` hold for. Pairs are looked for
// from left to right and do not overlap, as those of a regular expression's replacement: of "a.." only "a." is one.
template <class String, class First, class Second>
String Separate(const String& text, First first, Second second, Gap gap) {
  String result;
  result.reserve(text.size() + text.size() / 4);
  for (size_t i = 0; i < text.size(); ++i) {
    const bool pair = i + 1 < text.size() && first(text[i]) && second(text[i + 1]);
    if (pair && gap == Gap::kBeforeAndBetween) result += ' ';
    result += text[i];
    if (!pair) continue;
    result += ' ';
    result += text[++i];
    if (gap == Gap::kBetweenAndAfter) result += ' ';
  }
  return result;
}

// A space before and after every character that `alone` holds for.
template <class String, class Alone>
String Isolate(const String& text, Alone alone) {
  String result;
  result.reserve(text.size() + text.size() / 4);
  for (const auto c : text) {
    if (alone(c)) {
      result += ' ';
      result += c;
      result += ' ';
    } else {
      result += c;
    }
  }
  return result;
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsNoDigit(char c) { return !IsDigit(c); }
bool IsPeriodOrComma(char c) { return c == '.' || c == ','; }

// ASCII punctuation but for ' , - and .
bool IsWesternPunctuation(char c) {
  return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') || (c >= '(' && c <= '+') ||
         (c >= ':' && c <= '@') || c == '/';
}

// What 13a and zh share. Bytes will do: all characters it looks for are ASCII, and whether the neighbour is a digit one
// byte of it tells.
std::vector<std::string> TokeniseWestern(std::string text) {
  text = Isolate(text, IsWesternPunctuation);
  text = Separate(text, IsNoDigit, IsPeriodOrComma, Gap::kBetweenAndAfter);
  text = Separate(text, IsPeriodOrComma, IsNoDigit, Gap::kBeforeAndBetween);
  text = Separate(
      text, IsDigit, [](char c) { return c == '-'; }, Gap::kBetweenAndAfter);
  return PythonSplit(text);
}

void ReplaceAll(std::string* text, std::string_view from, std::string_view to) {
  for (size_t at = text->find(from); at != std::string::npos; at = text->find(from, at + to.size()))
    text->replace(at, from.size(), to);
}

std::vector<std::string> Tokenise13a(std::string_view line) {
  std::string text(line);
  ReplaceAll(&text, "<skipped>", "");
  ReplaceAll(&text, "&quot;", "\"");
  ReplaceAll(&text, "&amp;", "&");
  ReplaceAll(&text, "&lt;", "<");
  ReplaceAll(&text, "&gt;", ">");
  return TokeniseWestern(" " + text + " ");
}

// sacreBLEU's table. Its entries for the supplementary ideographs (U+20000 to U+2A6D6, U+2F800 to U+2FA1D) were meant
// so, but read as four digits and one letter more, and so cover U+2001 to U+2A6D (dashes, quotes and arrows among
// them), not the ideographs. Scores depend on it, so this does the same.
bool IsChinese(char32_t c) {
  static constexpr std::array<std::pair<char32_t, char32_t>, 18> kRanges = {
      {{0x2001, 0x2A6D},  // with all of U+2600 to U+27BF, which the table has too
       {0x2E80, 0x2EFF},
       {0x2F00, 0x2FDF},
       {0x2FF0, 0x2FFF},
       {0x3000, 0x303F},
       {0x3100, 0x312F},
       {0x31A0, 0x31BF},
       {0x31C0, 0x31EF},
       {0x3200, 0x32FF},
       {0x3300, 0x33FF},
       {0x3400, 0x4DB5},
       {0x4E00, 0x9FBB},
       {0xF900, 0xFA2D},
       {0xFA30, 0xFA6A},
       {0xFA70, 0xFAD9},
       {0xFE10, 0xFE1F},
       {0xFE30, 0xFE4F},
       {0xFF00, 0xFFEF}}};
  for (const auto& [first, last] : kRanges)
    if (first <= c && c <= last) return true;
  return false;
}

std::vector<std::string> TokeniseZh(std::string_view line) {
  return TokeniseWestern(EncodeUtf8(Isolate(DecodeUtf8(PythonStrip(line)), IsChinese)));
}

bool HasCategory(char32_t c, uint32_t mask) { return (U_GET_GC_MASK(static_cast<UChar32>(c)) & mask) != 0; }
bool IsNoNumber(char32_t c) { return !HasCategory(c, U_GC_N_MASK); }
bool IsPunctuation(char32_t c) { return HasCategory(c, U_GC_P_MASK); }
bool IsSymbol(char32_t c) { return HasCategory(c, U_GC_S_MASK); }

std::vector<std::string> TokeniseIntl(std::string_view line) {
  std::u32string text = DecodeUtf8(line);
  text = Separate(text, IsNoNumber, IsPunctuation, Gap::kBetweenAndAfter);
  text = Separate(text, IsPunctuation, IsNoNumber, Gap::kBeforeAndBetween);
  return PythonSplit(EncodeUtf8(Isolate(text, IsSymbol)));
}

std::vector<std::string> TokeniseChar(std::string_view line) {
  std::vector<std::string> tokens;
  for (const char32_t c : DecodeUtf8(line))
    if (!IsPythonSpace(c)) tokens.push_back(EncodeUtf8({&c, 1}));
  return tokens;
}

}  // namespace

BleuTokeniser BleuTokeniserByName(std::string_view name) {
  for (const auto& [known, tokeniser] : kTokenisers)
    if (known == name) return tokeniser;
  throw Error("unknown tokeniser `" + std::string(name) + "`" + Suggestion(name, BleuTokeniserNames()));
}

std::vector<std::string> BleuTokeniserNames() {
  std::vector<std::string> names;
  for (const auto& [name, tokeniser] : kTokenisers) names.emplace_back(name);
  return names;
}

std::string_view NameOf(BleuTokeniser tokeniser) {
  for (const auto& [name, known] : kTokenisers)
    if (known == tokeniser) return name;
  return "";
}

std::vector<std::string> TokeniseForBleu(BleuTokeniser tokeniser, std::string_view line) {
  line = PythonStripRight(line);
  switch (tokeniser) {
    case BleuTokeniser::k13a: return Tokenise13a(line);
    case BleuTokeniser::kZh: return TokeniseZh(line);
    case BleuTokeniser::kNone: return PythonSplit(line);
    case BleuTokeniser::kIntl: return TokeniseIntl(line);
    case BleuTokeniser::kChar: return TokeniseChar(line);
  }
  return {};
}

}  // namespace graft::engine
