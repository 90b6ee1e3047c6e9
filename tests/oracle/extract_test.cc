// The engine's extraction against brute force, on random aligned graphs.
#include <gtest/gtest.h>

#include <random>

#include "oracle/brute_force.h"
#include "oracle/examples.h"
#include "oracle/setting.h"
#include "rules/lexicon.h"

namespace graft::engine::oracle {
namespace {

constexpr int kExamples = 10'000;

const Setting kSettings[] = {
    {"Pbmt", "pbmt", "", false},
    {"Sdtu", "sdtu", "", false},
    {"Tbmt", "tbmt", "", false},
    {"SegGbmtTree", "seggbmt", "tree", false},
    {"SegGbmtDsg", "seggbmt", "dsg", false},
    {"SegGbmtDbg", "seggbmt", "dbg", false},
    {"SegGbmtUnion", "seggbmt-union", "", false},
    {"SegGbmtUnionLabels", "seggbmt-union", "", true},
    {"SegGbmtTreeLabels", "seggbmt", "tree", true},
    {"SegGbmtDsgLabels", "seggbmt", "dsg", true},
    {"SegGbmtDbgLabels", "seggbmt", "dbg", true},
};

// Every third example has small limits, every fifth keeps its tree as it is.
SystemSpec SpecOf(const Setting& setting, int example) {
  SystemOptions options = setting.options();
  const std::string name = setting.system;
  if (example % 3 == 0) {
    options["max_length"] = 1 + example / 3 % 4;
    if (name != "pbmt") options["max_extract_span"] = example / 3 % 6;
  }
  if (example % 5 == 0 && name != "pbmt" && name != "sdtu") options["projectivise"] = false;
  return MakeSystemSpec(options);
}

class ExtractOracleTest : public testing::TestWithParam<Setting> {};

TEST_P(ExtractOracleTest, EqualsBruteForceOnRandomGraphs) {
  std::mt19937_64 random(20160807);
  uint64_t occurrences = 0;
  for (int i = 0; i < kExamples; ++i) {
    const Example example = RandomExample(&random);
    const SystemSpec spec = SpecOf(GetParam(), i);
    const std::vector<RuleLine> expected = BruteForceExtract(example, spec);
    ASSERT_EQ(EngineExtract(example, spec), expected) << ToString(example) << "\n" << ToToml(spec);
    occurrences += expected.size();
  }
  EXPECT_GT(occurrences, uint64_t{5} * kExamples) << "the random graphs give too few rules to test anything";
}

INSTANTIATE_TEST_SUITE_P(Systems, ExtractOracleTest, testing::ValuesIn(kSettings),
                         [](const auto& param_info) { return std::string(param_info.param.test_name); });

TEST(LexiconOracleTest, CountsAndWeightsEqualBruteForceOnRandomCorpora) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 20; ++round) {
    std::vector<Example> examples;
    for (int i = 0; i < 50; ++i) examples.push_back(RandomExample(&random));
    for (const Setting& setting : kSettings) {
      const SystemSpec spec = SpecOf(setting, 1);
      Vocabulary source_words, target_words;
      LinkCounts counts;
      std::vector<IndexedPair> pairs;
      for (const Example& example : examples) {
        pairs.push_back(Index(example, spec, &source_words, &target_words));
        counts.AddPair(pairs.back().source, pairs.back().target, pairs.back().links);
      }
      const auto expected_counts = BruteForceLinkCounts(examples);
      ASSERT_EQ(counts.size(), expected_counts.size());
      for (const auto& entry : counts.Entries()) {
        const std::string source = entry.source == kNoWord ? "" : source_words.Word(entry.source);
        const std::string target = entry.target == kNoWord ? "" : target_words.Word(entry.target);
        ASSERT_EQ(entry.count, expected_counts.at({source, target}));
      }
      const Lexicon lexicon(counts);
      const auto table = BruteForceTable(examples, spec);
      size_t weighed = 0;
      UnitExtractor extractor(spec);
      for (const IndexedPair& pair : pairs) {
        extractor.Extract(pair, [&](const RuleOccurrence& rule, const UnitPair&) {
          const RuleLine line = Line(rule, spec, source_words, target_words);
          const TableRule& expected = table.at(line.Key());
          if (line.links != expected.links) return;
          const Lexicon::Weights weights = lexicon.Weigh(rule.source, rule.target, rule.links);
          EXPECT_NEAR(weights.source_given_target, expected.lex_source_given_target, 1e-10);
          EXPECT_NEAR(weights.target_given_source, expected.lex_target_given_source, 1e-10);
          ++weighed;
        });
      }
      EXPECT_GE(weighed, table.size());
    }
  }
}

}  // namespace
}  // namespace graft::engine::oracle
