#include "util/worker_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <stdexcept>
#include <string>

namespace graft::engine {
namespace {

using namespace std::chrono_literals;

TEST(WorkerPoolTest, ResultsComeInOrder) {
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

TEST(WorkerPoolTest, WhatIsFinishedIsWrittenWhileReadWaits) {
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

TEST(WorkerPoolTest, FailedWorkEndsTheRunAndLeavesThePoolUsable) {
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

TEST(WorkerPoolTest, WhatWasReadBeforeAFailureOfReadingIsWritten) {
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

TEST(WorkerPoolTest, AFullQueueRefusesAndWaits) {
  WorkerPool pool(1, 2);
  std::promise<void> go;
  std::shared_future<void> gate = go.get_future().share();
  std::atomic<int> done = 0;
  const auto task = [&](int) {
    gate.wait();
    ++done;
  };
  pool.Push(task);
  while (!pool.TryPush({task, task})) std::this_thread::yield();  // once the first is at work
  EXPECT_FALSE(pool.TryPush({task}));
  EXPECT_FALSE(pool.Push(task, {}, std::chrono::steady_clock::now() + 5ms));
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(pool.Push(task, stop.get_token()));
  go.set_value();
  EXPECT_TRUE(pool.Push(task));
  while (done < 4) std::this_thread::yield();
}

TEST(WorkerPoolTest, EndingDropsWhatWaits) {
  std::atomic<int> done = 0;
  auto dropped = std::make_shared<int>(0);
  {
    std::promise<void> begun;
    WorkerPool pool(1, 100);
    pool.Push([&](int) {
      begun.set_value();
      std::this_thread::sleep_for(20ms);
      ++done;
    });
    begun.get_future().wait();
    for (int i = 0; i < 50; ++i) pool.Push([&done, dropped](int) { ++done; });
  }
  EXPECT_EQ(done, 1);
  EXPECT_EQ(dropped.use_count(), 1);
}

}  // namespace
}  // namespace graft::engine
