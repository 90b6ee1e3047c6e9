// Whether long work should end: asked to by the caller, or out of time. Search polls it every few hundred steps, so
// that it ends within milliseconds.
//
//   const StopCheck stop(token, StopCheck::In(time_limit));
//   for (…) stop.Poll();                   // throws Stopped
#pragma once

#include <chrono>
#include <stop_token>

#include "graft/error.h"

namespace graft::engine {

class StopCheck {
 public:
  using Clock = std::chrono::steady_clock;

  // The end of a time that begins now; none or less: never.
  static Clock::time_point In(std::chrono::milliseconds limit) {
    const Clock::time_point now = Clock::now();
    const bool ends =
        limit.count() > 0 && limit < std::chrono::floor<std::chrono::milliseconds>(Clock::time_point::max() - now);
    return ends ? now + limit : Clock::time_point::max();
  }

  StopCheck() = default;  // never
  explicit StopCheck(std::stop_token token, Clock::time_point deadline = Clock::time_point::max())
      : token_(std::move(token)), deadline_(deadline) {}

  // The same without a time limit.
  StopCheck WhenAsked() const { return StopCheck(token_); }

  void Poll() const {
    if (token_.stop_requested()) throw Stopped();
    if (deadline_ != Clock::time_point::max() && Clock::now() >= deadline_) throw Stopped(/*late=*/true);
  }

 private:
  std::stop_token token_;
  Clock::time_point deadline_ = Clock::time_point::max();
};

}  // namespace graft::engine
