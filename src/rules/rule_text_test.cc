#include "rules/rule_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graft/error.h"
#include "rules/labels.h"
#include "support/specs.h"
#include "text/vocabulary.h"

namespace graft::engine {
namespace {

using fixtures::SpecOf;

using testing::HasSubstr;

const SystemSpec kPbmt = SpecOf("pbmt"), kSdtu = SpecOf("sdtu"), kSegGbmt = SpecOf("seggbmt", "dbg"),
                 kLabelled = SpecOf("seggbmt", "dbg", {.edge_labels = true}), kHpbmt = SpecOf("hpbmt"),
                 kGramGbmt = SpecOf("gramgbmt-c", "dsg"),
                 kLabelledGramGbmt = SpecOf("gramgbmt-b", "dsg", {.edge_labels = true}),
                 kPos = SpecOf("gramgbmt-c", "dsg", {.pos = true}), kSerg = SpecOf("serg"),
                 kSergPos = SpecOf("serg", "", {.pos = true}), kDep2Str = SpecOf("dep2str");

class RuleTextTest : public testing::Test {
 protected:
  ParsedRule Parse(const SystemSpec& spec, const RuleFields& fields) {
    const Intern intern = [this](std::string_view word) { return words_.Add(word); };
    return ParseRule(spec, {fields.lhs, fields.source, fields.edges, fields.target, fields.links},
                     {intern, intern, [this](std::string_view label) { return labels_.Number(label); }});
  }

  RuleFields Format(const SystemSpec& spec, const ParsedRule& parsed) {
    RuleOccurrence rule;
    rule.lhs = parsed.lhs;
    rule.source = parsed.source;
    rule.target = parsed.target;
    rule.links = parsed.links;
    const WordOf word = [this](WordId id) -> std::string_view { return words_.Word(id); };
    return FormatRule(spec.signature(), rule, word, word,
                      [this](uint32_t label) -> std::string_view { return labels_.texts()[label]; });
  }

  void ExpectReadsBack(const SystemSpec& spec, const RuleFields& given) {
    const RuleFields fields = Format(spec, Parse(spec, given));
    EXPECT_EQ(fields.lhs, given.lhs);
    EXPECT_EQ(fields.source, given.source);
    EXPECT_EQ(fields.edges, given.edges);
    EXPECT_EQ(fields.target, given.target);
    EXPECT_EQ(fields.links, given.links);
  }
  void ExpectReadsBack(const SystemSpec& spec, const std::string& source, const std::string& edges,
                       const std::string& target, const std::string& links) {
    ExpectReadsBack(spec, {"X", source, edges, target, links});
  }

