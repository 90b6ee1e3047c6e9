#include "util/deadline_timer.h"

#include "util/start_thread.h"

namespace graft::engine {

DeadlineTimer::Alarm DeadlineTimer::At(Clock::time_point when, std::function<void()> run) {
  std::lock_guard lock(mutex_);
  if (!thread_.joinable()) thread_ = StartThread([this](const std::stop_token& ending) { Run(ending); });
  const Alarm alarm(when, next_++);
  due_.emplace(alarm, std::move(run));
  if (due_.begin()->first == alarm) changed_.notify_one();
  return alarm;
}

void DeadlineTimer::Cancel(const Alarm& alarm) {
  std::lock_guard lock(mutex_);
  due_.erase(alarm);
}

void DeadlineTimer::Run(const std::stop_token& ending) {
  std::unique_lock lock(mutex_);
  while (!ending.stop_requested()) {
    if (due_.empty()) {
      changed_.wait(lock, ending, [&] { return !due_.empty(); });
      continue;
    }
    const Clock::time_point when = due_.begin()->first.first;
    if (Clock::now() < when) {
      changed_.wait_until(lock, ending, when, [&] { return !due_.empty() && due_.begin()->first.first < when; });
      continue;
    }
    auto first = due_.extract(due_.begin());
    lock.unlock();
    first.mapped()();
    first = {};
    lock.lock();
  }
}

}  // namespace graft::engine
