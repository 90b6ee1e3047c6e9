#include "util/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace graft::engine {
namespace {

using namespace std::chrono_literals;

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

TEST(RunOrderedOnAPoolTest, ResultsComeInOrder) {
  for (const int threads : {1, 2, 5}) {
    WorkerPool pool(threads, 3);
    int next = 0, expected = 0;
    RunOrdered<int, int>(
        &pool,
        [&](int* item) {
          *item = next;
          return next++ < 1000;
        },
        [](int, int&& item) {
          if (item % 7 == 0) std::this_thread::yield();
          return 2 * item;
        },
        [&](int&& result) { EXPECT_EQ(result, 2 * expected++); });
    EXPECT_EQ(expected, 1000);
  }
}

TEST(RunOrderedOnAPoolTest, WhatIsFinishedIsWrittenWhileReadWaits) {
  WorkerPool pool(2, 8);
  std::promise<void> written;
  int next = 0;
  RunOrdered<int, int>(
      &pool,
      [&](int* item) {
        *item = next;
        if (next == 1) {
          EXPECT_EQ(written.get_future().wait_for(10s), std::future_status::ready);
        }
        return next++ < 1;
      },
      [](int, int&& item) { return item; }, [&](int&&) { written.set_value(); });
}

TEST(RunOrderedOnAPoolTest, FailedWorkEndsTheRunAndLeavesThePoolUsable) {
  WorkerPool pool(2, 8);
  int next = 0, written = 0;
  const auto run = [&](int failing) {
    next = written = 0;
    RunOrdered<int, int>(
        &pool,
        [&](int* item) {
          *item = next;
          return next++ < 100;
        },
        [&](int, int&& item) {
          if (item == failing) throw std::runtime_error("no");
          return item;
        },
        [&](int&& result) { EXPECT_EQ(result, written++); });
  };
  EXPECT_THROW(run(50), std::runtime_error);
  EXPECT_LE(written, 50);
  run(-1);
  EXPECT_EQ(written, 100);
}

TEST(RunOrderedOnAPoolTest, WhatWasReadBeforeAFailureOfReadingIsWritten) {
  WorkerPool pool(2, 8);
  int next = 0, written = 0;
  EXPECT_THROW((RunOrdered<int, int>(
                   &pool,
                   [&](int* item) {
                     if (next == 20) throw std::runtime_error("no");
                     *item = next++;
                     return true;
                   },
                   [](int, int&& item) { return item; }, [&](int&&) { ++written; })),
               std::runtime_error);
  EXPECT_EQ(written, 20);
}

TEST(RunOrderedOnAPoolTest, WhatCameBeforeAFailureIsWrittenHoweverLongItTakes) {
  for (int repeat = 0; repeat < 20; ++repeat) {
    WorkerPool pool(2, 8);
    int next = 0, written = 0;
    try {
      RunOrdered<int, int>(
          &pool,
          [&](int* item) {
            *item = next;
            return next++ < 30;
          },
          [&](int, int&& item) {
            if (item == 10) std::this_thread::sleep_for(5ms);
            if (item > 10) throw std::runtime_error(std::to_string(item));
            return item;
          },
          [&](int&& result) { EXPECT_EQ(result, written++); });
      ADD_FAILURE() << "no exception";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "11") << "the first in order, not in time";
    }
    EXPECT_EQ(written, 11);
  }
}

TEST(RunOrderedOnAPoolTest, WhoeverWritesMayUseThePool) {
  WorkerPool pool(1, 1);
  int next = 0, written = 0, inner = 0;
  RunOrdered<int, int>(
      &pool,
      [&](int* item) {
        *item = next;
        return next++ < 20;
      },
      [](int, int&& item) { return item; },
      [&](int&&) {
        ++written;
        bool more = true;
        RunOrdered<int, int>(
            &pool, [&](int*) { return std::exchange(more, false); }, [](int, int&& item) { return item; },
            [&](int&&) { ++inner; });
      });
  EXPECT_EQ(written, 20);
  EXPECT_EQ(inner, 20);
}

TEST(RunOrderedOnAPoolTest, AFailureOfWritingEndsTheRun) {
  WorkerPool pool(2, 8);
  int next = 0;
  std::atomic<int> worked = 0;
  EXPECT_THROW((RunOrdered<int, int>(
                   &pool,
                   [&](int* item) {
                     *item = next++;
                     return true;  // endless but for the failure
                   },
                   [&](int, int&& item) {
                     ++worked;
                     return item;
                   },
                   [](int&& result) {
                     if (result == 5) throw std::runtime_error("full");
                   })),
               std::runtime_error);
  EXPECT_LE(worked, 5 + 1 + 2 * 8);
}

// A pool whose only thread is at work for somebody else, and whose queue is full, until the end of the test or for 20
// seconds.
class BusyPool {
 public:
  BusyPool() {
    const std::shared_future<void> gate = go_.get_future().share();
    std::promise<void> begun;
    pool.Push([gate, &begun](int) {
      begun.set_value();
      gate.wait_for(20s);
    });
    begun.get_future().wait();
    pool.Push([](int) {});
  }
  ~BusyPool() { go_.set_value(); }

  WorkerPool pool{1, 1};

 private:
  std::promise<void> go_;
};

bool ReadForever(int* item) {
  *item = 1;
  return true;
}

