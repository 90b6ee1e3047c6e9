// Tables built from random corpora: their scores against brute force, their bytes against every other way to build
// them.
#include "building/build.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "building/dump.h"
#include "building/prune.h"
#include "graft/error.h"
#include "oracle/brute_force.h"
#include "rules/rule_text.h"
#include "table/random_corpus.h"
#include "table/rule_table.h"

namespace graft::engine {
namespace {

WorkOptions Work(int threads, uint64_t memory_bytes = uint64_t{64} << 20) {
  WorkOptions work;
  work.threads = threads;
  work.memory_bytes = memory_bytes;
  return work;
}

void Build(const TrainingCorpus& corpus, const BuildOptions& options, const WorkOptions& work,
           const std::string& path) {
  BuildTable(CountOccurrences(corpus, options.spec, work, {}), options, work, path, {});
}

TEST(BuildTest, EqualsBruteForce) {
  for (const SystemSpec& spec : AllSpecs()) {
    SCOPED_TRACE(ToToml(spec));
    const TemporaryFolder folder;
    const auto examples = RandomCorpus(300, 11);
    const std::string path = folder.File("table");
    Build(WriteCorpus(folder, "all", examples, spec), {.spec = spec, .scores = ScoreCoding::kF32, .counts = true},
          Work(2), path);
    auto expected = oracle::BruteForceTable(examples, spec);
    const RuleTable table = RuleTable::Open(path);
    EXPECT_EQ(table.rules(), expected.size());
    std::vector<TableEntry> entries;
    table.ForEachSource([&](const std::vector<SourceSymbol>& source, TrieNode node) {
      table.ReadEntries(node, &entries);
      for (size_t i = 0; i < entries.size(); ++i) {
        const TableEntry& entry = entries[i];
        const RuleFields fields = FormatRule(
            spec.signature(), {entry.lhs, source, entry.target, {}}, [&](WordId id) { return table.SourceWord(id); },
            [&](WordId id) { return table.TargetWord(id); },
            [&](uint32_t label) -> std::string_view {
              return spec.has_grammar() ? std::string_view(table.labels()[label]) : "X";
            });
        const std::string key = fields.lhs + " ||| " + fields.source + " ||| " + fields.edges + " ||| " + fields.target;
        const auto found = expected.find(key);
        ASSERT_NE(found, expected.end()) << key;
        const oracle::TableRule& rule = found->second;
        EXPECT_NEAR(entry.scores.p_source_given_target, rule.p_source_given_target, 1e-5) << key;
        EXPECT_NEAR(entry.scores.lex_source_given_target, rule.lex_source_given_target, 1e-4) << key;
        EXPECT_NEAR(entry.scores.p_target_given_source, rule.p_target_given_source, 1e-5) << key;
        EXPECT_NEAR(entry.scores.lex_target_given_source, rule.lex_target_given_source, 1e-4) << key;
        EXPECT_EQ(entry.count_joint, rule.count_joint) << key;
        EXPECT_EQ(entry.count_source, rule.count_source) << key;
        EXPECT_EQ(entry.count_target, rule.count_target) << key;
        EXPECT_EQ(table.alignments()[entry.alignment], rule.links) << key;
        if (i > 0) {
          EXPECT_TRUE(StoredBefore(table.codec(), entries[i - 1], entry)) << key;
        }
        expected.erase(found);
      }
    });
    EXPECT_TRUE(expected.empty());
  }
}

TEST(BuildTest, WordAndAlignmentIdsFollowCounts) {
  const TemporaryFolder folder;
  const SystemSpec spec = SpecOf("sdtu");
  const auto examples = RandomCorpus(200, 5);
  Build(WriteCorpus(folder, "all", examples, spec), {.spec = spec}, Work(2), folder.File("table"));
  const RuleTable table = RuleTable::Open(folder.File("table"));
  std::map<std::string, uint64_t> links, alignments;
  for (const auto& [words, count] : oracle::BruteForceLinkCounts(examples))
    if (!words.first.empty()) links[words.first] += count;
  for (const auto& example : examples)
    for (const auto& line : oracle::BruteForceExtract(example, spec)) ++alignments[line.links];
  const auto expect_order = [](std::map<std::string, uint64_t>& counts, const auto& text, size_t size) {
    EXPECT_EQ(size, counts.size());
    for (size_t i = 1; i < size; ++i) {
      const std::string before(text(i - 1)), after(text(i));
      EXPECT_TRUE(counts[before] > counts[after] || (counts[before] == counts[after] && before < after))
          << before << " and " << after;
    }
  };
  expect_order(
      links, [&](size_t i) { return table.SourceWord(static_cast<WordId>(i)); }, table.source_words());
  expect_order(
      alignments, [&](size_t i) { return table.alignments()[i]; }, table.alignments().size());
}

TEST(BuildTest, SameBytesHoweverItIsBuilt) {
  for (const SystemSpec& spec : AllSpecs()) {
    for (ScoreCoding coding : {ScoreCoding::kQ16, ScoreCoding::kF32, ScoreCoding::kQ8}) {
      SCOPED_TRACE(ToToml(spec) + std::string(ScoreCodingName(coding)));
      const TemporaryFolder folder;
      const auto examples = RandomCorpus(250, 23);
      const TrainingCorpus corpus = WriteCorpus(folder, "all", examples, spec);
      const BuildOptions options{.spec = spec, .scores = coding, .counts = coding != ScoreCoding::kF32};
      Build(corpus, options, Work(1), folder.File("table"));
      const std::string expected = folder.Read("table");

      Build(corpus, options, Work(2), folder.File("two"));
      EXPECT_EQ(folder.Read("two"), expected);
      Build(corpus, options, Work(4), folder.File("four"));
      EXPECT_EQ(folder.Read("four"), expected);
      Build(corpus, options, Work(3, 200'000), folder.File("little"));  // a few hundred records in memory
      EXPECT_EQ(folder.Read("little"), expected);

      std::vector<std::string> occurrence_files, lexicon_files;
      for (size_t shard = 0; shard < 3; ++shard) {
        const size_t borders[] = {0, 50, 51, examples.size()};
        const std::vector<oracle::Example> part(examples.begin() + static_cast<ptrdiff_t>(borders[shard]),
                                                examples.begin() + static_cast<ptrdiff_t>(borders[shard + 1]));
        const std::string name = "shard" + std::to_string(2 - shard);
        Occurrences found = CountOccurrences(WriteCorpus(folder, name, part, spec), spec, Work(2), {});
        lexicon_files.push_back(folder.File(name + ".lex.zst"));
        occurrence_files.insert(occurrence_files.begin(), folder.File(name + ".occ"));
        WriteOccurrences(std::move(found), Work(2), occurrence_files.front(), lexicon_files.back());
      }
      for (const WorkOptions& work : {Work(1), Work(4, 200'000)}) {
        BuildTable(ReadOccurrences(occurrence_files, lexicon_files, spec, work, {}), options, work,
                   folder.File("merged"), {});
        EXPECT_EQ(folder.Read("merged"), expected);
      }

      DumpTable(RuleTable::Open(folder.File("table")), folder.File("dump.gz"));
      RestoreTable(folder.File("dump.gz"), folder.File("restored"), {});
      EXPECT_EQ(folder.Read("restored"), expected);
    }
  }
}

TEST(BuildTest, OccurrencesAreTheSameForAnyThreadsAndMemory) {
  for (const SystemSpec& spec : AllSpecs()) {
    const TemporaryFolder folder;
    const auto examples = RandomCorpus(300, 31);
    const TrainingCorpus corpus = WriteCorpus(folder, "all", examples, spec);
    std::vector<oracle::RuleLine> lines;
    for (const auto& example : examples)
      for (auto& line : oracle::BruteForceExtract(example, spec)) lines.push_back(std::move(line));
    std::sort(lines.begin(), lines.end());
    std::string expected;
    for (const std::string& line : oracle::Merged(lines)) expected += line + "\n";
    for (const WorkOptions& work : {Work(1), Work(2), Work(4, 150'000)}) {
      WriteOccurrences(CountOccurrences(corpus, spec, work, {}), work, folder.File("occurrences"));
      EXPECT_EQ(folder.Read("occurrences"), expected) << ToToml(spec);
    }
  }
}

TEST(BuildTest, LabelsAreXAndThenBytewiseThoseThatRulesHave) {
  const TemporaryFolder folder;
  const SystemSpec spec = GrammarSpec("gramgbmt-c", "dsg", {.pos = true});
  const auto examples = RandomCorpus(200, 17);
  Build(WriteCorpus(folder, "all", examples, spec), {.spec = spec}, Work(2), folder.File("table"));
  const RuleTable table = RuleTable::Open(folder.File("table"));
  EXPECT_TRUE(table.has_lhs());
  ASSERT_GT(table.labels().size(), 3u);
  EXPECT_EQ(table.labels()[0], "X");
  EXPECT_TRUE(std::is_sorted(table.labels().begin() + 1, table.labels().end()));
  std::set<uint32_t> used;
  TargetList targets;
  table.ForEachSource([&](const std::vector<SourceSymbol>& source, TrieNode node) {
    for (const SourceSymbol& symbol : source)
      if ((symbol.symbol & kLabelBit) != 0) used.insert(symbol.symbol & ~kLabelBit);
    table.ReadTargets(node, &targets);
    for (const TargetList::Entry& entry : targets.entries) used.insert(entry.lhs);
  });
  used.insert(0);
  EXPECT_EQ(used.size(), table.labels().size());

  Build(WriteCorpus(folder, "x", examples, SpecOf("hpbmt")), {.spec = SpecOf("hpbmt")}, Work(2),
        folder.File("x.table"));
  const RuleTable plain = RuleTable::Open(folder.File("x.table"));
  EXPECT_FALSE(plain.has_lhs());
  EXPECT_EQ(plain.labels(), std::vector<std::string>{"X"});
}

TEST(BuildTest, NonTerminalsAreCounted) {
  const TemporaryFolder folder;
  const SystemSpec spec = GrammarSpec("hpbmt", "", {.mgs = 1});
  Build(WriteCorpus(folder, "all", RandomCorpus(200, 19), spec), {.spec = spec}, Work(2), folder.File("table"));
  const RuleTable table = RuleTable::Open(folder.File("table"));
  std::vector<uint64_t> source_sides(3), rules(3);
  std::vector<TableEntry> entries;
  table.ForEachSource([&](const std::vector<SourceSymbol>& source, TrieNode node) {
    const auto number = static_cast<size_t>(
        std::count_if(source.begin(), source.end(), [](const SourceSymbol& s) { return (s.symbol & kLabelBit) != 0; }));
    ASSERT_LE(number, 2u);
    table.ReadEntries(node, &entries);
    ++source_sides[number];
    rules[number] += entries.size();
  });
  const auto statistics = table.nonterminal_statistics();
  ASSERT_EQ(statistics.size(), 3u);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_GT(rules[i], 0u);
    EXPECT_EQ(statistics[i].source_sides, source_sides[i]);
    EXPECT_EQ(statistics[i].rules, rules[i]);
  }
}

TEST(BuildTest, KeepIsPruning) {
  const std::vector<std::pair<SystemSpec, ScoreCoding>> cases = {
      {SpecOf("seggbmt", "dsg"), ScoreCoding::kQ16},
      {SpecOf("seggbmt", "dsg"), ScoreCoding::kF32},
      {SpecOf("seggbmt", "dsg"), ScoreCoding::kQ8},
      {GrammarSpec("gramgbmt-b", "dsg", {.pos = true}), ScoreCoding::kQ16},
      {GrammarSpec("gramgbmt-c", "dsg", {.pos = true, .mgs = 1}), ScoreCoding::kQ8}};
  for (const auto& [spec, coding] : cases) {
    const TemporaryFolder folder;
    const TrainingCorpus corpus = WriteCorpus(folder, "all", RandomCorpus(300, 41), spec);
    BuildOptions options{.spec = spec, .scores = coding, .counts = true};
    Build(corpus, options, Work(2), folder.File("whole"));
    options.keep = 2;
    Build(corpus, options, Work(2), folder.File("kept"));
    const RuleTable whole = RuleTable::Open(folder.File("whole"));
    PruneTable(whole, {.keep = 2}, folder.File("pruned"));
    EXPECT_EQ(folder.Read("pruned"), folder.Read("kept"));

    const RuleTable kept = RuleTable::Open(folder.File("kept"));
    EXPECT_LT(kept.rules(), whole.rules());
    EXPECT_EQ(kept.source_sides(), whole.source_sides());
    std::vector<TableEntry> some, all;
    kept.ForEachSource([&](const std::vector<SourceSymbol>& source, TrieNode node) {
      kept.ReadEntries(node, &some);
      TrieNode other = RuleTable::kRoot;
      for (const SourceSymbol& symbol : source) other = whole.Child(other, symbol.symbol, symbol.signature).value();
      whole.ReadEntries(other, &all);
      std::vector<TableEntry> best;  // two of each left-hand side
      for (size_t i = 0; i < all.size(); ++i)
        if (i < 2 || all[i].lhs != all[i - 2].lhs) best.push_back(all[i]);
      ASSERT_EQ(some.size(), best.size());
      for (size_t i = 0; i < some.size(); ++i) {
        EXPECT_EQ(some[i].lhs, best[i].lhs);
        EXPECT_EQ(some[i].target, best[i].target);
      }
    });
  }
}

TEST(PruneTest, ByProbabilityAndCount) {
  const TemporaryFolder folder;
  const SystemSpec spec = SpecOf("pbmt");
  const TrainingCorpus corpus = WriteCorpus(folder, "all", RandomCorpus(300, 43), spec);
  Build(corpus, {.spec = spec, .counts = true}, Work(2), folder.File("whole"));
  const RuleTable whole = RuleTable::Open(folder.File("whole"));
  uint64_t probable = 0, frequent = 0, both = 0;
  std::vector<TableEntry> entries;
  whole.ForEachSource([&](const std::vector<SourceSymbol>&, TrieNode node) {
    whole.ReadEntries(node, &entries);
    for (const TableEntry& entry : entries) {
      const bool half = 2 * entry.count_joint >= entry.count_source;  // exactly one half must stay
      const bool twice = entry.count_joint >= 2 * kOneOccurrence;
      probable += half;
      frequent += twice;
      both += half && twice;
    }
  });
  EXPECT_EQ(PruneTable(whole, {.min_prob = 0.5}, folder.File("p")).rules, probable);
  EXPECT_EQ(PruneTable(whole, {.min_count = 2 * kOneOccurrence}, folder.File("c")).rules, frequent);
  EXPECT_EQ(PruneTable(whole, {.min_prob = 0.5, .min_count = 2 * kOneOccurrence}, folder.File("b")).rules, both);
  EXPECT_THROW(PruneTable(whole, {.min_count = 1'000'000 * kOneOccurrence}, folder.File("none")), Error);
  EXPECT_FALSE(std::filesystem::exists(folder.File("none")));

  Build(corpus, {.spec = spec}, Work(2), folder.File("bare"));
  EXPECT_THROW(PruneTable(RuleTable::Open(folder.File("bare")), {.min_count = 1}, folder.File("x")), Error);
}

TEST(BuildTest, SkippedPairsAreCountedButTheirLinksCount) {
  const TemporaryFolder folder;
  std::string words;
  for (int i = 0; i < 251; ++i) words += "lang ";
  TrainingCorpus corpus;
  corpus.files = {folder.Write("s", "a b\n\nc\n" + words + "\n"), folder.Write("t", "x\ny\nz\nlong\n"),
                  folder.Write("a", "0-0\n\n\n0-0\n")};
  Occurrences found = CountOccurrences(corpus, SpecOf("pbmt"), Work(2), {});
  EXPECT_EQ(found.totals.pairs, 4u);
  EXPECT_EQ(found.totals.empty, 1u);
  EXPECT_EQ(found.totals.unlinked, 1u);
  EXPECT_EQ(found.totals.too_long, 1u);
  EXPECT_EQ(found.totals.occurrences, 2u);  // a, a b
  EXPECT_EQ(WriteOccurrences(std::move(found), Work(2), folder.File("occurrences"), folder.File("lex")), 2u);
  EXPECT_EQ(folder.Read("lex"),
            " ||| y ||| 1\n ||| z ||| 1\na ||| x ||| 1\nb |||  ||| 1\nc |||  ||| 1\nlang |||  ||| 250\n"
            "lang ||| long ||| 1\n");
}

}  // namespace
}  // namespace graft::engine
