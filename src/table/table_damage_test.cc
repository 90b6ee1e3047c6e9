// A damaged table gives an Error or what it gave before, never a crash: bytes are flipped with and without the sums
// made to fit again, and the file is cut at every border.
#include <gtest/gtest.h>
#include <xxhash.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>

#include "graft/error.h"
#include "table/rule_table.h"
#include "table/table_format.h"
#include "table/test_tables.h"

namespace graft::engine {
namespace {

using fixtures::Describe;
using fixtures::MakeRandomTable;
using fixtures::RandomShape;
using fixtures::RandomTable;
using fixtures::ReadAll;
using fixtures::WriteTable;

std::string ReadBytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Over the old bytes: a file that is emptied first is flushed to the disk each time.
void WriteBytes(const std::string& path, const std::string& bytes) {
  {
    std::fstream out(path, std::ios::binary | std::ios::in | std::ios::out);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  std::filesystem::resize_file(path, bytes.size());
}

std::vector<SectionEntry> Directory(const std::string& bytes) {
  PageHead head;
  std::memcpy(&head, bytes.data(), sizeof head);
  std::vector<SectionEntry> directory(std::min(head.sections, kMaxSections));
  std::memcpy(directory.data(), bytes.data() + sizeof head, directory.size() * sizeof(SectionEntry));
  return directory;
}

// Makes all sums right again, as far as the directory allows.
void Reseal(std::string* bytes) {
  auto directory = Directory(*bytes);
  std::vector<uint64_t> sums;
  for (SectionEntry& section : directory) {
    if (section.offset > bytes->size() || section.bytes > bytes->size() - section.offset) return;
    const size_t first = sums.size();
    if ((section.flags & kSectionBlocks) != 0) {
      for (uint64_t at = 0; at < section.bytes; at += kBlockBytes)
        sums.push_back(XXH3_64bits(bytes->data() + section.offset + at, std::min(kBlockBytes, section.bytes - at)));
      section.xxh3 = XXH3_64bits(sums.data() + first, (sums.size() - first) * 8);
    } else if (section.type != kSums) {
      section.xxh3 = XXH3_64bits(bytes->data() + section.offset, section.bytes);
    }
  }
  for (SectionEntry& section : directory) {
    if (section.type != kSums) continue;
    std::memcpy(bytes->data() + section.offset, sums.data(), std::min(section.bytes, sums.size() * 8));
    section.xxh3 = XXH3_64bits(bytes->data() + section.offset, section.bytes);
  }
  std::memcpy(bytes->data() + sizeof(PageHead), directory.data(), directory.size() * sizeof(SectionEntry));
  const uint64_t sum = XXH3_64bits(bytes->data(), kPageSumOffset);
  std::memcpy(bytes->data() + kPageSumOffset, &sum, sizeof sum);
}

class TableDamageTest : public ::testing::Test {
 protected:
  TableDamageTest() {
    RandomShape shape;
    shape.sources = 60;
    shape.source_words = 45;
    shape.target_words = 20;
    shape.labels = 2;
    shape.signatures = 3;
    shape.alignments = 3;
    shape.max_length = 3;
    shape.max_targets = 2;
    shape.counts = shape.lhs = true;
    made_ = MakeRandomTable(shape, 1);
    for (uint32_t word = 0; word < 40; ++word) made_.rules[{{1, 0}, {word, 3}}] = made_.rules.begin()->second;
    WriteTable(path_, made_.header, &made_.rules);
    good_ = ReadBytes(path_);
    expected_ = Everything();
  }

  // All that a reader can get.
  std::string Everything() const {
    const RuleTable table = RuleTable::Open(path_);
    std::string text = Describe(ReadAll(table));
    table.Verify();
    const TableHeader header = table.header();
    for (const auto* strings : {&header.source_words, &header.target_words, &header.labels, &header.alignments})
      for (const std::string& string : *strings) text += string + " ";
    text += std::to_string(table.FindSource("s7")) + std::to_string(table.FindTarget("none"));
    TargetList targets;
    for (const auto& [source, entries] : made_.rules) {
      std::optional<TrieNode> node = RuleTable::kRoot;
      for (size_t k = 0; k < source.size() && node; ++k)
        node = table.Child(*node, source[k].symbol, source[k].signature);
      if (node) table.ReadTargets(*node, &targets);
      text += std::to_string(node ? targets.entries.size() : 0) + " ";
    }
    return text + ToToml(header.spec);
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.File("rules.graft");
  RandomTable made_;
  std::string good_, expected_;
};

TEST_F(TableDamageTest, EveryFlippedByteIsFoundOrHarmless) {
  int found = 0;
  for (size_t at = 0; at < good_.size(); ++at) {
    std::string bad = good_;
    bad[at] = static_cast<char>(bad[at] ^ (at % 3 == 0 ? 0xff : 1 << at % 8));
    WriteBytes(path_, bad);
    try {
      ASSERT_EQ(Everything(), expected_) << "byte " << at;
    } catch (const Error& error) {
      ++found;
      ASSERT_EQ(std::string(error.what()).rfind(path_ + ": ", 0), 0u) << error.what();
    }
  }
  EXPECT_GT(found, static_cast<int>(good_.size() * 9 / 10));  // the rest is padding between sections
}

TEST_F(TableDamageTest, FlippedBytesUnderRightSumsNeverCrash) {
  std::mt19937_64 random(5);
  for (size_t at = sizeof kMagic; at < good_.size(); at += 2) {
    std::string bad = good_;
    for (int i = 0; i < 1 + static_cast<int>(random() % 3); ++i)
      bad[i == 0 ? at : 4096 + random() % (bad.size() - 4096)] = static_cast<char>(random());
    Reseal(&bad);
    WriteBytes(path_, bad);
    try {
      Everything();
    } catch (const Error&) {
    }
  }
}

TEST_F(TableDamageTest, TruncationIsNamed) {
  std::vector<uint64_t> cuts = {0, 1, 7, 8, 9, 63, 64, 100, 4095, 4096, 4097, good_.size() - 1};
  for (const SectionEntry& section : Directory(good_))
    for (uint64_t cut : {section.offset, section.offset + 1, section.offset + section.bytes - 1})
      if (cut < good_.size()) cuts.push_back(cut);
  for (const uint64_t cut : cuts) {
    WriteBytes(path_, good_.substr(0, cut));
    try {
      RuleTable::Open(path_);
      ADD_FAILURE() << "cut at " << cut << " is not found";
    } catch (const Error& error) {
      const std::string what = error.what();
      EXPECT_NE(what.find(cut < 8 ? "not a Graft rule table" : "truncated"), std::string::npos) << what;
    }
  }
}

TEST_F(TableDamageTest, MessagesSayWhatIsWrong) {
  const auto error_of = [&](std::string bytes) -> std::string {
    WriteBytes(path_, bytes);
    try {
      Everything();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  const auto section = [&](uint32_t type) {
    for (const SectionEntry& entry : Directory(good_))
      if (entry.type == type) return entry;
    throw Error("no such section");
  };
  std::string bad = good_;
  bad[section(kLists).offset + 10] ^= 1;
  EXPECT_NE(error_of(bad).find(": damaged: block 0 of section LISTS does not match its checksum"), std::string::npos);
  bad = good_;
  bad[section(kSpec).offset] ^= 1;
  EXPECT_NE(error_of(bad).find(": damaged: section SPEC does not match its checksum"), std::string::npos);
  bad = good_;
  bad[section(LevelType(1)).offset] ^= 1;
  EXPECT_NE(error_of(bad).find("section LVL1"), std::string::npos);
  bad = good_;
  bad[60] ^= 1;
  EXPECT_NE(error_of(bad).find(": damaged: page 0 does not match its checksum"), std::string::npos);
  bad = good_;
  bad[8] = 9;
  EXPECT_NE(error_of(bad).find("format version 9, but this program reads 1"), std::string::npos);
  EXPECT_NE(error_of(good_ + "x").find("1 bytes too many"), std::string::npos);
  EXPECT_NE(error_of("#!/bin/sh\nsomething else").find("not a Graft rule table"), std::string::npos);
  std::filesystem::remove(path_);
  try {
    RuleTable::Open(path_);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("No such file"), std::string::npos);
  }
  EXPECT_THROW(RuleTable::Open(folder_.path()), Error);
}

// What sums that agree do not tell.
TEST_F(TableDamageTest, SenseIsCheckedBehindRightSums) {
  made_.header.coding = ScoreCoding::kF32;
  made_.header.books.clear();
  made_.rules.begin()->second.front().scores = {-1.234567f, -1, -0.001f, -1};
  WriteTable(path_, made_.header, &made_.rules);
  const std::string good = ReadBytes(path_);
  const auto error_of = [&](std::string_view from, std::string_view to) -> std::string {
    std::string bad = good;
    const size_t at = bad.find(from);
    EXPECT_NE(at, std::string::npos);
    bad.replace(at, to.size(), to);
    Reseal(&bad);
    WriteBytes(path_, bad);
    try {
      Everything();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  const auto bytes = [](float value) { return std::string(reinterpret_cast<const char*>(&value), sizeof value); };
  for (const float score : {std::nanf(""), -std::numeric_limits<float>::infinity(), 1e30f}) {
    const std::string what = error_of(bytes(-1.234567f), bytes(score));
    EXPECT_TRUE(what.starts_with(path_ + ": ") && what.find("a score is wrong in section LISTS") != std::string::npos)
        << what;
  }
  for (const auto& [from, to] : std::vector<std::pair<std::string_view, std::string_view>>{
           {"t10t11", "t1\n"}, {"t10t11", "\xff"}, {"s10s11", "s\n"}, {"s10s11", "\xc3"}}) {
    const std::string what = error_of(from, to);
    EXPECT_TRUE(what.starts_with(path_ + ": ") && what.find("is not a line of UTF-8") != std::string::npos) << what;
  }
}

// Lists that are one and the same list would make more rules than a disk has room for.
TEST_F(TableDamageTest, TheHeaderSaysHowManyRulesThereAre) {
  std::string bad = good_;
  PageHead head;
  std::memcpy(&head, bad.data(), sizeof head);
  const auto error_of = [&](uint64_t rules) -> std::string {
    head.rules = rules;
    std::memcpy(bad.data(), &head, sizeof head);
    Reseal(&bad);
    WriteBytes(path_, bad);
    try {
      const RuleTable table = RuleTable::Open(path_);
      table.ForEachSource([](const std::vector<SourceSymbol>&, std::vector<TableEntry>*) {});
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  const uint64_t rules = head.rules;
  EXPECT_EQ(error_of(rules), "no error");
  EXPECT_NE(error_of(rules - 1).find("more rules than its header says"), std::string::npos);
  EXPECT_NE(error_of(uint64_t{1} << 60).find("cannot hold so many rules"), std::string::npos);
}

TEST_F(TableDamageTest, LabelZeroIsX) {
  made_.header.labels = {"NP", "X"};
  WriteTable(path_, made_.header, &made_.rules);
  EXPECT_THROW(RuleTable::Open(path_), Error);
}

// An unknown section that is marked as optional is for later versions; any other is refused.
TEST_F(TableDamageTest, UnknownSections) {
  for (const bool optional : {true, false}) {
    std::string bytes = good_;
    PageHead head;
    std::memcpy(&head, bytes.data(), sizeof head);
    const uint16_t flags = optional ? uint16_t{kSectionOptional} : uint16_t{0};
    const SectionEntry entry{FourBytes('N', 'E', 'W', '!'), 0, flags, kPageBytes, 0, 0, XXH3_64bits(nullptr, 0)};
    std::memcpy(bytes.data() + sizeof head + head.sections * sizeof entry, &entry, sizeof entry);
    ++head.sections;
    std::memcpy(bytes.data(), &head, sizeof head);
    Reseal(&bytes);
    WriteBytes(path_, bytes);
    if (optional) {
      EXPECT_EQ(Everything(), expected_);
    } else {
      EXPECT_THROW(RuleTable::Open(path_), Error);
    }
  }
}

}  // namespace
}  // namespace graft::engine
