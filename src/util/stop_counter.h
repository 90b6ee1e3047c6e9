// A StopCheck for inner loops: it is asked at every 256th step only, since it may have to look at the clock. A step is
// whatever takes about a microsecond at most.
//
//   StopCounter stop(check);
//   for (…) stop.Step();                   // throws Stopped
#pragma once

#include <cstdint>

#include "util/stop_check.h"

namespace graft::engine {

class StopCounter {
 public:
  StopCounter() = default;  // never stops
  explicit StopCounter(const StopCheck& check) : check_(check) {}

  const StopCheck& check() const { return check_; }
  void Step() {
    if (--left_ == 0) [[unlikely]]
      Ask();
  }

 private:
  static constexpr uint32_t kStepsBetweenChecks = 256;

  [[gnu::noinline, gnu::cold]] void Ask() {
    left_ = kStepsBetweenChecks;
    check_.Poll();
  }

  uint32_t left_ = 1;  // the first step asks: nothing is begun that should not be
  StopCheck check_;
};

}  // namespace graft::engine
