// Where languages differ in how they write punctuation, as data.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

namespace graft::engine {

enum class ApostropheRule {
  kInside,   // stays in the word: foto's
  kClitic,   // begins a new token: it 's, geht 's
  kElision,  // ends a token: l' eau
};

enum class DashRule {
  kSpaced,       // слово — слово
  kTight,        // word—word
  kParenthesis,  // palabra —palabra— palabra
};

struct LanguageRules {
  ApostropheRule apostrophe = ApostropheRule::kInside;
  DashRule dash = DashRule::kSpaced;
  bool percent_spaced = false;                    // 5 %
  bool currency_first = false;                    // $5; otherwise 5 $
  bool space_before_marks = false;                // French: mot ; mot ! « mot »
  bool ellipsis_spaced = false;                   // German: Wort …
  bool guillemets_point_in = false;               // »så«
  bool same_quotes = false;                       // ”så”
  bool quote_inside = false;                      // Hebrew: a quotation mark between letters makes an abbreviation
  bool wide_marks = false;                        // Chinese, Japanese: quotes and dashes are as wide as a character
  bool latin_spaced = true;                       // a space between words of scripts without spaces and foreign words
  bool ordinals = false;                          // 3. is the third
  bool lowercase_initials = false;                // z. B., d. h.
  bool pronoun_i = false;                         // a capital I is a word, not an initial
  std::unordered_set<std::string> abbreviations;  // without their final dot
  std::unordered_set<std::string> numeric_abbreviations;  // abbreviations only before a number: No. 5
  std::unordered_set<std::string> apostrophe_words;       // words that begin or end with an apostrophe: 's, po'
  std::unordered_set<std::string> particles;              // Korean: written to the quote or bracket before them
};

// The rules of an ISO 639 code, with or without a region (pt-BR, zh_TW). Any other: rules that fit most languages.
// Lives as long as the program.
const LanguageRules& RulesOf(std::string_view language);

}  // namespace graft::engine
