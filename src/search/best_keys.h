// The best of many packed keys (packed_key.h), best first: what a beam keeps of a stack. However many there are, a stop
// is noticed within a millisecond or two.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "util/stop_counter.h"

namespace graft::engine {

class BestKeys {
 public:
  // Of all keys added from now on the `most` greatest are kept.
  void Clear(size_t most) {
    keys_.clear();
    most_ = most;
  }
  void Add(uint64_t key) {
    keys_.push_back(key);
    if (keys_.size() >= kAtOnce && keys_.size() / 2 >= most_) Cut();
  }
  std::vector<uint64_t>& Sort(StopCounter* stop) {
    if (keys_.size() > most_) Cut();
    if (keys_.size() < kAtOnce)
      std::sort(keys_.begin(), keys_.end(), std::greater<>());
    else
      std::sort(keys_.begin(), keys_.end(), [stop](uint64_t a, uint64_t b) {
        stop->Step();
        return a > b;
      });
    return keys_;
  }

 private:
  static constexpr size_t kAtOnce = size_t{1} << 16;

  void Cut() {
    std::nth_element(keys_.begin(), keys_.begin() + static_cast<ptrdiff_t>(most_), keys_.end(), std::greater<>());
    keys_.resize(most_);
  }

  std::vector<uint64_t> keys_;
  size_t most_ = SIZE_MAX;
};

}  // namespace graft::engine
