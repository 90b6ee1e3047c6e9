#include "eval/chrf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace graft::engine {
namespace {

using testing::ElementsAre;

ChrfStatistics Of(const std::string& hypothesis, const std::vector<std::string>& references, bool words) {
  return ChrfReferences({references}, words).Statistics(0, hypothesis);
}

TEST(ChrfTest, CharacterNgramsWithoutSpaces) {
  // "abcd" against "abxd": 1-grams 4, 4, 3 in common; 2-grams 3, 3, 1 (ab); none longer.
  const ChrfStatistics statistics = Of("ab cd", {"a bxd"}, false);
  EXPECT_THAT(statistics.hypothesis, ElementsAre(4, 3, 2, 1, 0, 0, 0, 0));
  EXPECT_THAT(statistics.reference, ElementsAre(4, 3, 2, 1, 0, 0, 0, 0));
  EXPECT_THAT(statistics.match, ElementsAre(3, 1, 0, 0, 0, 0, 0, 0));
  // Precision and recall are means over the four orders there are: (3/4 + 1/3) / 4.
  EXPECT_DOUBLE_EQ(Chrf(statistics), 100 * (3. / 4 + 1. / 3) / 4);
}

TEST(ChrfTest, RecallWeighsFourTimes) {
  // All of "ab" is in "abab": precisions 1 (1- and 2-grams), recalls 2/4 and 1/3, no longer n-gram in the hypothesis.
  const ChrfStatistics statistics = Of("ab", {"abab"}, false);
  const double recall = (2. / 4 + 1. / 3) / 2;
  EXPECT_DOUBLE_EQ(Chrf(statistics), 100 * 5 * recall / (4 + recall));
}

TEST(ChrfTest, WordsOfChrfPlusPlus) {
  EXPECT_THAT(ChrfWords("(hi) \"so\" x. -y . 你。 é!"),
              ElementsAre("(hi", ")", "\"so", "\"", "x", ".", "-", "y", ".", "你。", "é", "!"));
}

TEST(ChrfTest, PlusPlusAddsWordUnigramsAndBigrams) {
  // Words: the cat sat . / the cat sits .  -> 3 of 4 unigrams, 1 of 3 bigrams.
  const ChrfStatistics statistics = Of("the cat sat.", {"the cat sits."}, true);
  EXPECT_THAT(statistics.hypothesis, ElementsAre(10, 9, 8, 7, 6, 5, 4, 3));
  EXPECT_THAT(statistics.reference, ElementsAre(11, 10, 9, 8, 7, 6, 4, 3));
  // thecatsat. and thecatsits. have "thecats" in common, and of single characters t and . more.
  EXPECT_THAT(statistics.match, ElementsAre(9, 6, 5, 4, 3, 2, 3, 1));
  double precision = 0;
  double recall = 0;
  for (size_t n = 0; n < 8; ++n) {
    precision += static_cast<double>(statistics.match[n]) / static_cast<double>(statistics.hypothesis[n]) / 8;
    recall += static_cast<double>(statistics.match[n]) / static_cast<double>(statistics.reference[n]) / 8;
  }
  EXPECT_NEAR(Chrf(statistics), 100 * 5 * precision * recall / (4 * precision + recall), 1e-9);
  EXPECT_NE(Chrf(statistics), Chrf(Of("the cat sat.", {"the cat sits."}, false)));
}

TEST(ChrfTest, TheBestReferenceOfTheSentenceCountsAlone) {
  EXPECT_EQ(Of("abc", {"xyz", "abc", "abcd"}, true), Of("abc", {"abc"}, true));
  EXPECT_EQ(Of("abc", {"xyz", "uvw"}, true), Of("abc", {"xyz"}, true));  // a tie: the first
}

TEST(ChrfTest, NothingThere) {
  EXPECT_EQ(Chrf(Of("", {"abc"}, true)), 0);
  EXPECT_EQ(Chrf(Of("abc", {""}, true)), 0);
  EXPECT_EQ(Of("abc", {""}, true).hypothesis[0], 0);  // not counted against a reference that has none
  EXPECT_EQ(Chrf(Of("", {""}, true)), 0);
  EXPECT_DOUBLE_EQ(Chrf(Of("abc def", {"abcdef"}, false)), 100);
}

}  // namespace
}  // namespace graft::engine
