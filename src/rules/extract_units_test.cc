#include "rules/extract_units.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "graft/error.h"
#include "support/indexed_pair.h"
#include "support/specs.h"

namespace graft::engine {
namespace {

using fixtures::Pair;
using fixtures::SpecOf;

std::vector<NodeSet> Units(const SystemSpec& spec, const IndexedPair& pair) {
  std::vector<NodeSet> units;
  UnitExtractor(spec).Extract(pair, [&](const RuleOccurrence&, const UnitPair& where) { units.push_back(where.unit); });
  std::sort(units.begin(), units.end());
  return units;
}

NodeSet Set(std::initializer_list<int> positions) {
  NodeSet set;
  for (int position : positions) set.Add(position);
  return set;
}

TEST(ExtractUnitsTest, UnalignedWordsJoinAtEverySegmentEnd) {
  // 0 and 4 are linked to the only target word; 1, 2, 3, 5 are unaligned: prefixes and suffixes of 1..3, and 5.
  const IndexedPair pair = Pair(6, 1, {}, {{0, 0}, {4, 0}});
  const std::vector<NodeSet> units = Units(SpecOf("sdtu"), pair);
  EXPECT_EQ(units.size(), 14u);  // 7 of the inner run (0, 1, 12, 123, 3, 23, 1 and 3), with and without 5
  EXPECT_TRUE(std::binary_search(units.begin(), units.end(), Set({0, 1, 3, 4, 5})));
  EXPECT_FALSE(std::binary_search(units.begin(), units.end(), Set({0, 2, 4})));
  EXPECT_EQ(std::adjacent_find(units.begin(), units.end()), units.end()) << "a unit was found twice";
}

TEST(ExtractUnitsTest, TreeletsTakeAnyUnalignedWordThatConnects) {
  // 3 heads everything; 0 and 2 are linked to the target word, so 3 must join, and 1 may.
  const IndexedPair pair = Pair(4, 1, {4, 4, 4, 0}, {{0, 0}, {2, 0}});
  EXPECT_EQ(Units(SpecOf("tbmt"), pair), (std::vector<NodeSet>{Set({0, 2, 3}), Set({0, 1, 2, 3})}));
}

TEST(ExtractUnitsTest, TreeletsDoNotReachThroughForeignWordsOrAcrossRoots) {
  // 0 and 2 share a target word; the way between them is 1, which is linked to another one.
  EXPECT_EQ(Units(SpecOf("tbmt"), Pair(3, 2, {2, 0, 2}, {{0, 0}, {1, 1}, {2, 0}})),
            (std::vector<NodeSet>{Set({1}), Set({0, 1, 2})}));
  EXPECT_EQ(Units(SpecOf("tbmt"), Pair(2, 1, {0, 0}, {{0, 0}, {1, 0}})), std::vector<NodeSet>{});
}

TEST(ExtractUnitsTest, LongestSentencesAreExtractedAndLongerOnesSkipped) {
  for (const int words : {kMaxSentenceWords, kMaxSentenceWords + 1}) {
    std::vector<WordLink> links;
    std::vector<int> heads;
    for (int i = 0; i < words; ++i) {
      links.push_back({static_cast<uint16_t>(i), static_cast<uint16_t>(i)});
      heads.push_back(i);
    }
    const size_t expected = words > kMaxSentenceWords ? 0 : 7 * static_cast<size_t>(words) - 21;
    for (const SystemSpec& spec : {SpecOf("pbmt"), SpecOf("sdtu"), SpecOf("tbmt"), SpecOf("seggbmt", "dbg")})
      EXPECT_EQ(Units(spec, Pair(words, words, heads, links)).size(), expected) << spec.name;
  }
}

TEST(ExtractUnitsTest, ManyUnalignedWordsDoNotExplode) {
  // 200 unaligned words in a chain of heads around two linked words that are too far apart to be joined.
  std::vector<int> heads;
  for (int i = 0; i < 200; ++i) heads.push_back(i);
  EXPECT_EQ(Units(SpecOf("tbmt"), Pair(200, 1, heads, {{50, 0}, {150, 0}})).size(), 0u);
  EXPECT_EQ(Units(SpecOf("tbmt"), Pair(200, 1, heads, {{50, 0}})).size(), 28u);
  EXPECT_EQ(Units(SpecOf("seggbmt", "tree"), Pair(200, 1, heads, {{50, 0}})).size(), 28u);
}

TEST(ExtractUnitsTest, NothingToExtract) {
  for (const SystemSpec& spec : {SpecOf("pbmt"), SpecOf("tbmt"), SpecOf("seggbmt", "dsg")}) {
    EXPECT_TRUE(Units(spec, Pair(3, 3, {0, 1, 1}, {})).empty());
    EXPECT_TRUE(Units(spec, Pair(0, 3, {}, {})).empty());
    EXPECT_TRUE(Units(spec, Pair(3, 0, {0, 1, 1}, {})).empty());
  }
}

TEST(ExtractUnitsTest, TreeSystemsNeedHeads) {
  EXPECT_THROW(Units(SpecOf("seggbmt", "dbg"), Pair(2, 2, {}, {{0, 0}})), Error);
}

TEST(ExtractUnitsTest, LinksAreRelativeToTheRule) {
  const IndexedPair pair = Pair(3, 3, {}, {{1, 2}, {2, 1}, {2, 2}});
  int found = 0;
  UnitExtractor(SpecOf("pbmt")).Extract(pair, [&](const RuleOccurrence& rule, const UnitPair& where) {
    if (where.unit != Set({0, 1, 2}) || where.target_first != 1) return;
    ++found;
    EXPECT_EQ(std::vector<RuleLink>(rule.links.begin(), rule.links.end()),
              (std::vector<RuleLink>{{1, 1}, {2, 0}, {2, 1}}));
    EXPECT_EQ(rule.target.size(), 2u);
    EXPECT_EQ(rule.count, kOneOccurrence);
  });
  EXPECT_EQ(found, 1);
}

}  // namespace
}  // namespace graft::engine
