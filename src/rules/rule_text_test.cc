#include "rules/rule_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "text/error.h"
#include "text/vocabulary.h"

namespace graft {
namespace {

using testing::HasSubstr;

class RuleTextTest : public testing::Test {
 protected:
  ParsedRule Parse(SignatureKind kind, std::string_view source, std::string_view edges, std::string_view target,
                   std::string_view links) {
    const Intern intern = [this](std::string_view word) { return words_.Add(word); };
    return ParseRule(kind, "X", source, edges, target, links, intern, intern);
  }

  RuleFields Format(SignatureKind kind, const ParsedRule& parsed) {
    RuleOccurrence rule;
    rule.source = parsed.source;
    rule.target = parsed.target;
    rule.links = parsed.links;
    const WordOf word = [this](WordId id) -> std::string_view { return words_.Word(id); };
    return FormatRule(kind, rule, word, word);
  }

  void ExpectReadsBack(SignatureKind kind, std::string_view source, std::string_view edges, std::string_view target,
                       std::string_view links) {
    const RuleFields fields = Format(kind, Parse(kind, source, edges, target, links));
    EXPECT_EQ(fields.lhs, "X");
    EXPECT_EQ(fields.source, source);
    EXPECT_EQ(fields.edges, edges);
    EXPECT_EQ(fields.target, target);
    EXPECT_EQ(fields.links, links);
  }

