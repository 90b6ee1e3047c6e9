// A section of a mapped table. Every access is checked against the section's size, and every 64 KiB block against its
// sum on first touch (one bit a block, relaxed: checking twice does no harm). Damage is an Error that names file,
// section and block.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "table/table_format.h"
#include "util/stop_check.h"

namespace graft::engine {

class Section {
 public:
  Section() = default;
  // `sums`: of each block, or nullptr for a section that has been checked as a whole.
  Section(std::string file, std::string name, std::span<const uint8_t> bytes, uint64_t items, const uint64_t* sums,
          uint16_t encoding = 0);

  uint64_t bytes() const { return bytes_.size(); }
  uint64_t items() const { return items_; }
  uint16_t encoding() const { return encoding_; }

  // The bytes [offset, offset + size), checked.
  const uint8_t* At(uint64_t offset, uint64_t size) const {
    if (size > bytes_.size() || offset > bytes_.size() - size) [[unlikely]]
      Damaged("an index points outside");
    if (sums_ != nullptr && size != 0) {
      const uint64_t last = (offset + size - 1) >> table_format::kBlockShift;
      for (uint64_t block = offset >> table_format::kBlockShift; block <= last; ++block)
        if ((seen_[block >> 6].load(std::memory_order_relaxed) >> (block & 63) & 1) == 0) [[unlikely]]
          CheckBlock(block);
    }
    return bytes_.data() + offset;
  }
  template <class T>
  T Load(uint64_t offset) const {
    T value;
    std::memcpy(&value, At(offset, sizeof(T)), sizeof(T));
    return value;
  }
  // Element `index` of an array of T that starts at `array`.
  template <class T>
  T Load(uint64_t array, uint64_t index) const {
    return Load<T>(array + index * sizeof(T));
  }
  std::string_view Text(uint64_t offset, uint64_t size) const {
    return {reinterpret_cast<const char*>(At(offset, size)), size};
  }

  void CheckAll(const StopCheck& stop = {}) const;         // every block, also those seen already
  [[noreturn]] void Damaged(std::string_view what) const;  // throws

 private:
  void CheckBlock(uint64_t block) const;

  std::string file_, name_;
  std::span<const uint8_t> bytes_;
  uint64_t items_ = 0;
  const uint64_t* sums_ = nullptr;
  uint16_t encoding_ = 0;
  std::unique_ptr<std::atomic<uint64_t>[]> seen_;
};

}  // namespace graft::engine
