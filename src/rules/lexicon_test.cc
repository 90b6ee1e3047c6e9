#include "rules/lexicon.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

namespace graft::engine {
namespace {

// das Haus / the house, das-the Haus-house; das Haus ja / the the house, das-the1 das-the2, ja unaligned.
LinkCounts SmallCounts() {
  LinkCounts counts;
  counts.AddPair(std::vector<WordId>{0, 1}, std::vector<WordId>{0, 1}, std::vector<WordLink>{{0, 0}, {1, 1}});
  counts.AddPair(std::vector<WordId>{0, 1, 2}, std::vector<WordId>{0, 0, 1, 3}, std::vector<WordLink>{{0, 0}, {0, 1}});
  return counts;
}

TEST(LexiconTest, EveryLinkCountsOneAndUnalignedWordsCountAsNull) {
  std::map<std::pair<WordId, WordId>, uint64_t> found;
  for (const auto& entry : SmallCounts().Entries()) found[{entry.source, entry.target}] = entry.count;
  const std::map<std::pair<WordId, WordId>, uint64_t> expected = {
      {{0, 0}, 3}, {{1, 1}, 1}, {{1, kNoWord}, 1}, {{2, kNoWord}, 1}, {{kNoWord, 1}, 1}, {{kNoWord, 3}, 1}};
  EXPECT_EQ(found, expected);

  const Lexicon lexicon(SmallCounts());
  EXPECT_DOUBLE_EQ(lexicon.TargetGivenSource(0, 0), 1);
  EXPECT_DOUBLE_EQ(lexicon.TargetGivenSource(1, 1), 0.5);
  EXPECT_DOUBLE_EQ(lexicon.SourceGivenTarget(1, 1), 0.5);
  EXPECT_DOUBLE_EQ(lexicon.TargetGivenSource(kNoWord, 3), 0.5);
  EXPECT_DOUBLE_EQ(lexicon.SourceGivenTarget(2, kNoWord), 0.5);
  EXPECT_DOUBLE_EQ(lexicon.TargetGivenSource(2, 0), 1) << "a pair that never occurs";
  EXPECT_DOUBLE_EQ(Lexicon().TargetGivenSource(0, 0), 1);
}

TEST(LexiconTest, PairsWithoutLinksOrWithAnEmptySideCount) {
  LinkCounts counts;
  counts.AddPair(std::vector<WordId>{5}, std::vector<WordId>{}, {});
  counts.AddPair(std::vector<WordId>{5}, std::vector<WordId>{6}, {});
  EXPECT_EQ(counts.size(), 2u);
  EXPECT_DOUBLE_EQ(Lexicon(counts).SourceGivenTarget(5, kNoWord), 1);
}

TEST(LexiconTest, WeightsAreProductsOfMeans) {
  LinkCounts counts;
  counts.Add(0, 0, 1);
  counts.Add(0, 1, 3);
  counts.Add(1, 1, 1);
  counts.Add(1, kNoWord, 1);
  counts.Add(kNoWord, 2, 1);
  counts.Add(kNoWord, 1, 4);
  const Lexicon lexicon(counts);
  const std::vector<SourceSymbol> source = {{0, 0}, {1, 0}};
  const std::vector<TargetSymbol> target = {TargetWord(1), TargetWord(2)};
  const std::vector<RuleLink> links = {{0, 0}, {1, 0}};
  const Lexicon::Weights weights = lexicon.Weigh(source, target, links);
  EXPECT_DOUBLE_EQ(weights.target_given_source, std::log((0.75 + 0.5) / 2) + std::log(0.2));
  EXPECT_DOUBLE_EQ(weights.source_given_target, std::log(0.375) + std::log(0.125));
}

TEST(LexiconTest, MergingShardsIsCountingThemTogether) {
  std::mt19937 random(3);
  LinkCounts whole, left, right;
  std::map<std::pair<WordId, WordId>, uint64_t> expected;
  for (int i = 0; i < 20'000; ++i) {
    const WordId source = random() % 300 == 0 ? kNoWord : static_cast<WordId>(random() % 200);
    const WordId target = source != kNoWord && random() % 50 == 0 ? kNoWord : static_cast<WordId>(random() % 100);
    whole.Add(source, target, 1);
    (i % 3 == 0 ? left : right).Add(source, target, 1);
    ++expected[{source, target}];
  }
  left.Merge(right);
  for (const LinkCounts& counts : {whole, left}) {
    std::map<std::pair<WordId, WordId>, uint64_t> found;
    for (const auto& entry : counts.Entries()) found[{entry.source, entry.target}] = entry.count;
    EXPECT_EQ(found, expected);
    EXPECT_EQ(counts.size(), expected.size());
  }
}

TEST(LexiconTest, WordsAreOrderedByLinksThenBytes) {
  Vocabulary words;
  for (const char* word : {"b", "a", "frequent", "Z"}) words.Add(word);
  const std::vector<uint64_t> counts = {1, 1, 9, 1};
  EXPECT_EQ(OrderByLinks(words, counts), (std::vector<WordId>{2, 3, 1, 0}));
}

}  // namespace
}  // namespace graft::engine
