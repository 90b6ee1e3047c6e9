#include "util/deadline_timer.h"

#include <gtest/gtest.h>

#include <future>
#include <vector>

namespace graft::engine {
namespace {

using namespace std::chrono_literals;
using Clock = DeadlineTimer::Clock;

TEST(DeadlineTimerTest, ThingsHappenAtTheirTimeAndInItsOrder) {
  std::vector<int> order;
  std::promise<Clock::time_point> last;
  const Clock::time_point now = Clock::now();
  DeadlineTimer timer;
  timer.At(now + 30ms, [&] {
    order.push_back(3);
    last.set_value(Clock::now());
  });
  timer.At(now + 10ms, [&] { order.push_back(1); });
  timer.At(now + 20ms, [&] { order.push_back(2); });
  EXPECT_GE(last.get_future().get(), now + 30ms);
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
}

TEST(DeadlineTimerTest, WhatIsCancelledOrNotDueNeverHappens) {
  bool happened = false;
  {
    std::promise<void> later;
    DeadlineTimer timer;
    const DeadlineTimer::Alarm alarm = timer.At(Clock::now() + 20ms, [&] { happened = true; });
    timer.At(Clock::now() + 1h, [&] { happened = true; });
    timer.Cancel(alarm);
    timer.At(Clock::now() + 40ms, [&] { later.set_value(); });
    later.get_future().wait();
    timer.Cancel(alarm);
  }
  EXPECT_FALSE(happened);
}

}  // namespace
}  // namespace graft::engine