TEST(RunOrderedOnABusyPoolTest, AStopEndsTheRunAtOnce) {
  BusyPool busy;
  std::stop_source stop;
  const auto started = std::chrono::steady_clock::now();
  const std::jthread stopper([&] {
    std::this_thread::sleep_for(20ms);
    stop.request_stop();
  });
  int written = 0;
  EXPECT_THROW((RunOrdered<int, int>(
                   &busy.pool, ReadForever, [](int, int&& item) { return item; }, [&](int&&) { ++written; },
                   {.stop = stop.get_token(), .deadline = {}, .late = {}})),
               Stopped);
  EXPECT_LT(std::chrono::steady_clock::now() - started, 10s);
  EXPECT_EQ(written, 0);
}

TEST(RunOrderedOnABusyPoolTest, ItemsHaveResultsByTheirDeadlines) {
  BusyPool busy;
  const auto started = std::chrono::steady_clock::now();
  int next = 0, written = 0;
  RunOrdered<int, int>(
      &busy.pool,
      [&](int* item) {
        *item = next;
        return next++ < 10;
      },
      [](int, int&& item) { return item; }, [&](int&& result) { EXPECT_EQ(result, 100 + written++); },
      {.stop = {},
       .deadline = [](const int&) { return std::chrono::steady_clock::now() + 5ms; },
       .late = [](int&& item) { return 100 + item; }});
  EXPECT_EQ(written, 10);
  EXPECT_LT(std::chrono::steady_clock::now() - started, 10s);
}

TEST(RunOrderedOnABusyPoolTest, WhatIsNotWantedAnyMoreMakesRoom) {
  std::promise<void> go, begun;
  const std::shared_future<void> gate = go.get_future().share();
  WorkerPool pool(1, 4);
  pool.Push([gate, &begun](int) {
    begun.set_value();
    gate.wait_for(20s);
  });
  begun.get_future().wait();
  int next = 0;
  RunOrdered<int, int>(
      &pool,
      [&](int* item) {
        *item = next;
        return next++ < 10;
      },
      [](int, int&& item) { return item; }, [](int&&) {},
      {.stop = {},
       .deadline = [](const int&) { return std::chrono::steady_clock::now() + 1ms; },
       .late = [](int&& item) { return item; }});
  std::vector<WorkerPool::Task> tasks;
  tasks.emplace_back([](int) {});
  EXPECT_TRUE(pool.TryPush(std::move(tasks)));
  go.set_value();
}

// What comes behind a failure is dropped from the queue by others who need room there, and nobody waits for it.
TEST(RunOrderedOnAPoolTest, AFailedRunEndsThoughItsTasksWereDropped) {
  WorkerPool pool(2, 4);
  std::promise<void> failed, go;
  const std::shared_future<void> gate = go.get_future().share();
  std::atomic<int> begun = 0;
  std::jthread run([&] {
    int next = 0;
    EXPECT_THROW((RunOrdered<int, int>(
                     &pool,
                     [&](int* item) {
                       *item = next;
                       return next++ < 6;
                     },
                     [&](int, int&& item) {
                       ++begun;
                       if (item == 0) {
                         failed.get_future().wait();
                         throw std::runtime_error("no");
                       }
                       gate.wait();
                       return item;
                     },
                     [](int&&) {})),
                 std::runtime_error);
  });
  while (begun < 2) std::this_thread::yield();
  std::this_thread::sleep_for(20ms);  // four wait
  pool.Push([gate](int) { gate.wait(); }, {}, std::chrono::steady_clock::now() + 1ms);
  failed.set_value();
  std::this_thread::sleep_for(20ms);
  for (int i = 0; i < 5; ++i) {
    std::vector<WorkerPool::Task> tasks;
    for (int k = 0; k < 4; ++k) tasks.emplace_back([gate](int) { gate.wait(); });
    pool.TryPush(std::move(tasks));
  }
  go.set_value();
  run.join();
}

TEST(RunOrderedOnAPoolTest, WhoeverReadsWorksOrWritesMayStopTheRun) {
  for (const int where : {0, 1, 2}) {
    WorkerPool pool(2, 8);
    std::stop_source stop;
    int next = 0, written = 0;
    const auto run = [&] {
      RunOrdered<int, int>(
          &pool,
          [&](int* item) {
            *item = next++;
            if (where == 0 && *item == 50) stop.request_stop();
            return true;  // endless but for the stop
          },
          [&](int, int&& item) {
            if (where == 1 && item == 50) stop.request_stop();
            return item;
          },
          [&](int&& result) {
            EXPECT_EQ(result, written++);
            if (where == 2 && result == 50) stop.request_stop();
          },
          {.stop = stop.get_token(), .deadline = {}, .late = {}});
    };
    EXPECT_THROW(run(), Stopped) << where;
  }
}

TEST(RunOrderedOnAPoolTest, DeadlinesThatAreKeptChangeNothing) {
  WorkerPool pool(3, 8);
  int next = 0, written = 0;
  RunOrdered<int, int>(
      &pool,
      [&](int* item) {
        *item = next;
        return next++ < 1000;
      },
      [](int, int&& item) { return item; }, [&](int&& result) { EXPECT_EQ(result, written++); },
      {.stop = {},
       .deadline = [](const int&) { return std::chrono::steady_clock::now() + 1h; },
       .late = [](int&&) { return -1; }});
  EXPECT_EQ(written, 1000);
}

}  // namespace
}  // namespace graft::engine
