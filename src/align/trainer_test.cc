#include "align/trainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <sstream>

#include "graft/error.h"

namespace graft::engine {
namespace {

using ::testing::HasSubstr;
using Words = std::vector<std::string>;
using Pairs = std::vector<std::pair<Words, Words>>;

Words Split(const std::string& text) {
  std::istringstream in(text);
  Words words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

const std::function<void(uint64_t)> kQuiet = [](uint64_t) {};

// Links of all pairs by the default method.
std::vector<std::vector<WordLink>> AlignAll(const Pairs& pairs, const TrainingOptions& options) {
  const Bitext bitext = MakeBitext(pairs);
  AlignmentTrainer trainer(bitext, options);
  for (int k = 0; k < 4; ++k) trainer.Iterate(AlignmentModel::kModel1, kQuiet);
  for (int k = 0; k < 5; ++k) trainer.Iterate(AlignmentModel::kHmm, kQuiet);
  std::vector<std::vector<WordLink>> links;
  AlignedPair aligned;
  for (size_t pair = 0; pair < bitext.pairs(); ++pair) {
    trainer.Align(pair, AlignmentModel::kHmm, 0, &aligned);
    links.push_back(Symmetrise(aligned.source_choice, aligned.target_choice, Symmetrisation::kGrowDiagFinalAnd));
  }
  return links;
}

// Source words sK, target words tK; a target sentence is the source's with neighbours swapped here and there and some
// function words put in. `gold` has the links of the words that correspond.
Pairs Synthetic(int count, int types, uint32_t seed, std::vector<std::vector<WordLink>>* gold) {
  std::mt19937 random(seed);
  Pairs pairs;
  for (int k = 0; k < count; ++k) {
    const int length = 3 + static_cast<int>(random() % 8);
    Words source;
    std::vector<int> order(length);
    for (int i = 0; i < length; ++i) {
      const double uniform = static_cast<double>(random() % 10'000) / 10'000;
      source.push_back("s" + std::to_string(static_cast<int>(types * uniform * uniform)));
      order[i] = i;
    }
    for (int i = 0; i + 1 < length; ++i)
      if (random() % 4 == 0) std::swap(order[i], order[i + 1]);
    Words target;
    std::vector<WordLink> links;
    for (int i : order) {
      if (random() % 6 == 0) target.push_back("of");
      links.push_back({static_cast<uint16_t>(i), static_cast<uint16_t>(target.size())});
      target.push_back("t" + source[i].substr(1));
    }
    std::sort(links.begin(), links.end());
    gold->push_back(links);
    pairs.emplace_back(source, target);
  }
  return pairs;
}

double Recall(const std::vector<std::vector<WordLink>>& links, const std::vector<std::vector<WordLink>>& gold) {
  size_t found = 0;
  size_t total = 0;
  for (size_t k = 0; k < gold.size(); ++k) {
    total += gold[k].size();
    for (const WordLink& link : gold[k]) found += std::binary_search(links[k].begin(), links[k].end(), link) ? 1 : 0;
  }
  return static_cast<double>(found) / static_cast<double>(total);
}

TEST(TrainerTest, EmNeverLosesLikelihood) {
  std::vector<std::vector<WordLink>> gold;
  const Bitext bitext = MakeBitext(Synthetic(200, 60, 5, &gold));
  TrainingOptions options;
  options.prior = 0;
  options.agreement = 0;
  options.learn_jumps = false;
  AlignmentTrainer trainer(bitext, options);
  trainer.Iterate(AlignmentModel::kModel1, kQuiet);  // the start is no distribution
  for (AlignmentModel model : {AlignmentModel::kModel1, AlignmentModel::kHmm}) {
    std::array<double, 2> before = trainer.Iterate(model, kQuiet);
    double gained = 0;
    for (int k = 0; k < 8; ++k) {
      const std::array<double, 2> after = trainer.Iterate(model, kQuiet);
      for (int direction : {0, 1}) {
        EXPECT_GE(after[direction], before[direction] - 1e-5 * std::abs(before[direction])) << k;
        gained += after[direction] - before[direction];
      }
      before = after;
    }
    EXPECT_GT(gained, 10);
  }
}

TEST(TrainerTest, ToyCorpusHasItsKnownAnswer) {
  // The order is turned round, so that only the words tell.
  const Pairs pairs = {{Split("das haus"), Split("house the")},
                       {Split("das buch"), Split("book the")},
                       {Split("ein buch"), Split("book a")},
                       {Split("ein haus"), Split("house a")}};
  const auto links = AlignAll(pairs, {});
  for (const std::vector<WordLink>& pair : links) EXPECT_EQ(pair, (std::vector<WordLink>{{0, 1}, {1, 0}}));
}

TEST(TrainerTest, FindsPlantedTranslationsInSmallData) {
  for (const auto& [count, types, least] : {std::tuple(1000, 300, 0.98), {100, 60, 0.93}, {20, 20, 0.85}}) {
    std::vector<std::vector<WordLink>> gold;
    const Pairs pairs = Synthetic(count, types, 11, &gold);
    EXPECT_GE(Recall(AlignAll(pairs, {}), gold), least) << count;
  }
}

TEST(TrainerTest, ASinglePairIsAlignedMonotonically) {
  const auto links = AlignAll({{Split("a b c"), Split("x y z")}}, {});
  EXPECT_EQ(links[0], (std::vector<WordLink>{{0, 0}, {1, 1}, {2, 2}}));
}

TEST(TrainerTest, SkippedPairsHaveNoLinks) {
  const Words long_side(kMaxSentenceWords + 1, "a");
  const Pairs pairs = {{Split("a b"), {}}, {Split("a b"), Split("x y")}, {long_side, Split("x")}, {{}, {}}};
  const Bitext bitext = MakeBitext(pairs);
  EXPECT_EQ(bitext.empty, 2u);
  EXPECT_EQ(bitext.too_long, 1u);
  const auto links = AlignAll(pairs, {});
  ASSERT_EQ(links.size(), 4u);
  EXPECT_TRUE(links[0].empty());
  EXPECT_EQ(links[1].size(), 2u);
  EXPECT_TRUE(links[2].empty());
  EXPECT_TRUE(links[3].empty());
}

TEST(TrainerTest, SameBitsForAnyThreadsAndMemory) {
  std::vector<std::vector<WordLink>> gold;
  const Bitext bitext = MakeBitext(Synthetic(2000, 300, 17, &gold));
  const auto run = [&](int threads, uint64_t memory) {
    TrainingOptions options;
    options.threads = threads;
    options.memory_bytes = memory;
    AlignmentTrainer trainer(bitext, options);
    for (int k = 0; k < 2; ++k) trainer.Iterate(AlignmentModel::kModel1, kQuiet);
    std::array<double, 2> last{};
    for (int k = 0; k < 3; ++k) last = trainer.Iterate(AlignmentModel::kHmm, kQuiet);
    return last;
  };
  const uint64_t entries = LexiconMatrix(bitext, 1, 0).entries();
  const uint64_t least = AlignmentBytes(bitext, entries + 1);  // nothing left for the cache of cells
  const std::array<double, 2> expected = run(1, 0);
  EXPECT_EQ(run(2, 0), expected);
  EXPECT_EQ(run(5, 0), expected);
  EXPECT_EQ(run(1, least), expected);
  EXPECT_EQ(run(3, least + 100'000), expected);  // a cache of the first pairs
  try {
    run(1, least - 1);
    FAIL() << "must not fit";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("Give -S"));
  }
}

}  // namespace
}  // namespace graft::engine
