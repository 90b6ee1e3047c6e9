// Names for the places of a stack: open addressing from a hash and a test of equality to a number.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace graft::engine {

class PlaceIndex {
 public:
  void Clear() {
    count_ = 0;
    std::fill(slots_.begin(), slots_.end(), Slot{});
  }

  // The number for which same(number) holds, or else the one make() returns.
  template <class Same, class Make>
  uint32_t Find(uint64_t hash, Same same, Make make) {
    if (2 * count_ >= slots_.size()) Grow();
    const size_t mask = slots_.size() - 1;
    const auto tag = static_cast<uint32_t>(hash >> 32);
    size_t slot = hash & mask;
    for (; slots_[slot].number != kEmpty; slot = (slot + 1) & mask)
      if (slots_[slot].tag == tag && same(slots_[slot].number)) return slots_[slot].number;
    ++count_;
    slots_[slot] = {static_cast<uint32_t>(hash), tag, make()};
    return slots_[slot].number;
  }

 private:
  static constexpr uint32_t kEmpty = UINT32_MAX;
  struct Slot {
    uint32_t low = 0;  // of the hash
    uint32_t tag = 0;  // high part of the hash
    uint32_t number = kEmpty;
  };

  void Grow() {
    std::vector<Slot> old(std::max<size_t>(256, slots_.size() * 2));
    old.swap(slots_);
    const size_t mask = slots_.size() - 1;
    for (const Slot& known : old) {
      if (known.number == kEmpty) continue;
      size_t slot = known.low & mask;
      while (slots_[slot].number != kEmpty) slot = (slot + 1) & mask;
      slots_[slot] = known;
    }
  }

  std::vector<Slot> slots_;  // a power of two, at most half full
  size_t count_ = 0;
};

// A hash of several numbers: MixHash(MixHash(a, b), c).
inline uint64_t MixHash(uint64_t a, uint64_t b) {
  uint64_t hash = (a ^ (a >> 32) ^ b * 0x9e3779b97f4a7c15ull) * 0xbf58476d1ce4e5b9ull;
  return hash ^ hash >> 29;
}

}  // namespace graft::engine
