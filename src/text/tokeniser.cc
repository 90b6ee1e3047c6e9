// A line is cut at spaces into chunks, and a chunk at the characters that are tokens of their own. What makes a word is
// never cut, and a mark inside a word that could not be put back in its place by Detokenise stays in the word (and/or
// is three tokens, word(s) is one).
#include "text/tokeniser.h"

#include <algorithm>
#include <array>

#include "text/addresses.h"
#include "text/characters.h"
#include "text/decoded_line.h"
#include "text/detokenise.h"
#include "text/language_rules.h"
#include "text/word_breaks.h"
#include "util/stop_counter.h"

namespace graft::engine {
namespace {

constexpr size_t kLongestInitials = 3;  // letters between the dots of an abbreviation: Ph.D., z.B.
constexpr size_t kLongestListed = 64;   // characters of an abbreviation, or of a word with an apostrophe at its edge
constexpr size_t kLongestOrdinal = 2;   // digits of a number whose dot makes it an ordinal wherever it stands

constexpr std::array<std::string_view, 20> kEmoticons = {":)",  ":-)", ":(",  ":-(", ";)", ";-)", ":D",
                                                         ":-D", ":P",  ":-P", ":p",  ":/", ":-/", ":'(",
                                                         ":o",  ":O",  "<3",  ":*",  "^^", ":|"};

class Scanner {
 public:
  Scanner(const LanguageRules& rules, const DecodedLine& line, const StopCheck& stop, std::vector<std::string>* tokens)
      : rules_(rules), line_(line), tokens_(*tokens), stop_(stop) {}

  void Run() {
    for (size_t i = 0; i < line_.size();) {
      if (Class(i) == CharClass::kSpace) {
        ++i;
        continue;
      }
      stop_.Step();
      begin_ = i;
      while (i < line_.size() && Class(i) != CharClass::kSpace) ++i;
      end_ = i;
      Chunk();
    }
  }

 private:
  CharClass Class(size_t i) const { return line_.Class(i); }
  char32_t At(size_t i) const { return line_[i]; }
  bool Inside(size_t i) const { return i < end_; }
  bool Is(size_t i, CharClass kind) const { return Inside(i) && Class(i) == kind; }
  bool Alphanumeric(size_t i) const { return Inside(i) && IsAlphanumeric(Class(i)); }

  void Emit(size_t begin, size_t end) {
    if (begin < end) tokens_.emplace_back(line_.View(begin, end));
  }
  // Ends the word before `i`; tokens go on at `next`.
  void Cut(size_t i, size_t next) {
    Emit(word_, i);
    word_ = next;
  }
  // The mark at `i` is a token, with its combining marks; repeated ones are one token where `run`.
  size_t Mark(size_t i, bool run) {
    size_t end = i + 1;
    while (Inside(end) && (IsMark(At(end)) || (run && At(end) == At(i)))) ++end;
    Cut(i, end);
    Emit(i, end);
    return end;
  }

  void Chunk() {
    word_ = begin_;
    address_ = false;
    bool plain = true;
    for (size_t i = begin_; i < end_; ++i) {
      plain &= IsAlphanumeric(Class(i));
      address_ |= Class(i) == CharClass::kSlash || At(i) == '@';
    }
    if (plain || IsEmoticon()) return Emit(begin_, end_);
    address_ |= At(begin_) == 'w';
    for (size_t i = begin_; i < end_;) i = Step(i);
    Emit(word_, end_);
  }

