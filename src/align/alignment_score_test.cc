#include "align/alignment_score.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "text/error.h"

namespace graft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(AlignmentScoreTest, ReadsSureAndPossibleLinks) {
  const GoldLinks gold = ParseGoldLinks("2-1 0-0 3?1 4~1 5p2 0-0 2?1");
  EXPECT_THAT(gold.sure, ElementsAre(WordLink{0, 0}, WordLink{2, 1}));
  EXPECT_THAT(gold.possible, ElementsAre(WordLink{3, 1}, WordLink{4, 1}, WordLink{5, 2}));  // 2-1 is sure already
  EXPECT_THROW(ParseGoldLinks("1-"), Error);
  EXPECT_THROW(ParseGoldLinks("1?x"), Error);
  EXPECT_THROW(ParseGoldLinks("3"), Error);
}

// A = {0-0, 1-1, 2-2}, S = {0-0, 3-3}, P = S + {1-1}: |A ∩ S| = 1, |A ∩ P| = 2.
TEST(AlignmentScoreTest, EqualsTheDefinition) {
  AlignmentScore score;
  score.Add(ParseLinks("0-0 1-1 2-2", -1, -1), ParseGoldLinks("0-0 1?1 3-3"));
  EXPECT_DOUBLE_EQ(score.precision(), 2.0 / 3);
  EXPECT_DOUBLE_EQ(score.recall(), 1.0 / 2);
  EXPECT_DOUBLE_EQ(score.f1(), 2 * (2.0 / 3) * 0.5 / (2.0 / 3 + 0.5));
  EXPECT_DOUBLE_EQ(score.aer(), 1 - 3.0 / 5);
  EXPECT_THAT(
      Summary(score),
      HasSubstr("AER 0.4000  precision 0.6667  recall 0.5000  F1 0.5714  (3 links, 2 sure, 1 possible; 1 pair"));
  score.Add(ParseLinks("0-0", -1, -1), ParseGoldLinks("0-0"));  // counts are added, not ratios
  EXPECT_DOUBLE_EQ(score.aer(), 1 - 5.0 / 7);
}

TEST(AlignmentScoreTest, NothingAtAllIsNoError) {
  AlignmentScore score;
  score.Add({}, {});
  EXPECT_EQ(score.aer(), 0);
  EXPECT_EQ(score.precision(), 1);
  EXPECT_EQ(score.recall(), 1);
}

std::string ErrorOf(const std::string& gold, uint64_t pairs) {
  const std::string path = ::testing::TempDir() + "/alignment_score_test.gold";
  std::ofstream(path) << gold;
  try {
    EXPECT_EQ(ReadGoldLinks(path, pairs, Reporter{}).size(), pairs);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(AlignmentScoreTest, ErrorsOfFilesNameFileAndLine) {
  EXPECT_EQ(ErrorOf("0-0\n\n", 2), "");
  EXPECT_THAT(ErrorOf("0-0\n0-0\n", 1), HasSubstr("alignment_score_test.gold:2: one line too many"));
  EXPECT_THAT(ErrorOf("0-0\n0-0\n", 3), HasSubstr("alignment_score_test.gold:3: the file ends here"));
  EXPECT_THAT(ErrorOf("0-0\n0+0\n", 2), HasSubstr("alignment_score_test.gold:2: "));
}

}  // namespace
}  // namespace graft
