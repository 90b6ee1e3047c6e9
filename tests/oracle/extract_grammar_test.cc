// Extraction of rules with non-terminals against brute force, on random aligned graphs and random settings.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>

#include "oracle/brute_force.h"
#include "oracle/examples.h"
#include "support/specs.h"

namespace graft::engine::oracle {
namespace {

using fixtures::SpecOf;

constexpr int kExamples = 10'000;

int Below(int end, std::mt19937_64* random) { return static_cast<int>((*random)() % static_cast<uint64_t>(end)); }

// Settings of the system, each of its own accord: every one is met with every other.
SystemSpec RandomSpec(const std::string& system, std::mt19937_64* random) {
  SystemOptions options;
  options["name"] = system;
  if (system.starts_with("gramgbmt")) {
    const char* graphs[] = {"tree", "dsg", "dbg"};
    options["graph"] = graphs[Below(3, random)];
    options["edge_labels"] = Below(3, random) == 0;
  }
  if (system != "hpbmt") {
    options["pos"] = Below(3, random) == 0;
    options["projectivise"] = Below(4, random) != 0;
  }
  options["mgs"] = 1 + Below(3, random);
  options["adjacent_nt"] = Below(2, random) == 0;
  if (Below(2, random) == 0) options["max_symbols"] = 1 + Below(7, random);
  if (Below(3, random) == 0) options["max_length"] = 1 + Below(6, random);
  if (system == "gramgbmt-b" && Below(4, random) == 0) options["max_extract_span"] = Below(7, random);
  return MakeSystemSpec(options);
}

class ExtractGrammarOracleTest : public testing::TestWithParam<const char*> {};

TEST_P(ExtractGrammarOracleTest, EqualsBruteForceOnRandomGraphsAndSettings) {
  std::mt19937_64 random(20180615);
  uint64_t occurrences = 0, one = 0, two = 0;
  for (int i = 0; i < kExamples; ++i) {
    const SystemSpec spec = RandomSpec(GetParam(), &random);
    const Example example = i % 3 == 0 ? RandomExample(&random) : RandomReordering(&random);
    const std::vector<RuleLine> expected = BruteForceExtract(example, spec);
    ASSERT_EQ(EngineExtract(example, spec), expected) << ToString(example) << "\n" << ToToml(spec);
    occurrences += expected.size();
    for (const RuleLine& line : expected) {
      one += line.links.empty() ? 0 : 1;
      two += line.target.find(",2]") != std::string::npos ? 1 : 0;
    }
  }
  EXPECT_GT(occurrences, uint64_t{20} * kExamples) << "the random graphs give too few rules to test anything";
  EXPECT_EQ(one, occurrences) << "a rule without a link";
  EXPECT_GT(two, uint64_t{kExamples}) << "too few rules with two non-terminals";
}

INSTANTIATE_TEST_SUITE_P(Systems, ExtractGrammarOracleTest,
                         testing::Values("hpbmt", "serg", "gramgbmt-c", "gramgbmt-b"), [](const auto& param_info) {
                           std::string name = param_info.param;
                           name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
                           return name;
                         });

constexpr std::array<const char*, 3> kGraphGrammars = {"gramgbmt-c", "gramgbmt-b", "serg"};

// Neighbours are connected in the bigram graph, so its spans are all the spans there are.
TEST(ExtractGrammarTest, ContinuousRulesOfTheBigramGraphWithoutEdgesAreThoseOfHpbmt) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 500; ++i) {
    const Example example = RandomExample(&random);
    std::vector<RuleLine> lines = EngineExtract(example, SpecOf("gramgbmt-c", "dbg"));
    for (RuleLine& line : lines) line.edges.clear();
    std::sort(lines.begin(), lines.end());
    ASSERT_EQ(lines, EngineExtract(example, SpecOf("hpbmt"))) << ToString(example);
  }
}

// A sentence between others, all of them linked: its rules stay the same wherever it stands.
TEST(ExtractGrammarTest, RulesDoNotDependOnThePlaceInALongSentence) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 200; ++i) {
    const SystemSpec spec = RandomSpec(kGraphGrammars[static_cast<size_t>(i) % 3], &random);
    const Example example = RandomReordering(&random);
    const int words = static_cast<int>(example.source.size());
    for (int before : {1, 60, 125, 190, kMaxSentenceWords - words}) {
      const int all = std::min(kMaxSentenceWords, before + words + 10);
      Example padded;
      for (int k = 0; k < all; ++k) {
        const bool inside = k >= before && k < before + words;
        padded.source.push_back(inside ? example.source[k - before] : "p");
        padded.target.push_back(inside ? example.target[k - before] : "q");
        padded.tags.push_back(inside ? example.tags[k - before] : "P");
        padded.heads.push_back(inside && example.heads[k - before] > 0 ? example.heads[k - before] + before : 0);
        if (!inside) padded.links.emplace_back(k, k);
      }
      for (const auto& [s, t] : example.links) padded.links.emplace_back(s + before, t + before);
      Vocabulary source_words, target_words;
      LabelNumbers labels;
      const IndexedPair pair = Index(padded, spec, &source_words, &target_words);
      std::vector<RuleLine> lines;
      RuleExtractor(spec, &labels).Extract(pair, [&](const RuleOccurrence& rule, const UnitPair& where) {
        if (where.unit.first() >= before && where.unit.last() < before + words && where.target_first >= before &&
            where.target_last < before + words)
          lines.push_back(Line(rule, spec, source_words, target_words, labels));
      });
      std::sort(lines.begin(), lines.end());
      ASSERT_EQ(lines, EngineExtract(example, spec)) << before << " words before " << ToString(example);
    }
  }
}

TEST(ExtractGrammarTest, CountsOfAnInitialPairSumToOne) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 500; ++i) {
    const SystemSpec spec = RandomSpec(kGraphGrammars[static_cast<size_t>(i) % 3], &random);
    const Example example = RandomExample(&random);
    Vocabulary source_words, target_words;
    LabelNumbers labels;
    const IndexedPair pair = Index(example, spec, &source_words, &target_words);
    std::map<std::tuple<NodeSet, int, int>, std::pair<RuleCount, RuleCount>> of_pair;  // rules and their counts
    RuleExtractor(spec, &labels).Extract(pair, [&](const RuleOccurrence& rule, const UnitPair& where) {
      auto& [rules, count] = of_pair[{where.unit, where.target_first, where.target_last}];
      ++rules;
      count += rule.count;
    });
    for (const auto& [where, sums] : of_pair)
      EXPECT_LE(sums.second > kOneOccurrence ? sums.second - kOneOccurrence : kOneOccurrence - sums.second,
                sums.first / 2 + 1);
  }
}

}  // namespace
}  // namespace graft::engine::oracle