  // Consumes what begins at `i`; returns where to go on.
  size_t Step(size_t i) {
    stop_.Step();
    if (i == word_ && address_) {
      const size_t end = FindAddressEnd(line_, begin_, end_, i);
      if (end > i) {
        Cut(i, end);
        Emit(i, end);
        return end;
      }
    }
    const bool in_word = i > word_;
    switch (Class(i)) {
      case CharClass::kLetter:
      case CharClass::kNumber:
      case CharClass::kSymbol:
      case CharClass::kSpace:
      case CharClass::kIgnored: return i + 1;
      case CharClass::kContinuous: return Continuous(i);
      case CharClass::kEmoji: return Emoji(i);
      case CharClass::kOpen: {
        const size_t end = InnerBracketEnd(i);
        return end > i ? end : Mark(i, false);
      }
      case CharClass::kComma:
        if (in_word && Class(i - 1) == CharClass::kNumber && Is(i + 1, CharClass::kNumber)) return i + 1;
        return Mark(i, false);
      case CharClass::kColon:
        if (in_word && IsAlphanumeric(Class(i - 1)) && (Alphanumeric(i + 1) || (Inside(i + 1) && At(i + 1) == '\\')))
          return i + 1;
        return Mark(i, false);
      case CharClass::kDot: return Dot(i);
      case CharClass::kApostrophe: return Apostrophe(i);
      case CharClass::kPercent:
        if (in_word ? Is(i + 1, CharClass::kLetter) : Alphanumeric(i + 1)) return i + 1;
        return Mark(i, false);
      case CharClass::kCurrency:
        if (in_word && IsUppercaseLetter(At(i - 1))) {  // US$
          Cut(i + 1, i + 1);
          return i + 1;
        }
        return Mark(i, false);
      case CharClass::kStop: return Mark(i, At(i) == 0x2026);
      case CharClass::kDash: return Mark(i, true);
      case CharClass::kQuote:
        if (rules_.quote_inside && in_word && IsAlphanumeric(Class(i - 1)) && Alphanumeric(i + 1)) return i + 1;
        return Mark(i, false);
      case CharClass::kClose:
      case CharClass::kSlash:
      case CharClass::kWideMark: return Mark(i, false);
    }
    return i + 1;
  }

  size_t Continuous(size_t i) {
    size_t end = i;
    while (Inside(end) && (Class(end) == CharClass::kContinuous || IsMark(At(end)))) ++end;
    Cut(i, end);
    thread_local std::vector<int32_t> ends;
    const std::string_view run = line_.View(i, end);
    FindWordEnds(run, &ends);
    size_t from = 0;
    for (const int32_t to : ends) {
      tokens_.emplace_back(run.substr(from, static_cast<size_t>(to) - from));
      from = static_cast<size_t>(to);
    }
    return end;
  }

  // Emoji that touch are one token: what they are made of (skin tones, joiners, flags) is never torn apart.
  size_t Emoji(size_t i) {
    size_t end = i;
    while (Inside(end) && (Class(end) == CharClass::kEmoji || ExtendsEmoji(At(end)))) ++end;
    Cut(i, end);
    Emit(i, end);
    return end;
  }

  size_t Dot(size_t i) {
    size_t end = i;
    while (Is(end, CharClass::kDot)) ++end;
    if (end - i > 1) return Mark(i, true);
    if (Inside(end) && MakesWords(Class(end))) return end;
    if (i > word_ && KeepsDot(i)) return end;
    return Mark(i, false);
  }

  // Does the dot at `i`, with no letter after it, belong to the word before it?
  bool KeepsDot(size_t i) const {
    char32_t next = 0;  // the first character of what follows
    for (size_t k = i + 1; k < line_.size() && next == 0; ++k)
      if (Class(k) != CharClass::kSpace) next = At(k);
    if (i + 1 == end_ && IsLowercaseLetter(next)) return true;
    if (i - word_ > kLongestListed) return false;
    const std::string word(line_.View(word_, i));
    if (rules_.abbreviations.count(word) > 0) return true;
    const bool number_follows = next != 0 && ClassOf(next) == CharClass::kNumber;
    if (number_follows && rules_.numeric_abbreviations.count(word) > 0) return true;
    size_t part = 0, longest = 0, dots = 0, letters = 0, numbers = 0;
    for (size_t k = word_; k < i; ++k) {
      const bool separates = Class(k) == CharClass::kDot || At(k) == '-';
      dots += Class(k) == CharClass::kDot ? 1 : 0;
      letters += Class(k) == CharClass::kLetter ? 1 : 0;
      numbers += Class(k) == CharClass::kNumber ? 1 : 0;
      part = separates ? 0 : part + 1;
      longest = std::max(longest, part);
    }
    if (dots > 0) return letters > 0 && numbers == 0 && longest <= kLongestInitials;
    if (longest == 1 && letters == 1) {
      const char32_t letter = At(word_);
      if (IsUppercaseLetter(letter)) return letter != 'I' || !rules_.pronoun_i;
      return rules_.lowercase_initials && i + 1 == end_ && next != 0;
    }
    return rules_.ordinals && letters == 0 && i - word_ <= kLongestOrdinal && Class(word_) == CharClass::kNumber &&
           next != 0;
  }

