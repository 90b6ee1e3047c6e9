#include "rules/rule_statistics.h"

#include <gtest/gtest.h>

#include <random>

#include "oracle/examples.h"
#include "support/paths.h"
#include "support/specs.h"

namespace graft::engine::oracle {
namespace {

using fixtures::SpecOf;

RuleStatistics Count(const SystemSpec& spec, const std::vector<Example>& examples, const SystemSpec& read_as) {
  Vocabulary source_words, target_words;
  size_t next = 0;
  return CountRules(spec, [&](IndexedPair* pair) {
    if (next == examples.size()) return false;
    *pair = Index(examples[next++], read_as, &source_words, &target_words);
    return true;
  });
}

TEST(RuleStatisticsTest, KindsOfRulesOfTheRunningExample) {
  const std::vector<Example> a = {ReadExamples(TestData("golden/ABC.corpus.txt")).front()};
  const SystemSpec dbg = SpecOf("seggbmt", "dbg");
  const RuleStatistics statistics = Count(dbg, a, dbg);
  EXPECT_EQ(statistics.pairs, 1u);
  EXPECT_EQ(statistics.occurrences, 23u);
  EXPECT_EQ(statistics.rules, 23u);
  EXPECT_EQ(statistics.continuous, 14u);
  EXPECT_EQ(statistics.dependency_connected, 21u);
  EXPECT_EQ(statistics.both, 12u);
  EXPECT_EQ(statistics.neither, 0u);

  const RuleStatistics pbmt = Count(SpecOf("pbmt"), a, dbg);
  EXPECT_EQ(pbmt.rules, 14u);
  EXPECT_EQ(pbmt.continuous, 14u);
  EXPECT_EQ(pbmt.both, 12u);
  const RuleStatistics without_heads = Count(SpecOf("pbmt"), a, SpecOf("pbmt"));
  EXPECT_EQ(without_heads.dependency_connected, 7u) << "the single words";
  EXPECT_DOUBLE_EQ(without_heads.Share(without_heads.both), 0.5);
}

TEST(RuleStatisticsTest, DistinctRulesEqualBruteForce) {
  std::mt19937_64 random(5);
  std::vector<Example> examples;
  for (int i = 0; i < 300; ++i) examples.push_back(RandomExample(&random));
  SystemSpec labelled = SpecOf("gramgbmt-c", "tree");
  labelled.grammar.pos = true;
  for (const SystemSpec& spec :
       {SpecOf("pbmt"), SpecOf("sdtu"), SpecOf("tbmt"), SpecOf("seggbmt", "tree"), SpecOf("seggbmt", "dbg"),
        SpecOf("hpbmt"), SpecOf("serg"), SpecOf("gramgbmt-b", "dsg"), labelled}) {
    const RuleStatistics statistics = Count(spec, examples, spec);
    size_t occurrences = 0;
    for (const Example& example : examples) occurrences += BruteForceExtract(example, spec).size();
    EXPECT_EQ(statistics.rules, BruteForceTable(examples, spec).size()) << spec.name;
    EXPECT_EQ(statistics.occurrences, occurrences) << spec.name;
    EXPECT_EQ(statistics.continuous + statistics.dependency_connected + statistics.neither,
              statistics.rules + statistics.both);
    if (spec.graph == GraphKind::kTree) {
      EXPECT_EQ(statistics.dependency_connected, statistics.rules);
    }
    if (spec.contiguous()) {
      EXPECT_EQ(statistics.continuous, statistics.rules);
    }
  }
}

TEST(RuleStatisticsTest, AMajorityOfOccurrencesDecides) {
  // The same tree-connected rule `a b -> x`: continuous in one sentence, not in the other two.
  const Example near = {{"a", "b", "c"}, {2, 0, 2}, {"x", "y"}, {{0, 0}, {1, 0}, {2, 1}}};
  const Example far = {{"a", "c", "b"}, {3, 3, 0}, {"x", "y"}, {{0, 0}, {2, 0}, {1, 1}}};
  const SystemSpec tree = SpecOf("seggbmt", "tree");
  const auto continuous = [&](const std::vector<Example>& examples) { return Count(tree, examples, tree).continuous; };
  EXPECT_EQ(continuous({near}), 3u) << "a b, c, and the whole";
  EXPECT_EQ(continuous({near, far}), 4u) << "a b in half of its occurrences, c, and both wholes";
  EXPECT_EQ(continuous({near, far, far}), 3u) << "a b no longer";
}

}  // namespace
}  // namespace graft::engine::oracle
