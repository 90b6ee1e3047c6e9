#include "table/rule_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <set>
#include <thread>

#include "graft/error.h"
#include "table/test_tables.h"

namespace graft::engine {
namespace {

using fixtures::Describe;
using fixtures::MakeRandomTable;
using fixtures::RandomShape;
using fixtures::RandomTable;
using fixtures::ReadAll;
using fixtures::RuleMap;
using fixtures::WriteTable;

uint64_t CountRules(const RuleMap& rules) {
  uint64_t n = 0;
  for (const auto& [source, entries] : rules) n += entries.size();
  return n;
}

// Writes, reads everything back, and asks for every source side, and for some that are not there, step by step.
void ExpectRoundTrip(RandomTable made) {
  TemporaryFolder folder;
  const std::string path = folder.File("rules.graft");
  const auto totals = WriteTable(path, made.header, &made.rules);
  const RuleTable table = RuleTable::Open(path);
  table.Verify();
  EXPECT_EQ(Describe(ReadAll(table)), Describe(made.rules));
  EXPECT_EQ(table.rules(), CountRules(made.rules));
  EXPECT_EQ(table.source_sides(), made.rules.size());
  EXPECT_EQ(totals.rules, table.rules());
  EXPECT_EQ(totals.bytes, table.bytes());
  EXPECT_EQ(totals.bytes, std::filesystem::file_size(path));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1) << "temporaries are left";

  const TableHeader header = table.header();
  EXPECT_EQ(header.spec, made.header.spec);
  EXPECT_EQ(header.source_words, made.header.source_words);
  EXPECT_EQ(header.target_words, made.header.target_words);
  EXPECT_EQ(header.labels, made.header.labels);
  EXPECT_EQ(header.signatures, made.header.signatures);
  EXPECT_EQ(header.alignments, made.header.alignments);
  EXPECT_EQ(header.books, made.header.books);
  EXPECT_EQ(header.coding, made.header.coding);
  EXPECT_EQ(header.counts, made.header.counts);
  EXPECT_EQ(header.lhs, made.header.lhs);
  uint64_t rules = 0, sources = 0, nodes = 0;
  for (const auto& level : table.statistics()) {
    rules += level.rules;
    sources += level.source_sides;
    nodes += level.nodes;
  }
  EXPECT_EQ(rules, table.rules());
  EXPECT_EQ(sources, table.source_sides());
  EXPECT_EQ(nodes, table.nodes());