  size_t Apostrophe(size_t i) {
    const bool letter_before = i > word_ && Class(i - 1) == CharClass::kLetter;
    const bool letter_after = Is(i + 1, CharClass::kLetter);
    if (const size_t end = ApostropheWordEnd(i); end > i) return end;
    switch (rules_.apostrophe) {
      case ApostropheRule::kInside:
        if (i > word_ && IsAlphanumeric(Class(i - 1)) && Alphanumeric(i + 1)) return i + 1;
        break;
      case ApostropheRule::kClitic:
        if ((letter_before && letter_after) ||
            (i > word_ && Class(i - 1) == CharClass::kNumber && letter_after && At(i + 1) == 's')) {
          Cut(i, i);
          return i + 1;
        }
        break;
      case ApostropheRule::kElision:
        if (letter_before && Alphanumeric(i + 1)) {
          Cut(i + 1, i + 1);
          return i + 1;
        }
        break;
    }
    return Mark(i, false);
  }

  // The end of a word of the language that has an apostrophe at its edge ('s, po'), if that is what begins or ends
  // here.
  size_t ApostropheWordEnd(size_t i) const {
    if (rules_.apostrophe_words.empty()) return i;
    size_t end = i + 1;
    if (i == word_)
      while (Is(end, CharClass::kLetter)) ++end;
    else if (Is(end, CharClass::kLetter))
      return i;
    if (end - word_ > kLongestListed) return i;
    std::string word(line_.View(word_, end));
    const size_t typographic = word.find("\u2019");
    if (typographic != std::string::npos) word.replace(typographic, 3, "'");
    return rules_.apostrophe_words.count(word) > 0 ? end : i;
  }

  // A bracket inside a word, word(s) or (re)build: the place after it.
  size_t InnerBracketEnd(size_t i) const {
    const char32_t close = At(i) == '(' ? ')' : At(i) == '[' ? ']' : At(i) == '{' ? '}' : 0;
    const bool after_word = i > word_ && (IsAlphanumeric(Class(i - 1)) || Class(i - 1) == CharClass::kClose);
    if (close == 0 || (i > word_ && !after_word)) return i;
    size_t end = i + 1;
    while (Inside(end) && MakesWords(Class(end))) ++end;
    if (!Inside(end) || At(end) != close) return i;
    return after_word || (end > i + 1 && Alphanumeric(end + 1)) ? end + 1 : i;
  }

  bool IsEmoticon() const {
    if (end_ - begin_ > 3) return false;
    const std::string_view chunk = line_.View(begin_, end_);
    return std::find(kEmoticons.begin(), kEmoticons.end(), chunk) != kEmoticons.end();
  }

  const LanguageRules& rules_;
  const DecodedLine& line_;
  std::vector<std::string>& tokens_;
  size_t begin_ = 0, end_ = 0;  // of the chunk
  size_t word_ = 0;             // where the word at hand begins
  bool address_ = false;        // the chunk may hold an address
  StopCounter stop_;
};

}  // namespace

struct Tokeniser::Impl {
  const LanguageRules& rules;
};

Tokeniser::Tokeniser(std::string_view language) : impl_(new Impl{RulesOf(language)}) {}
Tokeniser::~Tokeniser() = default;
Tokeniser::Tokeniser(Tokeniser&&) noexcept = default;
Tokeniser& Tokeniser::operator=(Tokeniser&&) noexcept = default;

std::vector<std::string> Tokeniser::Tokenise(std::string_view text, const StopCheck& stop) const {
  thread_local DecodedLine line;
  line.Read(text);
  std::vector<std::string> tokens;
  Scanner(impl_->rules, line, stop, &tokens).Run();
  return tokens;
}

std::string Tokeniser::Detokenise(const std::vector<std::string>& tokens) const {
  return JoinAsWritten(impl_->rules, tokens);
}

}  // namespace graft::engine
