// The tokenisers sacreBLEU scores BLEU with. They are not those of training and translation (text/tokeniser.h): what
// counts here is that everybody's scores are of the same tokens.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace graft::engine {

enum class BleuTokeniser {
  k13a,   // mteval-v13a: ASCII punctuation, and . and , that are not inside a number. The default
  kZh,    // every Chinese character (and all of U+2001 to U+2A6D) is a token, the rest as 13a without its entities
  kNone,  // tokens are what white space separates
  kIntl,  // mteval-v14: Unicode punctuation that is not beside a digit, and symbols
  kChar,  // every character that is no white space
};

// By sacreBLEU's names: 13a, zh, none, intl, char. Throws Error for another.
BleuTokeniser BleuTokeniserByName(std::string_view name);
std::vector<std::string> BleuTokeniserNames();
std::string_view NameOf(BleuTokeniser tokeniser);

// `line` is valid UTF-8. White space at its end never matters.
std::vector<std::string> TokeniseForBleu(BleuTokeniser tokeniser, std::string_view line);

}  // namespace graft::engine
