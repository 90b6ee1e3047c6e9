#include "text/token_ranges.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "text/tokeniser.h"

namespace graft::engine {
namespace {

std::vector<std::string> Cut(const std::string& text, const std::vector<TextRange>& ranges) {
  std::vector<std::string> parts;
  for (const TextRange& range : ranges) parts.push_back(text.substr(range.begin, range.end - range.begin));
  return parts;
}

TEST(TokenRangesTest, TokensStandWhereTheyWereCut) {
  const std::string text = "  »Das ist's!«,  sagte z.B. Herr Müller (45).\t我喜欢音乐。 ";
  const std::vector<std::string> tokens = Tokeniser("de").Tokenise(text);
  EXPECT_EQ(Cut(text, RangesOf(text, tokens)), tokens);
}

TEST(TokenRangesTest, WhatTheTokeniserDropsIsInsideARange) {
  const std::string text = "Donau\u00ADdampf\u00ADschiff\u200E fährt";  // soft hyphens, a direction mark
  const std::vector<std::string> tokens = Tokeniser("de").Tokenise(text);
  ASSERT_THAT(tokens, ::testing::ElementsAre("Donaudampfschiff", "fährt"));
  EXPECT_THAT(Cut(text, RangesOf(text, tokens)), ::testing::ElementsAre("Donau\u00ADdampf\u00ADschiff", "fährt"));
}

TEST(TokenRangesTest, TokensMayHoldSpaces) {
  EXPECT_THAT(RangesOf("a b c", {"a b", "c"}), ::testing::ElementsAre(TextRange{0, 3}, TextRange{4, 5}));
}

TEST(TokenRangesTest, BytesThatAreNotUtf8StandForThemselves) {
  EXPECT_THAT(RangesOf("\xff \xfe", {"\xff", "\xfe"}), ::testing::ElementsAre(TextRange{0, 1}, TextRange{2, 3}));
}

TEST(TokenRangesTest, RepeatedTokensAreToldApart) {
  EXPECT_THAT(RangesOf("a a  a", {"a", "a", "a"}),
              ::testing::ElementsAre(TextRange{0, 1}, TextRange{2, 3}, TextRange{5, 6}));
}

}  // namespace
}  // namespace graft::engine
