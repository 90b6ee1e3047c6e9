#include "search/best_keys.h"

#include <gtest/gtest.h>

#include <chrono>
#include <random>

#include "graft/error.h"

namespace graft::engine {
namespace {

TEST(BestKeysTest, AreTheFirstOfAllSorted) {
  std::mt19937_64 random(3);
  BestKeys best;
  StopCounter never;
  for (const size_t count : {0, 1, 7, 1000, 70'000, 300'000})
    for (const size_t most : {size_t{1}, size_t{6}, size_t{7}, size_t{200}, size_t{40'000}, SIZE_MAX}) {
      std::vector<uint64_t> all;
      best.Clear(most);
      for (size_t i = 0; i < count; ++i) {
        all.push_back(random());
        best.Add(all.back());
      }
      std::sort(all.begin(), all.end(), std::greater<>());
      if (all.size() > most) all.resize(most);
      EXPECT_EQ(best.Sort(&never), all) << count << " keys, " << most;
    }
}

TEST(BestKeysTest, ALongSortCanBeStopped) {
  std::mt19937_64 random(3);
  BestKeys best;
  best.Clear(SIZE_MAX);
  for (size_t i = 0; i < 200'000; ++i) best.Add(random());
  StopCounter late(StopCheck({}, StopCheck::Clock::now() - std::chrono::seconds(1)));
  EXPECT_THROW(best.Sort(&late), Stopped);
}

}  // namespace
}  // namespace graft::engine
