// How library code speaks to whoever runs it: warnings and progress, as calls instead of prints.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace graft {

// Both calls may be empty. They are made from one thread at a time.
struct Reporter {
  std::function<void(std::string_view message)> warn;
  // `done` of `total` units of the named step; total 0 = unknown. A step ends with done == total.
  std::function<void(std::string_view step, uint64_t done, uint64_t total)> progress;

  void Warn(std::string_view message) const {
    if (warn) warn(message);
  }
  void Progress(std::string_view step, uint64_t done, uint64_t total) const {
    if (progress) progress(step, done, total);
  }
};

}  // namespace graft
