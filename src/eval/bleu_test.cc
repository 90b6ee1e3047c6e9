#include "eval/bleu.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "graft/error.h"
#include "util/utf8.h"

namespace graft::engine {
namespace {

using Tokens = std::vector<std::string>;

Tokens Words(std::string_view line) {
  Tokens words;
  for (const std::string_view word : SplitTokens(line)) words.emplace_back(word);
  return words;
}

BleuStatistics Of(std::string_view hypothesis, const std::vector<std::string>& references) {
  std::vector<std::vector<Tokens>> corpus(1);
  for (const std::string& reference : references) corpus[0].push_back(Words(reference));
  return BleuReferences(corpus).Statistics(0, Words(hypothesis));
}

TEST(BleuTest, CountsAreClippedByTheReference) {
  // Papineni et al. 2002, example 2: "the" is credited twice.
  const BleuStatistics statistics = Of("the the the the the the the", {"the cat is on the mat"});
  EXPECT_EQ(statistics.match, (std::array<int64_t, 4>{2, 0, 0, 0}));
  EXPECT_EQ(statistics.total, (std::array<int64_t, 4>{7, 6, 5, 4}));
  EXPECT_EQ(statistics.length, 7);
  EXPECT_EQ(statistics.reference_length, 6);
}

TEST(BleuTest, ClipsByTheReferenceThatHasMostOfAnNgram) {
  const BleuStatistics statistics = Of("a a a b b", {"a a c", "b b a"});
  EXPECT_EQ(statistics.match, (std::array<int64_t, 4>{4, 2, 0, 0}));  // a a, b b; "a b" is in neither
}

TEST(BleuTest, ReferenceLengthIsTheClosestAndOfTwoTheShorter) {
  EXPECT_EQ(Of("a b c d", {"a b c d e f", "a b c", "a b c d e"}).reference_length, 3);
  EXPECT_EQ(Of("a b c d", {"a", "a b c d e"}).reference_length, 5);
  EXPECT_EQ(Of("", {"a b", "a b c"}).reference_length, 2);
}

TEST(BleuTest, TokensWithUnicodeSpacesAreSeveralWords) {
  // Other characters share first bytes with the spaces.
  const Tokens spaced = {"10\u00a0000", "a\u3000b\u2009c", "\u2028", "é§„“。"};
  const Tokens plain = {"10", "000", "a", "b", "c", "é§„“。"};
  const auto statistics = [](const Tokens& reference, const Tokens& hypothesis) {
    std::vector<std::vector<Tokens>> corpus(1);
    corpus[0].push_back(reference);
    return BleuReferences(corpus).Statistics(0, hypothesis);
  };
  const BleuStatistics expected = statistics(plain, plain);
  EXPECT_EQ(expected.match, (std::array<int64_t, 4>{6, 5, 4, 3}));
  EXPECT_EQ(expected.length, 6);
  EXPECT_EQ(statistics(plain, spaced), expected);
  EXPECT_EQ(statistics(spaced, plain), expected);
  EXPECT_EQ(statistics(spaced, spaced), expected);
}

TEST(BleuTest, ScoreByHand) {
  // 3 of 4, 2 of 3, 1 of 2, 0 of 1 match; the lengths are equal.
  const BleuStatistics statistics = Of("a b c x", {"a b c d"});
  EXPECT_DOUBLE_EQ(Bleu(statistics), 100 * std::pow(3. / 4 * 2 / 3 * 1 / 2 * (1. / 2), 0.25));
  EXPECT_DOUBLE_EQ(Bleu(statistics, BleuSmoothing::kFloor), 100 * std::pow(3. / 4 * 2 / 3 * 1 / 2 * 0.1, 0.25));
  EXPECT_DOUBLE_EQ(Bleu(statistics, BleuSmoothing::kAddK), 100 * std::pow(3. / 4 * 3 / 4 * 2 / 3 * 1 / 2, 0.25));
  EXPECT_EQ(Bleu(statistics, BleuSmoothing::kNone), 0);
}

TEST(BleuTest, EveryFurtherZeroIsHalvedAgain) {
  const BleuScore score = ScoreBleu(Of("a x b y c", {"a b c d e"}));
  EXPECT_DOUBLE_EQ(score.precisions[0], 60);
  EXPECT_DOUBLE_EQ(score.precisions[1], 100. / (2 * 4));
  EXPECT_DOUBLE_EQ(score.precisions[2], 100. / (4 * 3));
  EXPECT_DOUBLE_EQ(score.precisions[3], 100. / (8 * 2));
}

TEST(BleuTest, ShortOutputIsPenalised) {
  const BleuScore score = ScoreBleu(Of("a b c d", {"a b c d e f"}));
  EXPECT_DOUBLE_EQ(score.brevity_penalty, std::exp(1 - 6. / 4));
  EXPECT_DOUBLE_EQ(score.score, 100 * std::exp(1 - 6. / 4));
  EXPECT_DOUBLE_EQ(score.ratio, 4. / 6);
}

TEST(BleuTest, NothingMatchesOrNothingIsThere) {
  EXPECT_EQ(Bleu(Of("x y z w", {"a b c d"})), 0);
  EXPECT_EQ(Bleu(Of("", {"a b c d"})), 0);
  EXPECT_EQ(Bleu(Of("a b c", {"a b c"})), 0);  // no 4-gram in the whole corpus
  EXPECT_EQ(Bleu(BleuStatistics{}), 0);
}

TEST(BleuTest, StatisticsAdd) {
  BleuStatistics sum = Of("a b c x", {"a b c d"});
  sum += Of("a", {"a b"});
  EXPECT_EQ(sum.match, (std::array<int64_t, 4>{4, 2, 1, 0}));
  EXPECT_EQ(sum.total, (std::array<int64_t, 4>{5, 3, 2, 1}));
  EXPECT_EQ(sum.length, 5);
  EXPECT_EQ(sum.reference_length, 6);
}

TEST(BleuTest, ASentenceNeedsAReference) { EXPECT_THROW(BleuReferences({{{"a"}}, {}}), Error); }

std::map<Tokens, int64_t> Ngrams(const Tokens& tokens, size_t order) {
  std::map<Tokens, int64_t> counts;
  for (size_t i = 0; i + order <= tokens.size(); ++i)
    ++counts[Tokens(tokens.begin() + static_cast<int64_t>(i), tokens.begin() + static_cast<int64_t>(i + order))];
  return counts;
}

TEST(BleuTest, EqualsCountingWithMapsOnRandomSentences) {
  std::mt19937 random(7);
  auto sentence = [&random](unsigned words) {
    Tokens tokens(random() % 12);
    for (std::string& token : tokens) token = std::string(1, static_cast<char>('a' + random() % words));
    return tokens;
  };
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<Tokens> references(1 + random() % 3);
    for (Tokens& reference : references) reference = sentence(3);
    const Tokens hypothesis = sentence(4);
    const BleuStatistics statistics = BleuReferences({references}).Statistics(0, hypothesis);
    for (size_t n = 1; n <= 4; ++n) {
      int64_t match = 0;
      for (const auto& [ngram, count] : Ngrams(hypothesis, n)) {
        int64_t most = 0;
        for (const Tokens& reference : references) {
          const auto counts = Ngrams(reference, n);
          const auto found = counts.find(ngram);
          if (found != counts.end()) most = std::max(most, found->second);
        }
        match += std::min(count, most);
      }
      ASSERT_EQ(statistics.match[n - 1], match) << "trial " << trial << ", order " << n;
    }
  }
}

}  // namespace
}  // namespace graft::engine
