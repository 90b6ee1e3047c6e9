#include "text/characters.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

#include <array>
#include <memory>

#include "util/utf8.h"

namespace graft::engine {
namespace {

constexpr char32_t kTableEnd = 0x10000;

bool IsContinuousScript(UChar32 c) {
  UErrorCode status = U_ZERO_ERROR;
  switch (uscript_getScript(c, &status)) {
    case USCRIPT_HAN:
    case USCRIPT_HIRAGANA:
    case USCRIPT_KATAKANA:
    case USCRIPT_THAI:
    case USCRIPT_LAO:
    case USCRIPT_KHMER:
    case USCRIPT_MYANMAR: return true;
    default: return c == 0x30FC || c == 0xFF70;  // the prolonged sound mark is common to both kana
  }
}

bool IsWide(UChar32 c) {
  const int32_t width = u_getIntPropertyValue(c, UCHAR_EAST_ASIAN_WIDTH);
  return width == U_EA_FULLWIDTH || width == U_EA_WIDE || width == U_EA_HALFWIDTH;
}

bool IsEmoji(UChar32 c) {
  if (c < 0x203C || c == 0x2122 || c == 0x2139) return false;
  return u_hasBinaryProperty(c, UCHAR_EXTENDED_PICTOGRAPHIC) != 0 ||
         u_hasBinaryProperty(c, UCHAR_EMOJI_MODIFIER) != 0 || u_hasBinaryProperty(c, UCHAR_REGIONAL_INDICATOR) != 0;
}

CharClass Punctuation(UChar32 c) {
  switch (c) {
    case '"': return CharClass::kQuote;
    case '\'':
    case 0x2019: return CharClass::kApostrophe;
    case '.': return CharClass::kDot;
    case ',': return CharClass::kComma;
    case ':': return CharClass::kColon;
    case '/': return CharClass::kSlash;
    case '%':
    case 0x066A:  // Arabic per cent
    case 0x2030:  // per mille
      return CharClass::kPercent;
    case '&':
    case '#':
    case '@':
    case '*':
    case '\\':
    case 0x00A7:  // section, paragraph
    case 0x00B6:
    case 0x00B7:  // middle dot, of Catalan
    case 0x055A:  // Armenian marks written inside words
    case 0x055B:
    case 0x055C:
    case 0x055E:
    case 0x05F3:  // Hebrew geresh, gershayim
    case 0x05F4:
    case 0x0F0B:  // Tibetan syllable mark
    case 0x2022:  // bullets
    case 0x2023:
    case 0x2043:
    case 0x2032:  // primes
    case 0x2033: return CharClass::kSymbol;
    case 0x00A1:
    case 0x00BF: return CharClass::kOpen;
    case 0x2014:
    case 0x2015: return CharClass::kDash;
    default: break;
  }
  if (IsWide(c)) return CharClass::kWideMark;
  switch (u_charType(c)) {
    case U_START_PUNCTUATION:
    case U_INITIAL_PUNCTUATION: return CharClass::kOpen;
    case U_END_PUNCTUATION:
    case U_FINAL_PUNCTUATION: return CharClass::kClose;
    case U_DASH_PUNCTUATION:
    case U_CONNECTOR_PUNCTUATION: return CharClass::kSymbol;
    default: return CharClass::kStop;
  }
}

CharClass Compute(UChar32 c) {
  if (c == 0x200C || c == 0x200D) return CharClass::kLetter;  // joiners shape the letters around them
  if (c == 0x200B || u_isUWhiteSpace(c) != 0) return CharClass::kSpace;
  const int8_t type = u_charType(c);
  switch (type) {
    case U_CONTROL_CHAR: return CharClass::kSpace;
    case U_FORMAT_CHAR:
      if (c >= 0xE0020 && c <= 0xE007F) return CharClass::kEmoji;  // tags, which spell the flags of regions
      return u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) != 0 ? CharClass::kIgnored : CharClass::kLetter;
    case U_CURRENCY_SYMBOL: return CharClass::kCurrency;
    case U_DASH_PUNCTUATION:
    case U_START_PUNCTUATION:
    case U_END_PUNCTUATION:
    case U_CONNECTOR_PUNCTUATION:
    case U_OTHER_PUNCTUATION:
    case U_INITIAL_PUNCTUATION:
    case U_FINAL_PUNCTUATION: return Punctuation(c);
    default: break;
  }
  if (c == 0x00AE || c == 0x2122) return CharClass::kClose;  // registered, trade mark
  if (IsEmoji(c)) return CharClass::kEmoji;
  if (IsContinuousScript(c)) return CharClass::kContinuous;
  switch (type) {
    case U_DECIMAL_DIGIT_NUMBER:
    case U_LETTER_NUMBER:
    case U_OTHER_NUMBER: return CharClass::kNumber;
    case U_MATH_SYMBOL:
    case U_MODIFIER_SYMBOL:
    case U_OTHER_SYMBOL: return CharClass::kSymbol;
    default: return CharClass::kLetter;
  }
}

}  // namespace

CharClass ClassOf(char32_t c) {
  static const auto table = [] {
    auto classes = std::make_unique<std::array<CharClass, kTableEnd>>();
    for (char32_t i = 0; i < kTableEnd; ++i) (*classes)[i] = Compute(static_cast<UChar32>(i));
    return classes;
  }();
  return c < kTableEnd ? (*table)[c] : Compute(static_cast<UChar32>(c));
}

bool IsMark(char32_t c) { return c >= 0x300 && (U_GET_GC_MASK(static_cast<UChar32>(c)) & U_GC_M_MASK) != 0; }

bool IsLowercaseLetter(char32_t c) { return c < 0x80 ? c >= 'a' && c <= 'z' : u_islower(static_cast<UChar32>(c)) != 0; }

bool IsUppercaseLetter(char32_t c) { return c < 0x80 ? c >= 'A' && c <= 'Z' : u_isupper(static_cast<UChar32>(c)) != 0; }

bool ExtendsEmoji(char32_t c) {
  return c == 0x200D || (c >= 0x1F3FB && c <= 0x1F3FF) || (c >= 0xE0020 && c <= 0xE007F) || IsMark(c);
}

char32_t FirstCharacter(std::string_view text) {
  UChar32 c = 0;
  int32_t at = 0;
  U8_NEXT(text.data(), at, IcuLength(text), c);
  return c < 0 ? 0xFFFD : static_cast<char32_t>(c);
}

char32_t LastCharacter(std::string_view text) {
  size_t at = text.size() - 1;
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) --at;
  return FirstCharacter(text.substr(at));
}

}  // namespace graft::engine