  std::string ErrorOf(const SystemSpec& spec, const RuleFields& fields) {
    try {
      Parse(spec, fields);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }
  std::string ErrorOf(const SystemSpec& spec, const std::string& source, const std::string& edges,
                      const std::string& target, const std::string& links) {
    return ErrorOf(spec, {"X", source, edges, target, links});
  }

  Vocabulary words_;
  LabelNumbers labels_;
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
  for (const char* word :
       {"&amp;", "&#124;", "&#91;", "[]", "|||", "&&", "a b\tc", "a\r", "\r", "&#13;", "[*]", "&apos;", "", "\xC2\xA0"})
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
  ExpectReadsBack(kPbmt, "zai Nanfei", "", "in South Africa", "0-0 1-1 1-2");
  ExpectReadsBack(kPbmt, "zai", "", "in", "");
  ExpectReadsBack(kSdtu, "zai [*] chenggong", "", "successfully in", "0-1 2-0");
  ExpectReadsBack(kSdtu, "a [*] b c [*] d", "", "x", "0-0 2-0 3-0 5-0");
  ExpectReadsBack(kSegGbmt, "2010nian FIFA shijiebei", "1>0 2>0 2>1", "2010 FIFA World Cup", "0-0 1-1 2-2 2-3");
  ExpectReadsBack(kSegGbmt, "zai Nanfei", "0>1 1>0", "in South Africa", "0-0 1-1 1-2");
  ExpectReadsBack(kLabelled, "zai Nanfei chenggong", "0>1:dep 1>0:seq 2>1:seq", "a b c", "0-0");
  ExpectReadsBack(kPbmt, "&#91;*] &amp; &#124;", "", "&#32; &#91;X,1]", "2-1");
  ExpectReadsBack(kSegGbmt, "a b c d e f g h i j k l m n o p", "14>15 15>0 15>14", "x", "");
}

TEST_F(RuleTextTest, EdgesAreSortedNumerically) {
  const ParsedRule rule = Parse(kSegGbmt, {"X", "a b c d e f g h i j k l", "10>0 2>1 2>11 10>9", "x", "10-0 2-0"});
  EXPECT_EQ(Format(kSegGbmt, rule).edges, "2>1 2>11 10>0 10>9");
  EXPECT_EQ(Format(kSegGbmt, rule).links, "2-0 10-0");
}

TEST_F(RuleTextTest, MalformedRulesAreErrors) {
  EXPECT_THAT(ErrorOf(kPbmt, "", "", "x", ""), HasSubstr("no source word"));
  EXPECT_THAT(ErrorOf(kPbmt, "a", "", "", ""), HasSubstr("no target word"));
  EXPECT_THAT(ErrorOf(kPbmt, "a b", "0>1", "x", ""), HasSubstr("system without edges"));
  EXPECT_THAT(ErrorOf(kSdtu, "a b", "0>1", "x", ""), HasSubstr("system without edges"));
  EXPECT_THAT(ErrorOf(kPbmt, "a [*] b", "", "x", ""), HasSubstr("non-terminal"));
  EXPECT_THAT(ErrorOf(kSegGbmt, "a [X,1]", "0>1", "x", ""), HasSubstr("non-terminal"));
  EXPECT_THAT(ErrorOf(kSegGbmt, "a", "", "x [X,1]", ""), HasSubstr("non-terminal"));
  for (const char* source : {"[*] a", "a [*]", "a [*] [*] b", "[*]"})
    EXPECT_THAT(ErrorOf(kSdtu, source, "", "x", ""), HasSubstr("between two words")) << source;
  EXPECT_THAT(ErrorOf(kSdtu, "a [*] b", "", "x", "1-0"), HasSubstr("link of a gap"));
  for (const char* links : {"2-0", "0-1", "99999999999-0", "0", "0-", "-0", "a-b", "0-0x", "0-0 0-0"})
    EXPECT_NE(ErrorOf(kPbmt, "a b", "", "x", links), "no error") << links;
  for (const char* edges : {"0>2", "2>0", "1>1", "0", "0>", ">1", "0-1", "0>1:dep", "0>1 0>1", "-1>0", "0>1x"})
    EXPECT_NE(ErrorOf(kSegGbmt, "a b", edges, "x", ""), "no error") << edges;
  for (const char* edges : {"0>1", "0>1:", "0>1:nsubj", "0>1:dep 0>1:seq"})
    EXPECT_NE(ErrorOf(kLabelled, "a b", edges, "x", ""), "no error") << edges;
  EXPECT_THAT(ErrorOf(kSegGbmt, "a b c d e f g h i j k l m n o p q", "", "x", ""), HasSubstr("room for 16"));
  EXPECT_THAT(ErrorOf(kLabelled, "a b c d e f g h i", "", "x", ""), HasSubstr("room for 8"));
  EXPECT_THAT(ErrorOf(kPbmt, {"NP", "a", "", "b", ""}), HasSubstr("must be X"));
}

TEST_F(RuleTextTest, ReadsBackRulesWithNonTerminals) {
  ExpectReadsBack(kHpbmt, "[X,1] zai Nanfei [X,2]", "", "[X,2] in South Africa [X,1]", "1-1 2-2 2-3");
  ExpectReadsBack(kGramGbmt, "2010nian [X,1]", "1>0", "2010 [X,1]", "0-0");
  ExpectReadsBack(kGramGbmt, "[X,1] zai Nanfei [X,2]", "0>1 0>3 1>0 1>2 2>1 3>2", "[X,1] [X,2] in South Africa",
                  "1-2 2-3 2-4");
  ExpectReadsBack(kLabelledGramGbmt, "[X,1] juxing", "1>0:dep", "was held [X,1]", "1-0 1-1");
  ExpectReadsBack(kPos, {"VV", "[NR_P,1] juxing [X,2]", "1>0 1>2", "[X,2] held [X,1]", "1-1"});
  ExpectReadsBack(kHpbmt, "&#91;X,1] [X,1]", "", "[X,1] &#91;X,1]", "0-1");
  // Tags of German and of Chinese corpora, and worse: labels may have commas, brackets and bars.
  ExpectReadsBack(kPos, {"$,", "[$,,1] a [$[,2]", "", "[X,2] x [X,1]", ""});
  ExpectReadsBack(kPos, {"&#124;&amp;", "a [&#91;],1]", "0>1", "[X,1] x", ""});
  ExpectReadsBack(kPos, {"&#91;X,1]", "a [&#91;X,1],1] [a&#32;b,2]", "", "[X,1] x [X,2]", ""});

  const ParsedRule rule = Parse(kPos, {"VV", "[X,1] a [NR,2]", "", "[X,2] x [X,1]", "1-1"});
  EXPECT_EQ(labels_.texts()[rule.lhs], "VV");
  EXPECT_EQ(rule.source[0].symbol, kLabelBit) << "X is label 0";
  EXPECT_EQ(labels_.texts()[rule.source[2].symbol & ~kLabelBit], "NR");
  EXPECT_EQ(rule.target[0], 2u);
  EXPECT_EQ(rule.target[2], 1u);
}

TEST_F(RuleTextTest, ReadsBackRulesWhoseSymbolsAreEdges) {
  ExpectReadsBack(kSerg, "zai", "0>1", "in", "0-0");
  ExpectReadsBack(kSerg, "shijiebei [X,1] chenggong juxing", "0>1 0>2 0>3 4>0", "World Cup was held successfully [X,1]",
                  "0-0 0-1 2-4 3-2 3-3");
  ExpectReadsBack(kSergPos, {"VV", "[NR,1] zai Nanfei [VV,2]", "0>1 0>2 2>3 4>0", "[X,1] [X,2] in South Africa", ""});
  // As many symbols as there can be, as many nodes as they can have.
  std::string source, all_apart, chain;
  for (int k = 0; k < 16; ++k) {
    source += k == 0 ? "w" : " w";
    all_apart += (k == 0 ? "" : " ") + std::to_string(2 * k) + ">" + std::to_string(2 * k + 1);
    chain += (k == 0 ? "" : " ") + std::to_string(k) + ">" + std::to_string(k + 1);
  }
  ExpectReadsBack(kSerg, source, all_apart, "x", "");
  ExpectReadsBack(kSerg, source, chain, "x", "");

  EXPECT_THAT(ErrorOf(kSerg, "a b", "0>1", "x", ""), HasSubstr("1 edges for 2 source symbols"));
  EXPECT_THAT(ErrorOf(kSerg, "a", "", "x", ""), HasSubstr("0 edges for 1 source symbols"));
  for (const char* edges : {"1>0 0>2", "0>2 0>1", "0>1 3>0", "0>1 0>3", "0>1 3>2", "0>1 99999>0"})
    EXPECT_THAT(ErrorOf(kSerg, "a b", edges, "x", ""), HasSubstr("must be numbered 0, 1, …")) << edges;
  EXPECT_THAT(ErrorOf(kSerg, "a b", "0>1 2>2", "x", ""), HasSubstr("two nodes"));
  EXPECT_THAT(ErrorOf(kSerg, "a b", "0>1 0>2:dep", "x", ""), HasSubstr("without label"));
  EXPECT_THAT(ErrorOf(kSerg, "a b", "0>1 0-2", "x", ""), HasSubstr("written u>v"));
}

TEST_F(RuleTextTest, MalformedNonTerminalsAreErrors) {
  const auto of_sides = [&](const std::string& source, const std::string& target, const std::string& links = "") {
    return ErrorOf(kHpbmt, source, "", target, links);
  };
  EXPECT_EQ(of_sides("[X,1] a", "x [X,1]", "1-0"), "no error");
  EXPECT_THAT(of_sides("[X,2] a", "x [X,2]"), HasSubstr("numbered 1, 2"));
  EXPECT_THAT(of_sides("[X,0] a", "x [X,0]"), HasSubstr("numbered 1, 2"));
  EXPECT_THAT(of_sides("[X,2] a [X,1]", "x [X,1] [X,2]"), HasSubstr("numbered 1, 2"));
  EXPECT_THAT(of_sides("[X,1] a [X,1]", "x [X,1]"), HasSubstr("is number 2"));
  EXPECT_THAT(of_sides("[X,1] a [X,2] b [X,3]", "x [X,1] [X,2] [X,3]"), HasSubstr("at most 2"));
  EXPECT_THAT(of_sides("[X,1] a", "x"), HasSubstr("lacks the non-terminal [X,1]"));
  EXPECT_THAT(of_sides("[X,1] a [X,2]", "x [X,1]"), HasSubstr("lacks the non-terminal [X,2]"));
  EXPECT_THAT(of_sides("a", "x [X,1]"), HasSubstr("that the source lacks"));
  EXPECT_THAT(of_sides("[X,1] a", "x [X,1] [X,2]"), HasSubstr("that the source lacks"));
  EXPECT_THAT(of_sides("[X,1] a", "x [X,1] [X,0]"), HasSubstr("that the source lacks"));
  EXPECT_THAT(of_sides("[X,1] a", "x [X,1] [X,1]"), HasSubstr("twice"));
  EXPECT_THAT(of_sides("[X,1]", "x [X,1]"), HasSubstr("no source word"));
  EXPECT_THAT(of_sides("[X,1] a", "[X,1]"), HasSubstr("no target word"));
  EXPECT_THAT(of_sides("[X,1] a", "x [X,1]", "0-0"), HasSubstr("link of a non-terminal"));
  EXPECT_THAT(of_sides("[X,1] a", "x [X,1]", "1-1"), HasSubstr("link of a non-terminal"));
  for (const char* symbol :
       {"[X]", "[]", "[,1]", "[X,]", "[X,a]", "[X,1a]", "[X,-1]", "[X, 1]", "[1]", "[X,99999999999]"})
    EXPECT_NE(of_sides(std::string(symbol) + " a", "x [X,1]"), "no error") << symbol;
  EXPECT_THAT(of_sides("[*] a", "x"), HasSubstr("[LABEL,k]"));

  EXPECT_THAT(ErrorOf(kHpbmt, "[NP,1] a", "", "x [X,1]", ""), HasSubstr("need a system with --pos"));
  EXPECT_THAT(ErrorOf(kGramGbmt, {"NP", "a", "", "x", ""}), HasSubstr("left-hand side must be X"));
  EXPECT_THAT(ErrorOf(kPos, {"NP", "[NP,1] a", "", "x [NP,1]", ""}), HasSubstr("written [X,k]"));
  EXPECT_THAT(ErrorOf(kPos, {"", "a", "", "x", ""}), HasSubstr("no label"));
  EXPECT_THAT(ErrorOf(kGramGbmt, "[X,1] a", "0>2", "x [X,1]", ""), HasSubstr("out of range"));
  EXPECT_THAT(ErrorOf(kHpbmt, "[X,1] a", "0>1", "x [X,1]", ""), HasSubstr("system without edges"));
  for (const SystemSpec* spec : {&kPbmt, &kSdtu, &kSegGbmt})
    EXPECT_THAT(ErrorOf(*spec, "[X,1] a", "", "x [X,1]", ""), HasSubstr("unexpected non-terminal")) << spec->name;
}

TEST_F(RuleTextTest, VariablesOfStructuresReadBack) {
  ExpectReadsBack(kDep2Str, "juxing", "", "was held", "0-0 0-1");
  ExpectReadsBack(kDep2Str, "zai Nanfei", "", "in South Africa", "0-0 1-1 1-2");
  ExpectReadsBack(kDep2Str, "zai Nanfei", "0>1", "in South Africa", "0-0 1-1 1-2");
  ExpectReadsBack(kDep2Str, "chenggong juxing", "1>0", "held successfully", "0-1 1-0");
  ExpectReadsBack(kDep2Str, "[w=shijiebei,1] [w=zai,2] [p=VV,3]", "2>0 2>1", "[X,1] [X,3] [X,2]", "");
  ExpectReadsBack(kDep2Str, "[w=a,1] b [p=C,2]", "1>0 1>2", "[X,2] x [X,1]", "1-1");
  ExpectReadsBack(kDep2Str, "[p=NT,1] [p=NT,2]", "", "[X,1] [X,2]", "");
  ExpectReadsBack(kDep2Str, "[w=&#124;,1] [p=$,,2] [w=[a],3]", "0>1 0>2", "[X,3] &#91;X,1] [X,2] [X,1]", "");
  std::string source, edges, target;
  for (int k = 1; k <= 15; ++k) {
    source += (k > 1 ? " " : "") + ("[p=T," + std::to_string(k)) + "]";
    target += (k > 1 ? " " : "") + ("[X," + std::to_string(16 - k)) + "]";
    if (k != 8) edges += (k > 1 ? " 7>" : "7>") + std::to_string(k - 1);
  }
  ExpectReadsBack(kDep2Str, source, edges, target, "");
  for (int j = 15; j < 255; ++j) target += " x";
  ExpectReadsBack(kDep2Str, source, edges, target, "");

  const auto roles = [&](const std::string& edges_of_three) {
    const ParsedRule rule = Parse(kDep2Str, {"X", "a [w=b,1] c", edges_of_three, "x [X,1]", ""});
    return std::vector<uint32_t>{rule.source[0].signature, rule.source[1].signature, rule.source[2].signature};
  };
  EXPECT_EQ(roles(""), (std::vector<uint32_t>{kNoRole, kNoRole, kNoRole}));
  EXPECT_EQ(roles("0>1 0>2"), (std::vector<uint32_t>{kNoRole, kAfterHead, kAfterHead}));
  EXPECT_EQ(roles("1>0 1>2"), (std::vector<uint32_t>{kNoRole, kHeadPosition, kAfterHead}));
  EXPECT_EQ(roles("2>1 2>0"), (std::vector<uint32_t>{kNoRole, kBeforeHead, kHeadPosition}));
}

TEST_F(RuleTextTest, MalformedStructuresAreErrors) {
  const auto with_edges = [&](const std::string& edges) {
    return ErrorOf(kDep2Str, "a [w=b,1] c", edges, "x [X,1]", "");
  };
  EXPECT_EQ(with_edges("1>0 1>2"), "no error");
  EXPECT_THAT(with_edges("1>0"), HasSubstr("to all others"));
  EXPECT_THAT(with_edges("1>0 0>2"), HasSubstr("from one symbol"));
  EXPECT_THAT(with_edges("1>0 1>0"), HasSubstr("twice"));
  EXPECT_THAT(with_edges("1>0 1>3"), HasSubstr("out of range"));
  EXPECT_THAT(with_edges("1>1 1>0"), HasSubstr("out of range"));
  EXPECT_THAT(with_edges("1>0:dep 1>2:dep"), HasSubstr("without label"));
  EXPECT_THAT(with_edges("1-0"), HasSubstr("written u>v"));
  for (const char* label : {"X", "b", "w=", "p=", "q=b"})
    EXPECT_THAT(ErrorOf(kDep2Str, "a [" + std::string(label) + ",1]", "0>1", "x [X,1]", ""),
                HasSubstr("written [w=WORD,k] or [p=TAG,k]"))
        << label;
  EXPECT_THAT(ErrorOf(kDep2Str, "[w=b,1]", "", "[X,1]", ""), HasSubstr("no source word"));
  EXPECT_THAT(ErrorOf(kDep2Str, "a", "", "", ""), HasSubstr("no target word"));
  EXPECT_THAT(ErrorOf(kDep2Str, {"NP", "a", "", "x", ""}), HasSubstr("left-hand side must be X"));
}

TEST_F(RuleTextTest, WithoutNamesForLabelsThereIsOnlyX) {
  const Intern intern = [this](std::string_view word) { return words_.Add(word); };
  const WordOf word = [this](WordId id) -> std::string_view { return words_.Word(id); };
  const ParsedRule rule = ParseRule(kPos, {"X", "[X,1] a", "", "x [X,1]", ""}, {intern, intern});
  EXPECT_EQ(FormatRule(SignatureKind::kEdges, {rule.lhs, rule.source, rule.target, {}}, word, word).source, "[X,1] a");
  EXPECT_THROW(ParseRule(kPos, {"NP", "a", "", "x", ""}, {intern, intern}), Error);
  EXPECT_THROW(FormatRule(SignatureKind::kEdges, {1, rule.source, rule.target, {}}, word, word), Error);
}

}  // namespace
}  // namespace graft::engine
