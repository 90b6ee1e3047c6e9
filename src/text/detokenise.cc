// Every token says whether it leans on the token before it, on the one after it, or on none. Brackets and stops know by
// themselves. Quotes that look the same at both ends alternate, and an apostrophe on its own is the end of a quote, the
// start of one, or a possessive (the Members' rights), which only the tokens around it can tell.
#include "text/detokenise.h"

#include <string_view>

#include "text/characters.h"
#include "util/utf8.h"

namespace graft::engine {
namespace {

struct Piece {
  std::string_view text;
  char32_t first, last;
  CharClass first_class, last_class;
  bool mark;  // one character, or one again and again: -- … ......
};

struct Lean {
  bool left = false;
  bool right = false;
};

// Words on -s that are not plural nouns: what follows them is a quote, not a possessive apostrophe.
constexpr std::string_view kNoPossessor =
    "is was has does says as this his its us yes thus means calls goes always perhaps unless across asks writes";

bool IsOneOf(const std::string& word, std::string_view list) {
  for (const std::string_view one : SplitTokens(list))
    if (one == word) return true;
  return false;
}

Piece PieceOf(const std::string& token) {
  Piece piece{token, FirstCharacter(token), LastCharacter(token), {}, {}, false};
  piece.first_class = ClassOf(piece.first);
  piece.last_class = ClassOf(piece.last);
  if (MakesWords(piece.first_class) || piece.first_class == CharClass::kContinuous) return piece;
  size_t width = 1;
  while (width < token.size() && (static_cast<unsigned char>(token[width]) & 0xC0U) == 0x80U) ++width;
  piece.mark = true;
  for (size_t i = width; i < token.size() && piece.mark; ++i) piece.mark = token[i] == token[i - width];
  return piece;
}

class Joiner {
 public:
  Joiner(const LanguageRules& rules, const std::vector<std::string>& tokens) : rules_(rules) {
    pieces_.reserve(tokens.size());
    for (const std::string& token : tokens)
      if (!token.empty()) pieces_.push_back(PieceOf(token));
    for (size_t i = 0; i < pieces_.size(); ++i) {
      if (!pieces_[i].mark) continue;
      if (pieces_[i].first == 0x00AB) last_left_ = i;
      if (pieces_[i].first == 0x00BB) last_right_ = i;
    }
  }

  std::string Join() {
    std::string text;
    bool leaned_right = true;
    for (size_t i = 0; i < pieces_.size(); ++i) {
      after_opening_ = leaned_right;
      Lean lean = LeanOf(i);
      lean.left |= i > 0 && pieces_[i - 1].mark && rules_.particles.count(std::string(pieces_[i].text)) > 0;
      if (i > 0 && !leaned_right && !lean.left && !WrittenTogether(pieces_[i - 1], pieces_[i])) text += ' ';
      text += pieces_[i].text;
      leaned_right = lean.right;
    }
    return text;
  }

 private:
  bool Follows(size_t i, CharClass kind) const { return i + 1 < pieces_.size() && pieces_[i + 1].first_class == kind; }
  bool Precedes(size_t i, CharClass kind) const { return i > 0 && pieces_[i - 1].last_class == kind; }

  // Does the next token lean on what stands before it whatever that is?
  bool StopFollows(size_t i) const {
    if (i + 1 == pieces_.size()) return true;
    const Piece& next = pieces_[i + 1];
    return next.mark && (next.first_class == CharClass::kComma || next.first_class == CharClass::kDot ||
                         next.first_class == CharClass::kColon || next.first_class == CharClass::kStop ||
                         (next.first_class == CharClass::kClose && next.first != 0x00BB));
  }

  // Scripts without spaces.
  bool WrittenTogether(const Piece& before, const Piece& after) const {
    if (IsWide(before, before.last_class) && IsWide(after, after.first_class)) return true;
    if (before.last_class == CharClass::kWideMark || after.first_class == CharClass::kWideMark) return true;
    const bool wide_before = before.last_class == CharClass::kContinuous;
    const bool wide_after = after.first_class == CharClass::kContinuous;
    return wide_before != wide_after && !rules_.latin_spaced;
  }
  // Marks that both worlds use are wide among wide ones.
  bool IsWide(const Piece& piece, CharClass edge) const {
    return edge == CharClass::kContinuous ||
           (rules_.wide_marks && piece.mark && piece.first >= 0x2010 && piece.first <= 0x203B);
  }

  Lean Toggle(bool* open, size_t i) {
    bool opens = !*open;
    if (i == 0)
      opens = true;
    else if (StopFollows(i))
      opens = false;
    *open = opens;
    return opens ? Lean{.right = true} : Lean{.left = true};
  }

  Lean Guillemet(size_t i) {
    const bool points_right = pieces_[i].first == 0x00BB || pieces_[i].first == 0x203A;  // » ›
    const bool opens = guillemet_ == 0 ? (!points_right || rules_.guillemets_point_in || (i == 0 || after_opening_) ||
                                          (!StopFollows(i) && (points_right ? last_left_ : last_right_) > i))
                                       : pieces_[i].first == guillemet_;
    if (guillemet_ == 0 && opens) {
      guillemet_ = pieces_[i].first;
      open_guillemets_ = 1;
    } else if (guillemet_ != 0) {
      open_guillemets_ += opens ? 1 : -1;
      if (open_guillemets_ <= 0) guillemet_ = 0;
    }
    if (rules_.space_before_marks) return {};
    return opens ? Lean{.right = true} : Lean{.left = true};
  }

  bool EndsLikePlural(size_t i) const {
    const char32_t last = pieces_[i].last;
    return last == 's' || last == 'S' || last == 'x' || last == 'z';
  }

