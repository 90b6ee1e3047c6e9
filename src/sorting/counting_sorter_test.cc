#include "sorting/counting_sorter.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "graft/error.h"
#include "sorting/sorted_run.h"

namespace graft::engine {
namespace {

// Whatever a disk makes of a run: what was written is read, or an Error.
TEST(SortedRunTest, AlteredRunsAreRefused) {
  const auto file = std::make_shared<TemporaryFile>(TemporaryFile::FolderOr("") + "/graft-test-run-");
  RunWriter writer(file, 100);
  for (int i = 0; i < 60; ++i) writer.Add("key " + std::to_string(100 + i), static_cast<uint64_t>(i));
  const SortedRun run = writer.Finish();
  const auto read = [&] {
    RunReader reader(run);
    int records = 0;
    for (; reader.Next(); ++records) EXPECT_EQ(reader.key(), "key " + std::to_string(100 + records));
    EXPECT_EQ(records, 60);
  };
  read();
  for (uint64_t at = run.begin; at < run.end; ++at) {
    char byte = 0;
    file->ReadAt(at, &byte, 1);
    for (const int bit : {0, 3, 7}) {
      const auto flipped = static_cast<char>(byte ^ (1 << bit));
      ASSERT_EQ(pwrite(file->descriptor(), &flipped, 1, static_cast<off_t>(at)), 1);
      EXPECT_THROW(read(), Error) << "byte " << at;
    }
    ASSERT_EQ(pwrite(file->descriptor(), &byte, 1, static_cast<off_t>(at)), 1);
  }
  ASSERT_EQ(ftruncate(file->descriptor(), static_cast<off_t>(run.end - 1)), 0);
  EXPECT_THROW(read(), Error);
}

using Counts = std::vector<std::pair<std::string, uint64_t>>;

// Keys of many lengths with long shared beginnings, zero bytes and repeats.
std::string RandomKey(std::mt19937* random) {
  const size_t length = (*random)() % 30;
  std::string key(length, '\0');
  for (size_t i = 0; i < length; ++i) {
    const uint32_t byte = (*random)() % 4;
    key[i] = static_cast<char>(i < 12 ? byte % 2 : byte * 85);
  }
  return key;
}

Counts Drain(MergedCounts* merged) {
  Counts counts;
  while (merged->Next()) counts.emplace_back(merged->key(), merged->count());
  return counts;
}

struct Setting {
  int sorters;
  uint64_t memory;
  bool aggregate;
  int keys;
};

class CountingSorterTest : public testing::TestWithParam<Setting> {};

TEST_P(CountingSorterTest, EqualsAMap) {
  const Setting setting = GetParam();
  std::mt19937 random(7);
  std::map<std::string, uint64_t> expected;
  std::vector<CountingSorter> sorters;
  for (int i = 0; i < setting.sorters; ++i)
    sorters.emplace_back(
        CountingSorter::Options{.memory_bytes = setting.memory, .temp_folder = "", .aggregate = setting.aggregate});
  for (int i = 0; i < setting.keys; ++i) {
    const std::string key = RandomKey(&random);
    const uint64_t count = random() % 3 == 0 ? uint64_t{1} << (random() % 40) : 1;
    expected[key] += count;
    sorters[random() % sorters.size()].Add(key, count);
  }
  for (CountingSorter& sorter : sorters) sorter.Finish();
  MergedCounts merged(std::move(sorters));
  const Counts first = Drain(&merged);
  EXPECT_EQ(first, Counts(expected.begin(), expected.end()));
  merged.Rewind();
  EXPECT_EQ(Drain(&merged), first);
}

// 1 byte: a run per key, so more runs than one merge takes, and two levels of merging.
INSTANTIATE_TEST_SUITE_P(Limits, CountingSorterTest,
                         testing::Values(Setting{1, 1 << 30, true, 50'000}, Setting{3, 1 << 30, false, 50'000},
                                         Setting{2, 1 << 20, true, 200'000}, Setting{2, 1 << 20, false, 200'000},
                                         Setting{1, 40'000, true, 100'000}, Setting{1, 1, true, 5'000},
                                         Setting{2, 1, false, 5'000}, Setting{4, 1 << 20, true, 0}));

TEST(CountingSorterLimitsTest, KeysLongerThanAChunk) {
  std::vector<CountingSorter> sorters;
  sorters.emplace_back(CountingSorter::Options{.memory_bytes = 100'000, .temp_folder = "", .aggregate = true});
  Counts expected;
  for (char c = 'a'; c < 'k'; ++c) expected.emplace_back(std::string(70'000, c), 2);
  for (int round = 0; round < 2; ++round)
    for (const auto& [key, count] : expected) sorters[0].Add(key, 1);
  sorters[0].Finish();
  MergedCounts merged(std::move(sorters));
  EXPECT_EQ(Drain(&merged), expected);
}

TEST(CountingSorterLimitsTest, MissingTemporaryFolderIsNamed) {
  CountingSorter sorter({.memory_bytes = 1, .temp_folder = "/nowhere/at/all", .aggregate = true});
  sorter.Add("a", 1);
  try {
    sorter.Add("b", 1);
    sorter.Finish();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("/nowhere/at/all"), std::string::npos);
  }
}

TEST(SortedRunTest, SeveralRunsShareAFile) {
  auto file = std::make_shared<TemporaryFile>(TemporaryFile::FolderOr("") + "/graft-");
  std::vector<SortedRun> runs;
  for (int r = 0; r < 3; ++r) {
    RunWriter writer(file, 64);
    for (int i = 0; i < 100 * r; ++i) writer.Add(std::string(1, static_cast<char>(r)) + std::to_string(1000 + i), i);
    runs.push_back(writer.Finish());
  }
  for (int r = 0; r < 3; ++r) {
    RunReader reader(runs[r]);
    for (int round = 0; round < 2; ++round, reader.Rewind()) {
      int i = 0;
      for (; reader.Next(); ++i) {
        EXPECT_EQ(reader.key(), std::string(1, static_cast<char>(r)) + std::to_string(1000 + i));
        EXPECT_EQ(reader.count(), static_cast<uint64_t>(i));
      }
      EXPECT_EQ(i, 100 * r);
    }
  }
}

TEST(CountingSorterTest, SortingAndMergingEndWhenAskedTo) {
  std::stop_source stop;
  const StopCheck check(stop.get_token());
  CountingSorter in_memory({.stop = check}), spilling({.memory_bytes = 1 << 12, .stop = check});
  for (int i = 0; i < 200'000; ++i) {
    in_memory.Add(std::to_string(i), 1);
    spilling.Add(std::to_string(i), 1);
  }
  stop.request_stop();
  EXPECT_THROW(in_memory.Finish(), Stopped);
  EXPECT_THROW(spilling.Finish(), Stopped);
}

}  // namespace
}  // namespace graft::engine
