#include "align/alignment_score.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graft/error.h"
#include "temporary_folder.h"

namespace graft::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(AlignmentScoreTest, ReadsSureAndPossibleLinks) {
  const GoldLinks gold = ParseGoldLinks("2-1 0-0 3?1 4~1 5p2 0-0 2?1", -1, -1);
  EXPECT_THAT(gold.sure, ElementsAre(WordLink{0, 0}, WordLink{2, 1}));
  EXPECT_THAT(gold.possible, ElementsAre(WordLink{3, 1}, WordLink{4, 1}, WordLink{5, 2}));  // 2-1 is sure already
  EXPECT_THROW(ParseGoldLinks("1-", -1, -1), Error);
  EXPECT_THROW(ParseGoldLinks("1?x", -1, -1), Error);
  EXPECT_THROW(ParseGoldLinks("3", -1, -1), Error);
}

// A = {0-0, 1-1, 2-2}, S = {0-0, 3-3}, P = S + {1-1}: |A ∩ S| = 1, |A ∩ P| = 2.
TEST(AlignmentScoreTest, EqualsTheDefinition) {
  AlignmentScore score;
  score.Add(ParseLinks("0-0 1-1 2-2", -1, -1), ParseGoldLinks("0-0 1?1 3-3", -1, -1));
  EXPECT_DOUBLE_EQ(score.precision(), 2.0 / 3);
  EXPECT_DOUBLE_EQ(score.recall(), 1.0 / 2);
  EXPECT_DOUBLE_EQ(score.f1(), 2 * (2.0 / 3) * 0.5 / (2.0 / 3 + 0.5));
  EXPECT_DOUBLE_EQ(score.aer(), 1 - 3.0 / 5);
  EXPECT_THAT(
      Summary(score),
      HasSubstr("AER 0.4000  precision 0.6667  recall 0.5000  F1 0.5714  (3 links, 2 sure, 1 possible; 1 pair"));
  score.Add(ParseLinks("0-0", -1, -1), ParseGoldLinks("0-0", -1, -1));  // counts are added, not ratios
  EXPECT_DOUBLE_EQ(score.aer(), 1 - 5.0 / 7);
}

TEST(AlignmentScoreTest, NothingAtAllIsNoError) {
  AlignmentScore score;
  score.Add({}, {});
  EXPECT_EQ(score.aer(), 0);
  EXPECT_EQ(score.precision(), 1);
  EXPECT_EQ(score.recall(), 1);
}

std::string ErrorOf(const std::string& gold, const Bitext& bitext) {
  const TemporaryFolder folder;
  const std::string path = folder.Write("gold", gold);
  try {
    EXPECT_EQ(ReadGoldLinks(path, bitext, Reporter{}).size(), bitext.pairs());
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

Bitext Pairs(size_t pairs) {
  using Words = std::vector<std::string>;
  return MakeBitext(std::vector<std::pair<Words, Words>>(pairs, {Words{"a"}, Words{"x"}}));
}

TEST(AlignmentScoreTest, ErrorsOfFilesNameFileAndLine) {
  EXPECT_EQ(ErrorOf("0-0\n\n", Pairs(2)), "");
  EXPECT_THAT(ErrorOf("0-0\n0-0\n", Pairs(1)), HasSubstr("gold:2: one line too many"));
  EXPECT_THAT(ErrorOf("0-0\n0-0\n", Pairs(3)), HasSubstr("gold:3: the file ends here"));
  EXPECT_THAT(ErrorOf("0-0\n0+0\n", Pairs(2)), HasSubstr("gold:2: "));
}

TEST(AlignmentScoreTest, LinksOutOfRangeAreErrors) {
  const std::vector<std::string> long_side(kMaxSentenceWords + 1, "a");
  const Bitext bitext = MakeBitext({{{"a", "b"}, {"x"}}, {{}, {"x"}}, {long_side, {"x", "y"}}, {{"a"}, {"x", "y"}}});
  const std::string last = std::to_string(kMaxSentenceWords);
  EXPECT_EQ(ErrorOf("1-0\n\n" + last + "-1\n0?1\n", bitext), "");  // the longest pair is as long as it was read
  EXPECT_THAT(ErrorOf("1-1\n\n\n\n", bitext),
              HasSubstr("gold:1: link 1-1, but the target sentence has 1 word, counted from 0"));
  EXPECT_THAT(ErrorOf("\n0-0\n\n\n", bitext), HasSubstr("gold:2: link 0-0, but the source sentence is empty"));
  EXPECT_THAT(ErrorOf("\n\n0-2\n\n", bitext),
              HasSubstr("gold:3: link 0-2, but the target sentence has 2 words, counted from 0"));
  EXPECT_THAT(ErrorOf("\n\n\n1?1\n", bitext),
              HasSubstr("gold:4: link 1-1, but the source sentence has 1 word, counted from 0"));
}

}  // namespace
}  // namespace graft::engine