  Lean Apostrophe(size_t i) {
    constexpr Lean kClosing{.left = true};
    constexpr Lean kOpening{.right = true};
    const char32_t c = pieces_[i].first;
    if (c == 0x2019) {  // a quote of its own kind opens with another mark
      const bool begins_word = Follows(i, CharClass::kNumber) || i == 0 || after_opening_;
      return begins_word && !open_high_single_ ? kOpening : kClosing;
    }
    if (open_single_) {
      open_single_ = false;
      return kClosing;
    }
    size_t next = i + 1;
    while (next < pieces_.size() && !(pieces_[next].mark && pieces_[next].first == c)) ++next;
    const bool paired = next < pieces_.size();
    if (i == 0 || after_opening_) {
      open_single_ = paired;
      return kOpening;
    }
    if (StopFollows(i)) return kClosing;
    if (EndsLikePlural(i - 1) && !IsOneOf(std::string(pieces_[i - 1].text), kNoPossessor) &&
        (!paired || EndsLikePlural(next - 1)))
      return kClosing;
    open_single_ = paired;
    return kOpening;
  }

  // Dots that are two tokens stay two.
  bool DotsTouch(size_t i) const {
    return i > 0 && pieces_[i - 1].mark && pieces_[i - 1].first == '.' && pieces_[i].first == '.';
  }

  Lean Ellipsis(size_t i) const {
    if (after_opening_) return {.right = true};  // ...and so on
    return {.left = !rules_.ellipsis_spaced && !DotsTouch(i)};
  }

  Lean Slash(size_t i) const {
    // What is left of an address in text that other programs tokenised stays apart: http : / / www.
    if (Follows(i, CharClass::kSlash) || Precedes(i, CharClass::kSlash) || Precedes(i, CharClass::kColon)) return {};
    return {.left = true, .right = true};
  }

  Lean Currency(size_t i) const {
    if (!Follows(i, CharClass::kNumber) || Precedes(i, CharClass::kNumber)) return {};
    return {.right = rules_.currency_first || pieces_[i].last != 0x20AC};
  }

  Lean Dash(size_t i) {
    switch (rules_.dash) {
      case DashRule::kSpaced: return {};
      case DashRule::kTight: return i == 0 ? Lean{} : Lean{.left = true, .right = true};
      case DashRule::kParenthesis: return Toggle(&open_dash_, i);
    }
    return {};
  }

  Lean MarkLean(size_t i) {
    const Piece& piece = pieces_[i];
    switch (piece.first_class) {
      case CharClass::kQuote: return Toggle(&open_double_, i);
      case CharClass::kApostrophe: return Apostrophe(i);
      case CharClass::kOpen:
        if (piece.first == 0x00AB || piece.first == 0x2039) return Guillemet(i);
        if (piece.first == 0x201E || piece.first == 0x201A) {  // „ ‚
          (piece.first == 0x201E ? open_low_ : open_low_single_) = true;
        } else if (piece.first == 0x201C || piece.first == 0x2018) {  // “ ‘ close what „ ‚ opened
          bool& low = piece.first == 0x201C ? open_low_ : open_low_single_;
          if (low) {
            low = false;
            return {.left = true};
          }
          if (piece.first == 0x2018) open_high_single_ = true;
        }
        return {.right = true};
      case CharClass::kClose:
        if (piece.first == 0x00BB || piece.first == 0x203A) return Guillemet(i);
        if (piece.first == 0x201D && rules_.same_quotes) return Toggle(&open_same_, i);
        if (piece.first == 0x201D) open_low_ = false;
        return {.left = true};
      case CharClass::kDot:
      case CharClass::kComma:
        if (piece.text.size() > 1) return Ellipsis(i);
        return {.left = !DotsTouch(i)};
      case CharClass::kColon:
      case CharClass::kStop:
        if (piece.first == 0x2026) return Ellipsis(i);
        if (rules_.space_before_marks && piece.first < 0x80 && !Precedes(i, CharClass::kStop)) return {};
        return {.left = true};
      case CharClass::kSlash: return Slash(i);
      case CharClass::kPercent: return {.left = !rules_.percent_spaced && Precedes(i, CharClass::kNumber)};
      case CharClass::kCurrency: return Currency(i);
      case CharClass::kDash: return Dash(i);
      default: return {};
    }
  }

  Lean LeanOf(size_t i) {
    const Piece& piece = pieces_[i];
    if (piece.mark) return MarkLean(i);
    if (piece.last_class == CharClass::kCurrency && rules_.currency_first) return Currency(i);
    if (piece.first_class != CharClass::kApostrophe && piece.last_class != CharClass::kApostrophe) return {};
    if (rules_.apostrophe_words.count(std::string(piece.text)) > 0) return {};
    return {.left = piece.first_class == CharClass::kApostrophe && rules_.apostrophe == ApostropheRule::kClitic,
            .right = piece.last_class == CharClass::kApostrophe && rules_.apostrophe == ApostropheRule::kElision};
  }

  const LanguageRules& rules_;
  std::vector<Piece> pieces_;
  bool after_opening_ = true;  // the token before leans on this one, or there is none
  bool open_double_ = false, open_single_ = false, open_same_ = false, open_dash_ = false;
  bool open_low_ = false, open_low_single_ = false, open_high_single_ = false;
  size_t last_left_ = 0, last_right_ = 0;  // « and », if there is one
  char32_t guillemet_ = 0;                 // the one that opened
  int open_guillemets_ = 0;
};

}  // namespace

std::string JoinAsWritten(const LanguageRules& rules, const std::vector<std::string>& tokens) {
  return Joiner(rules, tokens).Join();
}

}  // namespace graft::engine
