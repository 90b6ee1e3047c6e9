#include "util/worker_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <stop_token>
#include <thread>

namespace graft::engine {
namespace {

using namespace std::chrono_literals;

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

TEST(WorkerPoolTest, WhatIsNotWantedAnyMoreMakesRoom) {
  WorkerPool pool(1, 2);
  std::promise<void> go, begun;
  pool.Push([&](int) {
    begun.set_value();
    go.get_future().wait();
  });
  begun.get_future().wait();
  std::atomic<bool> wanted = true;
  std::atomic<int> done = 0;
  const WorkerPool::Task task([&](int) { ++done; }, [&] { return wanted.load(); });
  ASSERT_TRUE(pool.TryPush({task, task}));
  EXPECT_FALSE(pool.TryPush({[](int) {}}));
  wanted = false;
  std::promise<void> last;
  EXPECT_TRUE(pool.TryPush({[](int) {}, [&](int) { last.set_value(); }}));
  go.set_value();
  last.get_future().wait();
  EXPECT_EQ(done, 0);
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
