// The tokeniser against its undoing: tokens lie in the text where RangesOf says, undoing and tokenising again is
// stable, sentences cover the text.
#include <array>

#include "fuzz/fuzz_target.h"
#include "text/characters.h"
#include "text/sentence_splitter.h"
#include "text/text_processor.h"
#include "text/token_ranges.h"
#include "text/tokeniser.h"
#include "util/utf8.h"

namespace graft::engine::fuzz {
namespace {

constexpr std::array<const char*, 12> kLanguages = {"",   "en", "de", "fr", "zh", "ja",
                                                    "th", "he", "ko", "it", "sv", "ru"};

const Tokeniser& TokeniserOf(int language) {
  static const std::vector<Tokeniser> tokenisers(kLanguages.begin(), kLanguages.end());
  return tokenisers[static_cast<size_t>(language)];
}

std::string Shown(const std::vector<std::string>& tokens) {
  std::string text;
  for (const std::string& token : tokens) text += "[" + token + "]";
  return text;
}

void CheckRanges(std::string_view text, const std::vector<std::string>& tokens) {
  const std::vector<TextRange> ranges = RangesOf(text, tokens);
  Require(ranges.size() == tokens.size(), "as many ranges as tokens");
  size_t end = 0;
  for (size_t i = 0; i < ranges.size(); ++i) {
    Require(ranges[i].begin >= end && ranges[i].end > ranges[i].begin && ranges[i].end <= text.size(),
            "ranges that overlap, are empty or leave the text");
    end = ranges[i].end;
    const std::string_view covered = text.substr(ranges[i].begin, ranges[i].end - ranges[i].begin);
    if (covered.size() == tokens[i].size()) Require(covered == tokens[i], "a range that holds another token");
  }
}

void Run(std::string_view bytes) {
  ByteSource source(bytes);
  const Tokeniser& tokeniser = TokeniserOf(source.Below(static_cast<int>(kLanguages.size())));
  const std::string_view text = source.Rest();
  const std::vector<std::string> tokens = tokeniser.Tokenise(text);
  for (const std::string& token : tokens) {
    Require(!token.empty(), "an empty token");
    Require(token.find_first_of(" \t\n\r") == std::string::npos, "white space in a token");
  }
  const std::string undone = tokeniser.Detokenise(tokens);
  if (!IsValidUtf8(text)) return;  // kept as it is; files of users are never read that far
  Require(IsValidUtf8(undone), "undone to what is not UTF-8");
  CheckRanges(text, tokens);
  CheckRanges(undone, tokens);

  // What the text says is kept: the same characters, in any division.
  const std::vector<std::string> again = tokeniser.Tokenise(undone);
  std::string before, after;
  for (const std::string& token : tokens) before += token;
  for (const std::string& token : again) after += token;
  Require(before == after, "characters lost or made: " + Shown(tokens) + " became " + Shown(again));

  size_t end = 0;
  for (const TextRange& sentence : SplitSentences(tokeniser, text)) {
    Require(sentence.begin >= end && sentence.end > sentence.begin && sentence.end <= text.size(),
            "sentences that overlap, are empty or leave the text");
    end = sentence.end;
  }
}

const bool registered =
    Register({"tokenise", "the tokeniser against its undoing, byte ranges, sentence splitting", Run, 512});

}  // namespace
}  // namespace graft::engine::fuzz
