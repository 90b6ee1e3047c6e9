#include "rules/extract_grammar.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graft/error.h"
#include "rules/extract.h"
#include "rules/rule_text.h"
#include "support/indexed_pair.h"
#include "support/specs.h"

namespace graft::engine {
namespace {

using fixtures::OptionsOf;
using fixtures::Pair;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::UnorderedElementsAre;

// `LHS ||| source ||| edges ||| target ||| count ||| links`, as found. Words are named by their positions: a0 a1 … on
// the source side, b0 b1 … on the target side.
std::vector<std::string> Rules(const SystemOptions& options, const IndexedPair& pair) {
  const SystemSpec spec = MakeSystemSpec(options);
  LabelNumbers labels;
  std::vector<std::string> rules;
  std::string word;
  const auto named = [&word](char side) {
    return [&word, side](WordId id) -> std::string_view { return word = side + std::to_string(id); };
  };
  RuleExtractor(spec, &labels).Extract(pair, [&](const RuleOccurrence& rule, const UnitPair&) {
    const RuleFields fields = FormatRule(spec.signature(), rule, named('a'), named('b'),
                                         [&](uint32_t label) -> std::string_view { return labels.texts()[label]; });
    rules.push_back(fields.lhs + " ||| " + fields.source + " ||| " + fields.edges + " ||| " + fields.target + " ||| " +
                    FormatCount(rule.count) + " ||| " + fields.links);
  });
  return rules;
}

TEST(GrammarExtractorTest, ReplacesSubPairsAndSharesTheCount) {
  SystemOptions options = OptionsOf("hpbmt");
  options["mgs"] = 1;
  EXPECT_THAT(Rules(options, Pair(2, 2, {}, {{0, 1}, {1, 0}})),
              UnorderedElementsAre("X ||| a0 |||  ||| b1 ||| 1 ||| 0-0", "X ||| a1 |||  ||| b0 ||| 1 ||| 0-0",
                                   "X ||| a0 a1 |||  ||| b0 b1 ||| 0.333333333 ||| 0-1 1-0",
                                   "X ||| [X,1] a1 |||  ||| b0 [X,1] ||| 0.333333333 ||| 1-0",
                                   "X ||| a0 [X,1] |||  ||| [X,1] b1 ||| 0.333333333 ||| 0-1"));
  options["mgs"] = 2;
  EXPECT_EQ(Rules(options, Pair(2, 2, {}, {{0, 1}, {1, 0}})).size(), 3u);
}

TEST(GrammarExtractorTest, ALongPairGivesRulesOnlyWhereFewSymbolsRemain) {
  // Six words, at most five symbols: a rule without non-terminals there is none.
  const IndexedPair pair = Pair(6, 6, {}, {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}});
  const std::vector<std::string> rules = Rules(OptionsOf("hpbmt"), pair);
  EXPECT_THAT(rules, Not(Contains(HasSubstr("a0 a1 a2 a3 a4 a5"))));
  EXPECT_THAT(rules, Contains(HasSubstr("||| [X,1] a2 a3 a4 a5 |||")));
  EXPECT_THAT(rules, Contains(HasSubstr("||| [X,1] a2 [X,2] a5 |||"))) << "{3,4} alone would leave five symbols too";
  EXPECT_THAT(rules, Contains(HasSubstr("||| a0 [X,1] a3 [X,2] |||")));
  SystemOptions three = OptionsOf("hpbmt");
  three["max_symbols"] = 3;
  EXPECT_THAT(Rules(three, pair), Contains(HasSubstr("||| [X,1] a2 [X,2] |||")))
      << "one non-terminal leaves more than three symbols, two do not";
}

TEST(GrammarExtractorTest, OneLinkMustRemain) {
  SystemOptions options = OptionsOf("hpbmt");
  options["mgs"] = 1;
  const std::vector<std::string> rules = Rules(options, Pair(3, 1, {}, {{1, 0}}));
  EXPECT_EQ(rules.size(), 4u) << "the word with the unaligned ones beside it";
  EXPECT_THAT(rules, Not(Contains(HasSubstr("[X,1]"))));
}

TEST(GrammarExtractorTest, AdjacentMeansNextToEachOtherAmongTheSymbols) {
  // {0,2} → 0 and {1,3} → 1 interleave; 4 is the word that remains.
  const IndexedPair pair = Pair(5, 3, {5, 5, 1, 2, 0}, {{0, 0}, {1, 1}, {2, 0}, {3, 1}, {4, 2}});
  SystemOptions options = OptionsOf("gramgbmt-b", "tree");
  EXPECT_THAT(Rules(options, pair), Not(Contains(HasSubstr("[X,2]"))));
  options["adjacent_nt"] = true;
  EXPECT_THAT(Rules(options, pair), Contains(HasSubstr("X ||| [X,1] [X,2] a4 ||| 2>0 2>1 ||| [X,1] [X,2] b2 ||| ")));
}

TEST(GrammarExtractorTest, ContinuousUnitsMustBeConnectedToo) {
  // 0 and 1 hang on 2: as a pair of neighbours they are connected in the sibling graph only.
  const IndexedPair pair = Pair(3, 3, {3, 3, 0}, {{0, 0}, {1, 1}, {2, 2}});
  EXPECT_THAT(Rules(OptionsOf("gramgbmt-c", "tree"), pair), Not(Contains(HasSubstr("||| a0 a1 |||"))));
  EXPECT_THAT(Rules(OptionsOf("gramgbmt-c", "tree"), pair), Not(Contains(HasSubstr("[X,1] a2"))));
  EXPECT_THAT(Rules(OptionsOf("gramgbmt-c", "dsg"), pair), Contains(HasSubstr("||| a0 a1 ||| 1>0 |||")));
  EXPECT_THAT(Rules(OptionsOf("gramgbmt-c", "dsg"), pair), Contains(HasSubstr("||| [X,1] a2 ||| 1>0 |||")));
}

TEST(GrammarExtractorTest, LabelsAreTheTagsOfWordsWithAHeadOutside) {
  SystemOptions options = OptionsOf("gramgbmt-c", "dsg");
  options["pos"] = true;
  options["mgs"] = 2;
  IndexedPair pair = Pair(3, 3, {3, 3, 0}, {{0, 0}, {1, 1}, {2, 2}});
  pair.tags = {"NT", "$,", "VV"};
  const std::vector<std::string> rules = Rules(options, pair);
  EXPECT_THAT(rules, Contains("NT_$, ||| a0 a1 ||| 1>0 ||| b0 b1 ||| 1 ||| 0-0 1-1"));
  EXPECT_THAT(rules, Contains("VV ||| [NT_$,,1] a2 ||| 1>0 ||| [X,1] b2 ||| 0.333333333 ||| 1-1"));
  EXPECT_THAT(rules, Contains("VV ||| a0 [VV,1] ||| 1>0 ||| b0 [X,1] ||| 0.333333333 ||| 0-0"));
}

TEST(GrammarExtractorTest, NothingFromPairsWithoutLinksAndErrorsForMissingAnnotation) {
  EXPECT_TRUE(Rules(OptionsOf("hpbmt"), Pair(2, 2, {}, {})).empty());
  EXPECT_TRUE(Rules(OptionsOf("hpbmt"), Pair(0, 0, {}, {})).empty());
  EXPECT_THROW(Rules(OptionsOf("gramgbmt-c", "dsg"), Pair(1, 1, {}, {{0, 0}})), Error);
  SystemOptions options = OptionsOf("gramgbmt-b", "dsg");
  options["pos"] = true;
  EXPECT_THROW(Rules(options, Pair(1, 1, {0}, {{0, 0}})), Error) << "no tags";
  EXPECT_THROW(RuleExtractor(MakeSystemSpec(options), nullptr), Error);
}

TEST(GrammarExtractorTest, AnExtractorServesSentencesOneAfterTheOther) {
  const SystemSpec spec = MakeSystemSpec(OptionsOf("hpbmt"));
  RuleExtractor extractor(spec, nullptr);
  size_t rules = 0;
  const RuleSink count = [&](const RuleOccurrence&, const UnitPair&) { ++rules; };
  extractor.Extract(Pair(3, 3, {}, {{0, 0}, {1, 1}, {2, 2}}), count);
  const size_t first = std::exchange(rules, 0);
  extractor.Extract(Pair(3, 3, {}, {}), count);
  EXPECT_EQ(rules, 0u);
  extractor.Extract(Pair(300, 1, {}, {{0, 0}}), count);
  EXPECT_EQ(rules, 0u) << "too long";
  extractor.Extract(Pair(3, 3, {}, {{0, 0}, {1, 1}, {2, 2}}), count);
  EXPECT_EQ(rules, first);
}

}  // namespace
}  // namespace graft::engine
