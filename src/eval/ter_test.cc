#include "eval/ter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string_view>

namespace graft::engine {
namespace {

using Words = std::vector<uint32_t>;

// One letter a word.
Words Of(std::string_view letters) { return {letters.begin(), letters.end()}; }

int64_t Edits(std::string_view hypothesis, std::string_view reference) {
  return TerEdits(Of(hypothesis), Of(reference));
}

TEST(TerTest, WithoutShifts) {
  EXPECT_EQ(Edits("abc", "abc"), 0);
  EXPECT_EQ(Edits("abxc", "abc"), 1);
  EXPECT_EQ(Edits("ac", "abc"), 1);
  EXPECT_EQ(Edits("axc", "abc"), 1);
  EXPECT_EQ(Edits("xyz", "abcde"), 5);
}

TEST(TerTest, ABlockMovesForOneEdit) {
  EXPECT_EQ(Edits("deabc", "abcde"), 1);      // de behind c: 2 + 2 edits without
  EXPECT_EQ(Edits("cdeab", "abcde"), 1);      // the other way
  EXPECT_EQ(Edits("abxyzcd", "abcdxyz"), 1);  // in the middle
  EXPECT_EQ(Edits("ba", "ab"), 1);
  EXPECT_EQ(Edits("deabcx", "abcdey"), 2);  // a shift and a replacement
}

TEST(TerTest, TwoShifts) {
  // de to the end, then ih: without shifts 8 of 9 words would be edited.
  EXPECT_EQ(Edits("deabcihfg", "abcdefgih"), 2);
}

TEST(TerTest, BlocksLongerThanTenWordsMoveInParts) {
  // A block of 10 goes in one shift, of 12 it takes two.
  EXPECT_EQ(Edits("klmnopqrstabcdefghijuvwxyz", "abcdefghijklmnopqrstuvwxyz"), 1);
  EXPECT_EQ(Edits("mnopqrstuvwxabcdefghijklyz", "abcdefghijklmnopqrstuvwxyz"), 2);
}

TEST(TerTest, NoShiftOverMoreThanFiftyWords) {
  std::string reference(60, 'x');
  for (size_t i = 0; i < reference.size(); ++i) reference[i] = static_cast<char>(33 + i);
  const std::string near = reference.substr(1, 50) + reference[0] + reference.substr(51);
  const std::string far = reference.substr(1, 51) + reference[0] + reference.substr(52);
  EXPECT_EQ(Edits(near, reference), 1);
  EXPECT_EQ(Edits(far, reference), 2);
}

TEST(TerTest, EmptySides) {
  EXPECT_EQ(Edits("", ""), 0);
  EXPECT_EQ(Edits("abc", ""), 3);
  EXPECT_EQ(Edits("", "abc"), 3);
}

TEST(TerTest, VeryDifferentLengths) {
  const std::string many(3000, 'a');
  EXPECT_EQ(Edits("a", many), 2999);
  EXPECT_EQ(Edits(many, "a"), 2999);
}

TEST(TerTest, FewestEditsButMeanLengthOfTheReferences) {
  const TerStatistics statistics = TerOf(Of("abc"), {Of("abcd"), Of("xyzabcdefg"), Of("a")});
  EXPECT_EQ(statistics.edits, 1);
  EXPECT_EQ(statistics.reference_length, 5);
}

TEST(TerTest, Score) {
  TerStatistics sum = TerOf(Of("abx"), {Of("abc")});
  sum += TerOf(Of(""), {Of("a")});
  EXPECT_EQ(Ter(sum), 50);
  EXPECT_EQ(Ter({3, 0}), 100);
  EXPECT_EQ(Ter({0, 0}), 0);
  EXPECT_EQ(Ter({3, 2}), 150);
}

// Levenshtein's distance, the simple way.
int64_t Distance(const Words& a, const Words& b) {
  std::vector<int64_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int64_t>(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    int64_t diagonal = row[0]++;
    for (size_t j = 1; j <= b.size(); ++j) {
      const int64_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

TEST(TerTest, NeverMoreThanTheEditDistanceAndAtLeastWhatTheWordsNeed) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 3000; ++trial) {
    Words reference(1 + random() % 15);
    for (uint32_t& word : reference) word = random() % 8;
    Words hypothesis = reference;
    std::shuffle(hypothesis.begin(), hypothesis.end(), random);
    hypothesis.resize(random() % 18, 9);
    const int64_t edits = TerEdits(hypothesis, reference);
    ASSERT_LE(edits, Distance(hypothesis, reference)) << trial;
    // No shift changes which words there are.
    Words sorted_hypothesis = hypothesis;
    Words sorted_reference = reference;
    std::sort(sorted_hypothesis.begin(), sorted_hypothesis.end());
    std::sort(sorted_reference.begin(), sorted_reference.end());
    Words common;
    std::set_intersection(sorted_hypothesis.begin(), sorted_hypothesis.end(), sorted_reference.begin(),
                          sorted_reference.end(), std::back_inserter(common));
    ASSERT_GE(edits, static_cast<int64_t>(std::max(hypothesis.size(), reference.size()) - common.size())) << trial;
  }
}

TEST(TerTest, ALongLineEndsWhenAskedTo) {
  std::stop_source stop;
  std::vector<uint32_t> hypothesis(2000), reference(2000);
  for (uint32_t i = 0; i < 2000; ++i) {
    hypothesis[i] = i * 7 % 2000;
    reference[i] = i;
  }
  const StopCheck check(stop.get_token());
  EXPECT_GT(TerOf(hypothesis, {reference}, check).edits, 0);
  stop.request_stop();
  EXPECT_THROW(TerOf(hypothesis, {reference}, check), Stopped);
}

}  // namespace
}  // namespace graft::engine
