// How library code speaks to whoever runs it, and is told to stop: warnings and progress as calls instead of prints.
//
//   std::stop_source stop;
//   graft::Reporter reporter;
//   reporter.warn = [](std::string_view message) { std::puts(std::string(message).c_str()); };
//   reporter.progress = [](std::string_view, uint64_t done, uint64_t) { std::printf("%d\r", static_cast<int>(done)); };
//   reporter.stop = stop.get_token();  // stop.request_stop() from anywhere: the work ends with graft::Stopped
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "graft/error.h"

#pragma GCC visibility push(default)
namespace graft {

// Both calls may be empty. They are made from one thread at a time.
struct Reporter {
  std::function<void(std::string_view message)> warn;
  // `done` of `total` units of the named step; total 0 = unknown. A step ends with done == total.
  std::function<void(std::string_view step, uint64_t done, uint64_t total)> progress;
  // Checked wherever progress is made, and within long work without any.
  std::stop_token stop;

  void Warn(std::string_view message) const {
    if (warn) warn(message);
  }
  void Progress(std::string_view step, uint64_t done, uint64_t total) const {
    if (stop.stop_requested()) throw Stopped();
    if (progress) progress(step, done, total);
  }
};

}  // namespace graft
#pragma GCC visibility pop
