#include "align/align.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <random>

#include "temporary_folder.h"

namespace graft::engine {
namespace {

void WriteToyCorpus(const TemporaryFolder& folder, int pairs) {
  std::mt19937 random(2);
  std::ofstream source(folder.File("s"));
  std::ofstream target(folder.File("t"));
  for (int k = 0; k < pairs; ++k) {
    for (uint32_t words = 1 + random() % 3; words > 0; --words) {
      const uint32_t word = random() % 40;
      source << 's' << word << ' ';
      target << 't' << word << ' ';
    }
    source << '\n';
    target << '\n';
  }
}

TEST(AlignCorpusTest, WritesALineForEachPairAndReportsProgress) {
  constexpr int kPairs = 20'000;  // many more than are written together, so that batches meet
  const TemporaryFolder folder;
  WriteToyCorpus(folder, kPairs);
  uint64_t last_done = 0;
  uint64_t ended = 0;
  Reporter reporter;
  reporter.progress = [&](std::string_view step, uint64_t done, uint64_t total) {
    if (step == "aligning") {
      EXPECT_GT(done, last_done);
      EXPECT_EQ(total % kPairs, 0u);
      last_done = done;
    }
    if (done == total) ++ended;
  };
  AlignOptions options;
  options.threads = 3;
  const AlignTotals totals =
      AlignCorpus({.source = folder.File("s"), .target = folder.File("t")}, folder.File("out"), options, reporter);
  EXPECT_EQ(totals.pairs, static_cast<uint64_t>(kPairs));
  EXPECT_EQ(totals.skipped(), 0u);
  EXPECT_EQ(ended, 3u);  // reading, aligning, writing
  std::ifstream source(folder.File("s"));
  std::ifstream links(folder.File("out"));
  std::string words;
  uint64_t wrong = 0;
  for (std::string line; std::getline(links, line);) {
    ASSERT_TRUE(std::getline(source, words));
    const auto count = static_cast<size_t>(std::count(words.begin(), words.end(), ' '));
    std::string expected;
    for (size_t k = 0; k < count; ++k) expected += (k == 0 ? "" : " ") + std::to_string(k) + "-" + std::to_string(k);
    wrong += line == expected ? 0 : 1;
  }
  EXPECT_FALSE(std::getline(source, words));
  EXPECT_LT(wrong, kPairs / 100u);

  options.threads = 1;
  AlignCorpus({.source = folder.File("s"), .target = folder.File("t")}, folder.File("again"), options, {});
  EXPECT_EQ(folder.Read("again"), folder.Read("out"));
}

TEST(AlignCorpusTest, LimitTakesTheFirstPairs) {
  const TemporaryFolder folder;
  WriteToyCorpus(folder, 50);
  const BitextFiles files = {.source = folder.File("s"), .target = folder.File("t"), .limit = 10};
  EXPECT_EQ(AlignCorpus(files, folder.File("out"), {}, {}).pairs, 10u);
}

TEST(AlignCorpusTest, EstimateCoversWhatWasMeasured) {
  // Pairs of words seen together: 948,514 in Multi30k, 67,800,903 in the first million pairs of Europarl
  // German-English.
  EXPECT_GT(EstimateAlignMemory(29'000, 360'784, 377'535), 948'514u * 20);
  EXPECT_LT(EstimateAlignMemory(29'000, 360'784, 377'535), uint64_t{256} << 20);
  EXPECT_GT(EstimateAlignMemory(1'000'000, 25'967'649, 27'305'787), uint64_t{67'800'903} * 20);
  EXPECT_LT(EstimateAlignMemory(1'000'000, 25'967'649, 27'305'787), uint64_t{5} << 30);
  EXPECT_EQ(EstimateAlignMemory(0, 0, 0), 0u);
}

}  // namespace
}  // namespace graft::engine
