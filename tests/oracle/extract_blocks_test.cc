// Extraction of the rules of heads with their dependents against brute force, on random aligned trees and settings.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "oracle/brute_force.h"
#include "oracle/examples.h"

namespace graft::engine::oracle {
namespace {

constexpr int kExamples = 10'000;

int Below(int end, std::mt19937_64* random) { return static_cast<int>((*random)() % static_cast<uint64_t>(end)); }

SystemSpec RandomSpec(std::mt19937_64* random) {
  SystemOptions options{{"name", "dep2str"}};
  const bool blocks = Below(4, random) != 0;
  options["blocks"] = blocks;
  if (blocks) options["floating"] = Below(3, random) == 0;
  options["extend"] = Below(4, random) != 0;
  options["projectivise"] = Below(3, random) != 0;
  if (blocks && Below(3, random) == 0) options["max_symbols"] = 1 + Below(7, random);
  if (Below(3, random) == 0) options["max_length"] = 1 + Below(6, random);
  return MakeSystemSpec(options);
}

// Few heads with many dependents; unaligned words in longer runs; words linked to distant ones.
Example RandomBush(std::mt19937_64* random) {
  Example example = RandomReordering(random, 10);
  const int words = static_cast<int>(example.source.size());
  for (int word = 0; word < words; ++word) {
    const int head = example.heads[word];
    if (head > 0 && example.heads[head - 1] > 0 && Below(2, random) == 0) example.heads[word] = example.heads[head - 1];
  }
  const int gap = Below(words, random);
  std::erase_if(example.links, [&](const auto& link) { return link.second >= gap && link.second < gap + 3; });
  if (Below(2, random) == 0) {
    const std::pair<int, int> far(Below(words, random), Below(words, random));
    if (std::find(example.links.begin(), example.links.end(), far) == example.links.end()) example.links.push_back(far);
  }
  return example;
}

TEST(ExtractBlocksOracleTest, EqualsBruteForceOnRandomTreesAndSettings) {
  std::mt19937_64 random(20110727);
  uint64_t occurrences = 0, shares = 0, variables = 0;
  for (int i = 0; i < kExamples; ++i) {
    const SystemSpec spec = RandomSpec(&random);
    const Example example = i % 3 == 0   ? RandomExample(&random)
                            : i % 3 == 1 ? RandomReordering(&random)
                                         : RandomBush(&random);
    const std::vector<RuleLine> expected = BruteForceExtract(example, spec);
    ASSERT_EQ(EngineExtract(example, spec), expected) << ToString(example) << "\n" << ToToml(spec);
    occurrences += expected.size();
    for (const RuleLine& line : expected) {
      shares += line.count < kOneOccurrence ? 1 : 0;
      variables += line.source.find(",3]") != std::string::npos ? 1 : 0;
    }
  }
  EXPECT_GT(occurrences, uint64_t{10} * kExamples) << "the random trees give too few rules to test anything";
  EXPECT_GT(shares, uint64_t{2} * kExamples) << "too few variants";
  EXPECT_GT(variables, uint64_t{kExamples} / 2) << "too few rules with three variables";
}

SystemSpec Dep2Str(bool extend) { return MakeSystemSpec({{"name", "dep2str"}, {"extend", extend}}); }

// A head before `dependents` leaves, linked one to one.
Example FlatTree(int dependents) {
  Example example;
  for (int k = 0; k <= dependents; ++k) {
    example.source.push_back("s" + std::to_string(k));
    example.target.push_back("t" + std::to_string(k));
    example.tags.push_back("T" + std::to_string(k));
    example.heads.push_back(k == 0 ? 0 : 1);
    example.links.emplace_back(k, k);
  }
  return example;
}

size_t LongestSource(const std::vector<RuleLine>& lines) {
  std::ptrdiff_t most = 0;
  for (const RuleLine& line : lines) most = std::max(most, std::count(line.source.begin(), line.source.end(), ' ') + 1);
  return static_cast<size_t>(most);
}

TEST(ExtractBlocksTest, FullBlocksHaveUpTo15Symbols) {
  EXPECT_EQ(LongestSource(EngineExtract(FlatTree(14), Dep2Str(true))), 15u);
  const std::vector<RuleLine> larger = EngineExtract(FlatTree(15), Dep2Str(true));
  EXPECT_EQ(LongestSource(larger), 7u) << "phrases and parts remain";
  EXPECT_EQ(larger, BruteForceExtract(FlatTree(15), Dep2Str(true)));
  const std::vector<RuleLine> lines = EngineExtract(FlatTree(14), Dep2Str(true));
  EXPECT_TRUE(std::any_of(lines.begin(), lines.end(), [](const RuleLine& line) {
    return line.source.find("[p=T14,15]") != std::string::npos && line.target.ends_with("[X,15]");
  }));
}

// The first word is linked to both ends of the target, so that its span is all of it.
TEST(ExtractBlocksTest, SpansMayBeAsLongAsTheSentence) {
  Example example;
  example.source = {"a", "b", "c"};
  example.tags = {"A", "B", "C"};
  example.heads = {2, 0, 1};
  for (int j = 0; j < kMaxSentenceWords; ++j) example.target.push_back("t" + std::to_string(j));
  example.links = {{0, 1}, {0, kMaxSentenceWords - 1}, {1, 0}};
  example.heads = {2, 0, 2};
  example.links.emplace_back(2, 100);  // inside the span of `a`: the block of all three is lost
  const std::vector<RuleLine> lines = EngineExtract(example, Dep2Str(false));
  EXPECT_TRUE(std::none_of(lines.begin(), lines.end(), [](const RuleLine& line) { return line.edges == "1>0 1>2"; }));
  example.heads = {2, 0, 0};  // `c` is outside, and in a full block that does not matter
  const std::vector<RuleLine> full = EngineExtract(example, Dep2Str(false));
  const auto rule = std::find_if(full.begin(), full.end(), [](const RuleLine& line) { return line.source == "a b"; });
  ASSERT_NE(rule, full.end());
  EXPECT_EQ(std::count(rule->target.begin(), rule->target.end(), ' ') + 1, kMaxSentenceWords);
  EXPECT_EQ(rule->links, "0-1 0-249 1-0");
}

}  // namespace
}  // namespace graft::engine::oracle
