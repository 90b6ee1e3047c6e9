#include "util/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>

namespace graft::engine {
namespace {

TEST(RunOrderedTest, ResultsComeInInputOrder) {
  for (int threads : {1, 2, 3, 8}) {
    int next = 0;
    std::vector<int> written;
    std::atomic<int> bad_workers = 0;
    RunOrdered<int, int>(
        threads, [&](int* item) { return next < 5000 && (*item = next++, true); },
        [&](int worker, int&& item) {
          if (worker < 0 || worker >= threads) ++bad_workers;
          if (item % 7 == 0) std::this_thread::yield();
          return item * 2;
        },
        [&](int&& result) { written.push_back(result); });
    ASSERT_EQ(written.size(), 5000);
    for (int i = 0; i < 5000; ++i) ASSERT_EQ(written[i], 2 * i);
    EXPECT_EQ(bad_workers, 0);
  }
}

TEST(RunOrderedTest, TheFirstExceptionStopsTheRun) {
  enum Where { kRead, kWork, kWrite };
  for (int threads : {1, 4}) {
    for (Where where : {kRead, kWork, kWrite}) {
      int next = 0;
      const auto run = [&] {
        RunOrdered<int, int>(
            threads,
            [&](int* item) {
              *item = next++;
              if (where == kRead && *item == 100) throw std::runtime_error("here");
              return true;  // endless but for the exception
            },
            [&](int, int&& item) {
              if (where == kWork && item == 100) throw std::runtime_error("here");
              return item;
            },
            [&](int&& result) {
              if (where == kWrite && result == 100) throw std::runtime_error("here");
            });
      };
      EXPECT_THROW(run(), std::runtime_error) << threads << " threads, " << where;
    }
  }
}

TEST(RunOrderedTest, NothingToDo) {
  RunOrdered<int, int>(
      4, [](int*) { return false; }, [](int, int&&) { return 0; }, [](int&&) { FAIL(); });
}

}  // namespace
}  // namespace graft::engine