  std::set<std::vector<SourceSymbol>> prefixes;
  for (const auto& [source, entries] : made.rules)
    for (size_t n = 1; n <= source.size(); ++n)
      prefixes.insert({source.begin(), source.begin() + static_cast<long>(n)});
  EXPECT_EQ(prefixes.size(), table.nodes());
  std::mt19937_64 random(7);
  for (const auto& prefix : prefixes) {
    std::optional<TrieNode> node = RuleTable::kRoot;
    for (const SourceSymbol& symbol : prefix) {
      node = table.Child(*node, symbol.symbol, symbol.signature);
      ASSERT_TRUE(node);
    }
    EXPECT_EQ(table.HasRules(*node), made.rules.contains(prefix));
    TargetList targets;
    table.ReadTargets(*node, &targets);
    EXPECT_EQ(targets.entries.size(), made.rules.contains(prefix) ? made.rules[prefix].size() : 0);

    const auto symbol = static_cast<uint32_t>(random() % (made.header.source_words.size() + 2));
    auto other = prefix;
    other.push_back({symbol, static_cast<uint32_t>(random() % 8)});
    EXPECT_EQ(table.Child(*node, other.back().symbol, other.back().signature).has_value(), prefixes.contains(other));
  }
}

TEST(RuleTableTest, RoundTripOfEveryKindOfTable) {
  ExpectRoundTrip(MakeRandomTable({}, 1));
  for (ScoreCoding coding : {ScoreCoding::kF32, ScoreCoding::kQ16, ScoreCoding::kQ8})
    for (bool counts : {false, true})
      for (bool lhs : {false, true}) {
        RandomShape shape;
        shape.coding = coding;
        shape.counts = counts;
        shape.lhs = lhs;
        shape.labels = lhs ? 7 : 1;
        shape.signatures = 30;
        shape.source_words = 6;
        ExpectRoundTrip(MakeRandomTable(shape, 2));
      }
}

TEST(RuleTableTest, RoundTripOfNodesWithManyChildren) {
  RandomShape shape;
  shape.sources = 6000;
  shape.source_words = 50;
  shape.signatures = 40;
  shape.max_length = 3;
  ExpectRoundTrip(MakeRandomTable(shape, 3));
  RandomTable made = MakeRandomTable({}, 4);
  made.header.source_words = fixtures::Words("s", 5000);
  for (uint32_t word = 0; word < 5000; word += 2) made.rules[{{3, 0}, {word, 0}}] = made.rules.begin()->second;
  for (uint32_t word = 0; word < 33; ++word) made.rules[{{3, 0}, {4, 0}, {word, 0}}] = made.rules.begin()->second;
  for (uint32_t word = 0; word < 32; ++word) made.rules[{{3, 0}, {5, 0}, {word, 0}}] = made.rules.begin()->second;
  ExpectRoundTrip(std::move(made));
}

// 16-bit slots and begins do not suffice here.
TEST(RuleTableTest, RoundTripOfANodeWithVeryManyChildren) {
  RandomShape shape;
  shape.source_words = 66'000;
  shape.sources = 100;
  RandomTable made = MakeRandomTable(shape, 8);
  const std::vector<TableEntry> entries(1, made.rules.begin()->second[0]);
  for (uint32_t word = 0; word < shape.source_words; ++word) made.rules[{{3, 0}, {4, 0}, {word, 0}}] = entries;
  made.rules[{{3, 0}, {4, 0}, {65'999, 0}, {1, 0}}] = entries;
  ExpectRoundTrip(std::move(made));
}

TEST(RuleTableTest, RoundTripOfLongKeys) {
  RandomShape shape;
  shape.source_words = 5000;
  shape.signatures = size_t{1} << 20;
  RandomTable made = MakeRandomTable(shape, 5);
  for (uint32_t i = 0; i < 100; ++i) made.rules[{{3, 0}, {4999, i * 30'000}}] = made.rules.begin()->second;
  ExpectRoundTrip(std::move(made));
}

TEST(RuleTableTest, RoundTripBeyondOneBlockAndOneBuffer) {
  RandomShape shape;
  shape.sources = 25'000;
  shape.source_words = 2000;
  shape.target_words = 50'000;
  ExpectRoundTrip(MakeRandomTable(shape, 6));
}

TEST(RuleTableTest, EmptyTable) {
  RandomShape shape;
  shape.sources = 0;
  ExpectRoundTrip(MakeRandomTable(shape, 1));
  shape.source_words = shape.target_words = shape.alignments = shape.signatures = 0;
  ExpectRoundTrip(MakeRandomTable(shape, 1));
}

TEST(RuleTableTest, OneWordRulesOnly) {
  RandomShape shape;
  shape.max_length = 1;
  ExpectRoundTrip(MakeRandomTable(shape, 1));
}

TEST(RuleTableTest, AlignmentsOfEveryForm) {
  TemporaryFolder folder;
  RandomTable made = MakeRandomTable({}, 1);
  made.rules.clear();
  made.header.alignments = {"0-0",
                            "",
                            "0-0 1-1 15-15",
                            "16-0",
                            "0-16",
                            "00-1",
                            "0-0 ",
                            " 0-0",
                            "0-0  1-1",
                            "x-y",
                            "0-0-0",
                            "0 0",
                            "-",
                            "1",
                            "1-",
                            "255-255",
                            std::string(300, 'a')};
  WriteTable(folder.File("t"), made.header, &made.rules);
  EXPECT_EQ(RuleTable::Open(folder.File("t")).alignments(), made.header.alignments);
}

TEST(RuleTableTest, LinksAreThoseOfTheText) {
  TemporaryFolder folder;
  RandomTable made = MakeRandomTable({}, 1);
  made.rules.clear();
  made.header.alignments = {"", "0-0", "0-0 1-2 15-15", "3-16", "200-7 201-254"};
  WriteTable(folder.File("t"), made.header, &made.rules);
  const RuleTable table = RuleTable::Open(folder.File("t"));
  const std::vector<std::vector<RuleLink>> expected = {
      {}, {{0, 0}}, {{0, 0}, {1, 2}, {15, 15}}, {{3, 16}}, {{200, 7}, {201, 254}}};
  for (uint32_t id = 0; id < expected.size(); ++id) {
    const std::span<const RuleLink> links = table.Links(id);
    EXPECT_EQ(std::vector<RuleLink>(links.begin(), links.end()), expected[id]) << id;
  }
  for (const char* malformed : {"x-y", "0-0  1-1", "0-0-0", "0 0", "-", "1", "1-", "256-0", "0-0 "}) {
    made.header.alignments = {malformed};
    WriteTable(folder.File("t"), made.header, &made.rules);
    EXPECT_THROW(RuleTable::Open(folder.File("t")).Links(0), Error) << malformed;
  }
}

TEST(RuleTableTest, FindsWords) {
  TemporaryFolder folder;
  RandomTable made = MakeRandomTable({}, 1);
  made.header.source_words = {"der", "", "ä", "Hund", "hund"};
  made.rules.clear();
  WriteTable(folder.File("t"), made.header, &made.rules);
  const RuleTable table = RuleTable::Open(folder.File("t"));
  EXPECT_EQ(table.FindSource("der"), 0u);
  EXPECT_EQ(table.FindSource(""), 1u);
  EXPECT_EQ(table.FindSource("ä"), 2u);
  EXPECT_EQ(table.FindSource("hund"), 4u);
  EXPECT_EQ(table.FindSource("die"), kNoWord);
  EXPECT_EQ(table.FindTarget("t299"), 299u);
  EXPECT_EQ(table.FindTarget("t300"), kNoWord);
  EXPECT_THROW(table.SourceWord(5), Error);
}

TEST(RuleTableTest, SameRulesGiveSameBytes) {
  TemporaryFolder folder;
  RandomTable made = MakeRandomTable({}, 9);
  WriteTable(folder.File("a"), made.header, &made.rules);
  const RuleTable first = RuleTable::Open(folder.File("a"));
  RuleMap read = ReadAll(first);
  WriteTable(folder.File("b"), first.header(), &read);
  const auto bytes = [&](const std::string& name) {
    std::ifstream in(folder.File(name), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  EXPECT_EQ(bytes("a"), bytes("b"));
}

TEST(RuleTableTest, ManyThreadsReadOneTable) {
  TemporaryFolder folder;
  RandomShape shape;
  shape.sources = 5000;
  RandomTable made = MakeRandomTable(shape, 10);
  WriteTable(folder.File("t"), made.header, &made.rules);
  const RuleTable table = RuleTable::Open(folder.File("t"));
  std::vector<std::string> seen(4);
  {
    std::vector<std::jthread> threads;
    for (std::string& text : seen) threads.emplace_back([&] { text = Describe(ReadAll(table)); });
  }
  for (const std::string& text : seen) EXPECT_EQ(text, Describe(made.rules));
}

class TableWriterTest : public ::testing::Test {
 protected:
  void ExpectError(const RandomTable& made, std::vector<std::vector<SourceSymbol>> sources, const TableEntry& entry,
                   const std::string& part) {
    try {
      TableWriter writer(folder_.File("t"), made.header);
      for (const auto& source : sources) writer.Add(source, std::span(&entry, 1));
      writer.Finish();
      ADD_FAILURE() << "no error for: " << part;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path())) << "a failed run leaves files";
  }
  TemporaryFolder folder_;
};

TEST_F(TableWriterTest, RefusesWhatNoTableCanHold) {
  RandomShape shape;
  shape.signatures = 2;
  RandomTable made = MakeRandomTable(shape, 1);
  const TableEntry entry{0, {16, 17}, 0, {}, 0, 0, 0};
  ExpectError(made, {{{2, 0}}, {{1, 0}}}, entry, "table order");
  ExpectError(made, {{{2, 0}}, {{2, 0}}}, entry, "table order");
  ExpectError(made, {{{2, 0}, {1, 0}}, {{2, 0}}}, entry, "table order");
  ExpectError(made, {{{2, 0}, {1, 3}}, {{2, 0}, {1, 0}}}, entry, "table order");
  ExpectError(made, {{{40, 0}}}, entry, "vocabulary");
  ExpectError(made, {{{kLabelBit, 0}}}, entry, "vocabulary");
  ExpectError(made, {{{2, 0}, {2, 1}}}, entry, "signature 1");
  ExpectError(made, {{{2, 3}}}, entry, "first symbol");
  ExpectError(made, {{}}, entry, "without symbols");
  ExpectError(made, {std::vector<SourceSymbol>(41, {1, 0})}, entry, "41 symbols");
  TableEntry bad = entry;
  bad.target.assign(256, 16);
  ExpectError(made, {{{2, 0}}}, bad, "256 symbols");
  bad.target = {316};
  ExpectError(made, {{{2, 0}}}, bad, "vocabulary");
  bad.target = {0};
  ExpectError(made, {{{2, 0}}}, bad, "vocabulary");
  bad = entry;
  bad.alignment = 20;
  ExpectError(made, {{{2, 0}}}, bad, "alignment");
  bad = entry;
  bad.lhs = 1;
  ExpectError(made, {{{2, 0}}}, bad, "left-hand side");
  bad = entry;
  bad.scores.p_target_given_source = std::numeric_limits<float>::quiet_NaN();
  ExpectError(made, {{{2, 0}}}, bad, "not a number");
  RandomTable twice = made;
  twice.header.source_words[3] = "s0";
  ExpectError(twice, {{{2, 0}}}, entry, "'s0' has two ids");
  RandomTable falling = made;
  falling.header.signatures = {3, 0};
  ExpectError(falling, {}, entry, "ascending");
  RandomTable bookless = made;
  bookless.header.coding = ScoreCoding::kQ8;
  ExpectError(bookless, {}, entry, "code books");
}

TEST_F(TableWriterTest, LongestTargetAndZeroProbabilities) {
  for (ScoreCoding coding : {ScoreCoding::kF32, ScoreCoding::kQ16}) {
    RandomShape shape;
    shape.coding = coding;
    shape.counts = true;
    RandomTable made = MakeRandomTable(shape, 1);
    const float zero = -std::numeric_limits<float>::infinity();
    TableEntry entry{0, std::vector<TargetSymbol>(255, 315), 19, {zero, zero, zero, 0}, UINT64_MAX, 1, 0};
    entry.count_target = (UINT64_MAX >> 1);
    made.rules = {{{{0, 0}}, {entry}}};
    WriteTable(folder_.File("t"), made.header, &made.rules);
    const RuleTable table = RuleTable::Open(folder_.File("t"));
    EXPECT_EQ(Describe(ReadAll(table)), Describe(made.rules));
    const float stored = made.rules.begin()->second[0].scores.p_target_given_source;
    EXPECT_TRUE(std::isfinite(stored));
    EXPECT_LT(stored, -127);
  }
}

TEST_F(TableWriterTest, SourceSideWithoutEntriesIsNotStored) {
  RandomTable made = MakeRandomTable({}, 1);
  made.rules = {{{{0, 0}}, {}}};
  EXPECT_EQ(WriteTable(folder_.File("t"), made.header, &made.rules).nodes, 0u);
  EXPECT_TRUE(ReadAll(RuleTable::Open(folder_.File("t"))).empty());
}

}  // namespace
}  // namespace graft::engine
