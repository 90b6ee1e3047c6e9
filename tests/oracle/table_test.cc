// The whole way from a corpus on disk to a rule table against brute force: rules, counts, kept alignments and the four
// scores.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <random>

#include "building/build.h"
#include "building/occurrences.h"
#include "oracle/brute_force.h"
#include "oracle/examples.h"
#include "oracle/setting.h"
#include "rules/rule_text.h"
#include "table/rule_table.h"
#include "temporary_folder.h"

namespace graft::engine::oracle {
namespace {

constexpr int kCorpora = 12;
constexpr int kExamplesPerCorpus = 60;

SystemSpec SpecOf(const Setting& setting, int corpus) {
  SystemOptions options = setting.options();
  const std::string name = setting.system;
  if (corpus % 3 == 0) options["max_length"] = 3;
  if (corpus % 4 == 0 && name != "pbmt" && name != "sdtu") options["projectivise"] = false;
  return MakeSystemSpec(options);
}

// The random words that a file can hold: no tab in CoNLL-U, no space in text.
std::vector<Example> RandomCorpus(std::mt19937_64* random) {
  std::vector<Example> examples;
  for (int i = 0; i < kExamplesPerCorpus; ++i) {
    Example example = RandomExample(random);
    for (std::string& word : example.source) std::replace(word.begin(), word.end(), '\t', '_');
    for (std::string& word : example.target) {
      std::replace(word.begin(), word.end(), '\t', '_');
      std::replace(word.begin(), word.end(), ' ', '_');
    }
    examples.push_back(std::move(example));
  }
  return examples;
}

class TableOracleTest : public testing::TestWithParam<Setting> {
 protected:
  TrainingCorpus Write(const std::vector<Example>& examples, const SystemSpec& spec) const {
    std::ofstream source(folder_.File("source.conllu")), target(folder_.File("target")), align(folder_.File("align"));
    for (const Example& example : examples) {
      for (size_t i = 0; i < example.source.size(); ++i)
        source << i + 1 << '\t' << example.source[i] << "\t_\tX\tX\t_\t" << example.heads[i] << "\tdep\t_\t_\n";
      source << '\n';
      for (size_t j = 0; j < example.target.size(); ++j) target << (j == 0 ? "" : " ") << example.target[j];
      target << '\n';
      for (size_t l = 0; l < example.links.size(); ++l)
        align << (l == 0 ? "" : " ") << example.links[l].first << '-' << example.links[l].second;
      align << '\n';
    }
    TrainingCorpus corpus;
    corpus.files.source = folder_.File("source.conllu");
    corpus.files.target = folder_.File("target");
    corpus.files.align = folder_.File("align");
    corpus.format = SourceFormat::kConllu;
    corpus.source.projectivise = spec.reading.projectivise;
    return corpus;
  }

  TemporaryFolder folder_;
};

WorkOptions WorkOf(int corpus) {
  WorkOptions work;
  work.threads = 1 + corpus % 2;
  if (corpus % 3 == 1) work.memory_bytes = 1 << 16;  // sorts in several runs
  return work;
}

std::map<RuleKey, TableRule> ReadTable(const std::string& path) {
  const RuleTable table = RuleTable::Open(path);
  std::map<RuleKey, TableRule> rules;
  std::vector<TableEntry> entries;
  table.ForEachSource([&](const std::vector<SourceSymbol>& source, TrieNode node) {
    table.ReadEntries(node, &entries);
    for (const TableEntry& entry : entries) {
      RuleOccurrence rule;
      rule.source = source;
      rule.target = entry.target;
      const RuleFields fields = FormatRule(
          table.spec().signature(), rule, [&](WordId id) { return table.SourceWord(id); },
          [&](WordId id) { return table.TargetWord(id); });
      TableRule& read = rules[fields.lhs + " ||| " + fields.source + " ||| " + fields.edges + " ||| " + fields.target];
      EXPECT_EQ(read.count_joint, 0u) << "twice in the table: " << fields.source;
      read = {entry.scores.p_source_given_target,
              entry.scores.lex_source_given_target,
              entry.scores.p_target_given_source,
              entry.scores.lex_target_given_source,
              entry.count_joint,
              entry.count_source,
              entry.count_target,
              table.alignments()[entry.alignment]};
    }
  });
  return rules;
}

TEST_P(TableOracleTest, TableOfRandomCorporaEqualsBruteForce) {
  std::mt19937_64 random(2017);
  for (int k = 0; k < kCorpora; ++k) {
    const std::vector<Example> examples = RandomCorpus(&random);
    const SystemSpec spec = SpecOf(GetParam(), k);
    BuildOptions options;
    options.spec = spec;
    options.scores = ScoreCoding::kF32;
    options.counts = true;
    BuildTable(CountOccurrences(Write(examples, spec), spec, WorkOf(k), Reporter()), options, WorkOf(k),
               folder_.File("rules.graft"), Reporter());
    const auto expected = BruteForceTable(examples, spec);
    const auto found = ReadTable(folder_.File("rules.graft"));
    ASSERT_EQ(found.size(), expected.size());
    for (const auto& [key, rule] : expected) {
      ASSERT_TRUE(found.contains(key)) << key;
      const TableRule& read = found.at(key);
      ASSERT_NEAR(read.p_source_given_target, rule.p_source_given_target, 1e-5) << key;
      ASSERT_NEAR(read.lex_source_given_target, rule.lex_source_given_target, 1e-5) << key;
      ASSERT_NEAR(read.p_target_given_source, rule.p_target_given_source, 1e-5) << key;
      ASSERT_NEAR(read.lex_target_given_source, rule.lex_target_given_source, 1e-5) << key;
      ASSERT_EQ(read.count_joint, rule.count_joint) << key;
      ASSERT_EQ(read.count_source, rule.count_source) << key;
      ASSERT_EQ(read.count_target, rule.count_target) << key;
      ASSERT_EQ(read.links, rule.links) << key;
    }
  }
}

TEST_P(TableOracleTest, ExtractedFilesOfRandomCorporaEqualBruteForce) {
  std::mt19937_64 random(2018);
  for (int k = 0; k < kCorpora; ++k) {
    const std::vector<Example> examples = RandomCorpus(&random);
    const SystemSpec spec = SpecOf(GetParam(), k);
    Occurrences found = CountOccurrences(Write(examples, spec), spec, WorkOf(k), Reporter());
    WriteOccurrences(std::move(found), WorkOf(k), folder_.File("occurrences"));
    std::vector<RuleLine> lines;
    for (const Example& example : examples) {
      const auto some = BruteForceExtract(example, spec);
      lines.insert(lines.end(), some.begin(), some.end());
    }
    std::ifstream file(folder_.File("occurrences"));
    std::vector<std::string> read;
    for (std::string line; std::getline(file, line);) read.push_back(line);
    ASSERT_EQ(read, Merged(lines)) << ToToml(spec);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Systems, TableOracleTest,
    testing::Values(Setting{"Pbmt", "pbmt", "", false}, Setting{"Sdtu", "sdtu", "", false},
                    Setting{"Tbmt", "tbmt", "", false}, Setting{"SegGbmtTree", "seggbmt", "tree", false},
                    Setting{"SegGbmtDsg", "seggbmt", "dsg", false}, Setting{"SegGbmtDbg", "seggbmt", "dbg", false},
                    Setting{"SegGbmtDbgLabels", "seggbmt", "dbg", true}, Setting{"Serg", "serg", "", false}),
    [](const auto& param_info) { return std::string(param_info.param.test_name); });

}  // namespace
}  // namespace graft::engine::oracle