  std::string ErrorOf(SignatureKind kind, std::string_view source, std::string_view edges, std::string_view target,
                      std::string_view links) {
    try {
      Parse(kind, source, edges, target, links);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  Vocabulary words_;
};

TEST_F(RuleTextTest, EscapesWordsThatWouldBeReadAsSomethingElse) {
  EXPECT_EQ(EscapeWord("a&b|c"), "a&amp;b&#124;c");
  EXPECT_EQ(EscapeWord("1 000\t"), "1&#32;000&#9;");
  EXPECT_EQ(EscapeWord("[X,1]"), "&#91;X,1]");
  EXPECT_EQ(EscapeWord("[[a]]"), "&#91;[a]]");
  EXPECT_EQ(EscapeWord("["), "[");
  EXPECT_EQ(EscapeWord("[a"), "[a");
  EXPECT_EQ(EscapeWord("x[a]"), "x[a]");
  EXPECT_EQ(EscapeWord("südlich"), "südlich");
  for (const char* word : {"&amp;", "&#124;", "&#91;", "[]", "|||", "&&", "a b\tc", "[*]", "&apos;", "", "\xC2\xA0"})
    EXPECT_EQ(UnescapeWord(EscapeWord(word)), word);
  EXPECT_EQ(UnescapeWord("&amp;#124;"), "&#124;");
}

TEST_F(RuleTextTest, CountsHaveAtMostNineDecimals) {
  EXPECT_EQ(FormatCount(3 * kOneOccurrence), "3");
  EXPECT_EQ(FormatCount(kOneOccurrence / 2), "0.5");
  EXPECT_EQ(FormatCount(233766234), "0.233766234");
  EXPECT_EQ(FormatCount(kOneOccurrence + 1), "1.000000001");
  EXPECT_EQ(FormatCount(0), "0");
  for (RuleCount count : {RuleCount{0}, RuleCount{1}, RuleCount{500000000}, 12 * kOneOccurrence + 30})
    EXPECT_EQ(ParseCount(FormatCount(count)), count);
  for (const char* bad : {"", ".", "1.", ".5", "-1", "+1", "1e3", "0.0000000001", "99999999999", "1 ", "x"})
    EXPECT_THROW(ParseCount(bad), Error) << bad;
}

TEST_F(RuleTextTest, ReadsBackRulesOfEveryKind) {
  ExpectReadsBack(SignatureKind::kNone, "zai Nanfei", "", "in South Africa", "0-0 1-1 1-2");
  ExpectReadsBack(SignatureKind::kNone, "zai", "", "in", "");
  ExpectReadsBack(SignatureKind::kGap, "zai [*] chenggong", "", "successfully in", "0-1 2-0");
  ExpectReadsBack(SignatureKind::kGap, "a [*] b c [*] d", "", "x", "0-0 2-0 3-0 5-0");
  ExpectReadsBack(SignatureKind::kEdges, "2010nian FIFA shijiebei", "1>0 2>0 2>1", "2010 FIFA World Cup",
                  "0-0 1-1 2-2 2-3");
  ExpectReadsBack(SignatureKind::kEdges, "zai Nanfei", "0>1 1>0", "in South Africa", "0-0 1-1 1-2");
  ExpectReadsBack(SignatureKind::kLabelledEdges, "zai Nanfei chenggong", "0>1:dep 1>0:seq 2>1:seq", "a b c", "0-0");
  ExpectReadsBack(SignatureKind::kNone, "&#91;*] &amp; &#124;", "", "&#32; &#91;X,1]", "2-1");
  ExpectReadsBack(SignatureKind::kEdges, "a b c d e f g h i j k l m n o p", "14>15 15>0 15>14", "x", "");
}

TEST_F(RuleTextTest, EdgesAreSortedNumerically) {
  const ParsedRule rule =
      Parse(SignatureKind::kEdges, "a b c d e f g h i j k l", "10>0 2>1 2>11 10>9", "x", "10-0 2-0");
  EXPECT_EQ(Format(SignatureKind::kEdges, rule).edges, "2>1 2>11 10>0 10>9");
  EXPECT_EQ(Format(SignatureKind::kEdges, rule).links, "2-0 10-0");
}

TEST_F(RuleTextTest, MalformedRulesAreErrors) {
  EXPECT_THAT(ErrorOf(SignatureKind::kNone, "", "", "x", ""), HasSubstr("no source word"));
  EXPECT_THAT(ErrorOf(SignatureKind::kNone, "a", "", "", ""), HasSubstr("no target word"));
  EXPECT_THAT(ErrorOf(SignatureKind::kNone, "a b", "0>1", "x", ""), HasSubstr("system without edges"));
  EXPECT_THAT(ErrorOf(SignatureKind::kGap, "a b", "0>1", "x", ""), HasSubstr("system without edges"));
  EXPECT_THAT(ErrorOf(SignatureKind::kNone, "a [*] b", "", "x", ""), HasSubstr("non-terminal"));
  EXPECT_THAT(ErrorOf(SignatureKind::kEdges, "a [X,1]", "0>1", "x", ""), HasSubstr("non-terminal"));
  EXPECT_THAT(ErrorOf(SignatureKind::kEdges, "a", "", "x [X,1]", ""), HasSubstr("non-terminal"));
  for (const char* source : {"[*] a", "a [*]", "a [*] [*] b", "[*]"})
    EXPECT_THAT(ErrorOf(SignatureKind::kGap, source, "", "x", ""), HasSubstr("between two words")) << source;
  EXPECT_THAT(ErrorOf(SignatureKind::kGap, "a [*] b", "", "x", "1-0"), HasSubstr("link of a gap"));
  for (const char* links : {"2-0", "0-1", "99999999999-0", "0", "0-", "-0", "a-b", "0-0x", "0-0 0-0"})
    EXPECT_NE(ErrorOf(SignatureKind::kNone, "a b", "", "x", links), "no error") << links;
  for (const char* edges : {"0>2", "2>0", "1>1", "0", "0>", ">1", "0-1", "0>1:dep", "0>1 0>1", "-1>0", "0>1x"})
    EXPECT_NE(ErrorOf(SignatureKind::kEdges, "a b", edges, "x", ""), "no error") << edges;
  for (const char* edges : {"0>1", "0>1:", "0>1:nsubj", "0>1:dep 0>1:seq"})
    EXPECT_NE(ErrorOf(SignatureKind::kLabelledEdges, "a b", edges, "x", ""), "no error") << edges;
  EXPECT_THAT(ErrorOf(SignatureKind::kEdges, "a b c d e f g h i j k l m n o p q", "", "x", ""),
              HasSubstr("room for 16"));
  EXPECT_THAT(ErrorOf(SignatureKind::kLabelledEdges, "a b c d e f g h i", "", "x", ""), HasSubstr("room for 8"));
  const Intern intern = [](std::string_view) { return WordId{0}; };
  EXPECT_THROW(ParseRule(SignatureKind::kNone, "NP", "a", "", "b", "", intern, intern), Error);
}

}  // namespace
}  // namespace graft
