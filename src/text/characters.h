// What a character is to a tokeniser: the part it plays in a line of text, by its Unicode properties.
#pragma once

#include <cstdint>
#include <string_view>

namespace graft::engine {

enum class CharClass : uint8_t {
  kLetter,      // letters, marks, and whatever else makes words: unassigned, private use
  kNumber,      // digits and other numerals
  kSymbol,      // signs that stay with the word they touch: - _ & # @ * + = < > | ° § …
  kContinuous,  // scripts written without spaces: Han, kana, Thai, Lao, Khmer, Myanmar
  kSpace,       // white space, controls, the zero-width space
  kIgnored,     // invisible and without meaning for translation: soft hyphen, byte-order and direction marks
  kOpen,        // brackets and quotes that open, ¿ ¡
  kClose,       // brackets and quotes that close, ® ™
  kQuote,       // "
  kApostrophe,  // ' and ’
  kDot,         // .
  kComma,       // ,
  kColon,       // :
  kStop,        // ; ! ? … and other marks that follow a word
  kSlash,       // /
  kPercent,     // % ‰
  kCurrency,    // $ £ € …
  kDash,        // — and longer; shorter dashes are kSymbol
  kWideMark,    // punctuation of the Chinese and Japanese, as wide as a character
  kEmoji,
};

CharClass ClassOf(char32_t c);

// Letters, numbers and symbols: what words are made of.
inline bool MakesWords(CharClass c) { return c <= CharClass::kSymbol; }
inline bool IsAlphanumeric(CharClass c) { return c <= CharClass::kNumber; }

bool IsMark(char32_t c);  // combining marks and variation selectors, which belong to the character before
bool IsLowercaseLetter(char32_t c);
bool IsUppercaseLetter(char32_t c);

// Can `c` continue an emoji that is not over yet (skin tones, joiners, tags, variation selectors)?
bool ExtendsEmoji(char32_t c);

// First and last character of valid, non-empty UTF-8.
char32_t FirstCharacter(std::string_view text);
char32_t LastCharacter(std::string_view text);

}  // namespace graft::engine
