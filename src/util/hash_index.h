// Numbers for things by their hash: what a caller keeps in an array of its own is found by a hash and a test of
// equality, and numbered in the order in which it came: 0, 1, 2, … Usage:
//
//   HashIndex index;
//   const auto [number, fresh] = index.Insert(Hash(state), [&](uint32_t n) { return states[n] == state; });
//   if (fresh) states.push_back(state);        // states.size() was `number`
//
// A slot takes 8 bytes (32 bits of the hash, the number), at most half of them are in use, and growing asks for no hash
// a second time. Clear takes no time at all, so that an index may be used again for each sentence or stack.
#pragma once

#include <cstddef>
#include <cstdint>

#include "util/probed_cells.h"

namespace graft::engine {

class HashIndex {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;
  static constexpr size_t kFewestSlots = 256;

  struct Inserted {
    uint32_t number;
    bool fresh;
  };

  HashIndex() = default;
  // With room for `things`: no growing up to there.
  explicit HashIndex(size_t things) : slots_(2 * things + 2) {}

  uint32_t size() const { return size_; }
  size_t slots() const { return slots_.size(); }

  // The number with this hash for which same(number) holds; without one the next number, from now on in the index.
  // Only the low half of the hash counts. `same` is asked for numbers with the same low half alone.
  template <class Same>
  Inserted Insert(uint64_t hash, Same same) {
    if (2 * (size_t{size_} + 1) > slots_.size()) Grow();
    const auto tag = static_cast<uint32_t>(hash);
    Slot& slot = slots_.Probe(tag, Stop(tag, same));
    if (Used(slot)) return {slot.number - first_, false};
    slot = {tag, first_ + size_};
    return {size_++, true};
  }

  // The same without inserting: kNone if there is none.
  template <class Same>
  uint32_t Find(uint64_t hash, Same same) const {
    if (size_ == 0) return kNone;
    const auto tag = static_cast<uint32_t>(hash);
    const Slot& slot = slots_.Probe(tag, Stop(tag, same));
    return Used(slot) ? slot.number - first_ : kNone;
  }

  // Empties the index. Of the slots at most `kept` stay: a table that one long sentence made large would cost all later
  // ones their cache.
  void Clear(size_t kept = SIZE_MAX) {
    first_ += size_;
    size_ = 0;
    if (slots_.size() > kept)
      slots_.Reset(kept);
    else if (first_ >= kMostNumbers)
      slots_.Clear();
    else
      return;
    first_ = 0;
  }

 private:
  // Numbers count on after Clear, so that those of before are told by lying below first_.
  static constexpr uint32_t kMostNumbers = uint32_t{1} << 31;
  struct Slot {
    uint32_t tag = 0;  // of the hash
    uint32_t number = UINT32_MAX;
  };

  bool Used(const Slot& slot) const { return slot.number - first_ < size_; }
  template <class Same>
  auto Stop(uint32_t tag, const Same& same) const {
    return
        [this, tag, &same](const Slot& slot) { return !Used(slot) || (slot.tag == tag && same(slot.number - first_)); };
  }
  void Grow() {
    slots_.Grow(
        kFewestSlots, [&](const Slot& slot) { return Used(slot); }, [](const Slot& slot) { return slot.tag; });
  }

  ProbedCells<Slot> slots_;
  uint32_t first_ = 0;  // of the numbers in use
  uint32_t size_ = 0;
};

}  // namespace graft::engine
