// Whether long work should end: asked to by the caller, or out of time. Search polls it every few hundred steps, so
// that it ends within milliseconds.
//
//   const StopCheck stop(token, deadline);
//   for (…) stop.Poll();                   // throws Stopped
#pragma once

#include <chrono>
#include <stop_token>

#include "graft/error.h"

namespace graft::engine {

class StopCheck {
 public:
  using Clock = std::chrono::steady_clock;

  StopCheck() = default;  // never
  explicit StopCheck(std::stop_token token, Clock::time_point deadline = Clock::time_point::max())
      : token_(std::move(token)), deadline_(deadline) {}

  void Poll() const {
    if (token_.stop_requested()) throw Stopped();
    if (deadline_ != Clock::time_point::max() && Clock::now() >= deadline_) throw Stopped(/*late=*/true);
  }

 private:
  std::stop_token token_;
  Clock::time_point deadline_ = Clock::time_point::max();
};

}  // namespace graft::engine
