// A range of addresses that one thread changes and others, also handlers of signals, look at: they see both ends of the
// same range or none. Neither side ever waits.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

namespace graft::engine {

class SharedRange {
 public:
  struct Range {
    uintptr_t begin, end;
  };

  void Set(Range range) noexcept {  // by one thread at a time
    ++changes_;
    begin_ = range.begin;
    end_ = range.end;
    ++changes_;
  }

  std::optional<Range> Get() const noexcept {  // nothing while it changes
    const uint64_t changes = changes_;
    const Range range{begin_, end_};
    if (changes % 2 != 0 || changes != changes_) return std::nullopt;
    return range;
  }

 private:
  std::atomic<uint64_t> changes_ = 0;  // odd while it changes
  std::atomic<uintptr_t> begin_ = 0, end_ = 0;
  static_assert(std::atomic<uint64_t>::is_always_lock_free);
  static_assert(std::atomic<uintptr_t>::is_always_lock_free);
};

}  // namespace graft::engine
