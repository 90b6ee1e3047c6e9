// Does things when their time has come, in one thread, which starts with the first of them.
//
//   DeadlineTimer timer;
//   const DeadlineTimer::Alarm alarm = timer.At(deadline, [] { … });
//   timer.Cancel(alarm);                              // it is not needed any more
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

namespace graft::engine {

class DeadlineTimer {
 public:
  using Clock = std::chrono::steady_clock;
  using Alarm = std::pair<Clock::time_point, uint64_t>;  // when, and its number

  DeadlineTimer() = default;
  ~DeadlineTimer() = default;  // what is not due yet is dropped
  DeadlineTimer(const DeadlineTimer&) = delete;
  DeadlineTimer& operator=(const DeadlineTimer&) = delete;

  // `run` must not throw; while it runs, others wait.
  Alarm At(Clock::time_point when, std::function<void()> run);
  // Without effect on what is over or has begun. May be called from what runs.
  void Cancel(const Alarm& alarm);

 private:
  void Run(const std::stop_token& ending);

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::map<Alarm, std::function<void()>> due_;
  uint64_t next_ = 0;
  std::jthread thread_;  // ends first
};

}  // namespace graft::engine
