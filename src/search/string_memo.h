// The strings of a stack and their language model states. Grammars make the same string in many ways: of the
// combinations that a stack of the chart scores more than half repeat a string, whose state and inside score need no
// second look at the language model.
#pragma once

#include <cstdint>
#include <vector>

#include "search/string_key.h"

namespace graft::engine {

class StringMemo {
 public:
  struct String {
    LmPhrase phrase;
    float inside = 0;   // its language model score with the context at hand
    uint64_t hash = 0;  // of the phrase
    StringKey key;
  };

  StringMemo() : slots_(1024) {}

  void Clear() {  // keeps memory
    ++stamp_;
    used_ = 0;
  }

  // The index of a string. A fresh one has its key only: phrase and inside score are the caller's to set, then Seal.
  uint32_t Find(const StringKey& key, bool* fresh) {
    size_t slot = SlotOf(key);
    *fresh = slots_[slot].stamp != stamp_;
    if (!*fresh) return slots_[slot].string;
    if (2 * (used_ + 1) > slots_.size()) {
      Grow();
      slot = SlotOf(key);
    }
    if (used_ == strings_.size()) strings_.resize(2 * used_ + 256);
    strings_[used_].key = key;
    slots_[slot] = {key.a, key.b, stamp_, used_};
    return used_++;
  }
  void Seal(uint32_t string) { strings_[string].hash = HashPhrase(strings_[string].phrase); }

  String& operator[](uint32_t string) { return strings_[string]; }
  const String& operator[](uint32_t string) const { return strings_[string]; }

 private:
  struct Slot {
    uint64_t a = 0, b = 0;
    uint64_t stamp = 0;
    uint32_t string = 0;
  };
  size_t SlotOf(const StringKey& key) const {
    const size_t mask = slots_.size() - 1;
    size_t slot = (key.a ^ key.b >> 32) & mask;
    while (slots_[slot].stamp == stamp_ && (slots_[slot].a != key.a || slots_[slot].b != key.b))
      slot = (slot + 1) & mask;
    return slot;
  }
  void Grow() {
    slots_.assign(slots_.size() * 2, {});
    for (uint32_t s = 0; s < used_; ++s)
      slots_[SlotOf(strings_[s].key)] = {strings_[s].key.a, strings_[s].key.b, stamp_, s};
  }

  std::vector<Slot> slots_;      // open addressing, at most half full; slots with other stamps are empty
  std::vector<String> strings_;  // as many as were ever needed
  uint64_t stamp_ = 1;
  uint32_t used_ = 0;
};

}  // namespace graft::engine
