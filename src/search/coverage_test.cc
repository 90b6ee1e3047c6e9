#include "search/coverage.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace graft::engine {
namespace {

// Against a plain vector of booleans, at every sentence length up to the longest.
TEST(CoverageTest, EqualsASetOfPositions) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    const int words = 1 + static_cast<int>(random() % 250);
    std::vector<bool> covered(static_cast<size_t>(words), false);
    Coverage coverage = Coverage::Empty();
    for (;;) {
      int gap = 0;
      while (gap < words && covered[static_cast<size_t>(gap)]) ++gap;
      ASSERT_EQ(static_cast<int>(coverage.first_gap), gap);
      if (gap == words) break;
      const int start = std::min(words - 1, gap + static_cast<int>(random() % 7));
      uint64_t mask = 1;
      for (int i = 1; i < 20 && start + i < words; ++i)
        if (random() % 4 == 0) mask |= uint64_t{1} << i;
      bool overlaps = false;
      for (int i = 0; i < 20; ++i)
        if ((mask >> i & 1) != 0) overlaps = overlaps || covered[static_cast<size_t>(start + i)];
      ASSERT_EQ(coverage.Overlaps(start, mask), overlaps);
      if (overlaps) continue;
      coverage = coverage.With(start, mask);
      for (int i = 0; i < 20; ++i)
        if ((mask >> i & 1) != 0) covered[static_cast<size_t>(start + i)] = true;
      for (int i = static_cast<int>(coverage.first_gap); i < words && i < static_cast<int>(coverage.first_gap) + 48;
           ++i)
        ASSERT_EQ((coverage.window >> (i - static_cast<int>(coverage.first_gap)) & 1) != 0,
                  covered[static_cast<size_t>(i)]);
    }
  }
}

}  // namespace
}  // namespace graft::engine
