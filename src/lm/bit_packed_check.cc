#include "lm/bit_packed_check.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace graft::engine {
namespace {

constexpr int kFloatProbBits = 31;  // the sign of a probability is not stored
constexpr int kFloatBackoffBits = 32;

struct Widths {
  int word = 0, prob = 0, backoff = 0, child = 0;  // bits of an entry; `child` without those in the array
  uint64_t array = 0;                              // entries of the array of high bits
  uint64_t array_bytes = 0;                        // with its head and padding
  int entry() const { return word + prob + backoff + child; }
};

// How many high bits of an index go into the array: what makes the whole smallest.
int ChoppedBits(uint64_t entries, uint64_t children, int most) {
  const int required = static_cast<int>(std::bit_width(children));
  int best = 0;
  int64_t lowest = std::numeric_limits<int64_t>::max();
  for (int chop = 0; chop <= std::min(required, most); ++chop) {
    const uint64_t high = required - chop >= 64 ? 0 : children >> (required - chop);
    const int64_t change = static_cast<int64_t>(high * 64) - static_cast<int64_t>(entries) * chop;
    if (change < lowest) {
      lowest = change;
      best = chop;
    }
  }
  return best;
}

Widths WidthsOf(const TrieLevelForm& form) {
  Widths widths;
  const bool quantised = form.prob_bits != 0;
  widths.word = static_cast<int>(std::bit_width(form.words));
  widths.prob = quantised ? form.prob_bits : kFloatProbBits;
  if (form.longest) return widths;
  widths.backoff = quantised ? form.backoff_bits : kFloatBackoffBits;
  widths.child = static_cast<int>(std::bit_width(form.children));
  if (form.arrays) {
    const int chopped = ChoppedBits(form.entries + 1, form.children, form.array_bits);
    widths.child -= chopped;
    widths.array = (form.children >> widths.child) + 1;
    widths.array_bytes = 8 * (1 + widths.array) + 7;
  }
  return widths;
}

class Bits {
 public:
  explicit Bits(const uint8_t* base) : base_(base) {}
  // At most 57 bits.
  uint64_t operator()(uint64_t at, int width) const {
    uint64_t value = 0;
    std::memcpy(&value, base_ + (at >> 3), sizeof value);
    return value >> (at & 7) & ((uint64_t{1} << width) - 1);
  }

 private:
  const uint8_t* base_;
};

uint32_t Coded(std::span<const uint8_t> book, uint64_t code) {
  uint32_t value = 0;
  std::memcpy(&value, book.data() + 4 * code, sizeof value);
  return value & kMagnitude;
}

}  // namespace

uint32_t LargestWeight(std::span<const uint8_t> floats) {
  uint32_t largest = 0;
  for (size_t i = 0; i + 4 <= floats.size(); i += 4) {
    uint32_t value = 0;
    std::memcpy(&value, floats.data() + i, sizeof value);
    largest = std::max(largest, value & kMagnitude);
  }
  return largest;
}

uint64_t TrieLevelBytes(const TrieLevelForm& form) {
  const Widths widths = WidthsOf(form);
  // One entry more than there are, which ends the children of the last, and what reading 8 bytes at once may touch.
  return widths.array_bytes + ((form.entries + 1) * static_cast<uint64_t>(widths.entry()) + 7) / 8 + 8;
}

const char* CheckTrieLevel(const TrieLevelForm& form, uint64_t offset, std::span<const uint8_t> bytes) {
  const Widths widths = WidthsOf(form);
  const Bits bits(bytes.data() + widths.array_bytes);
  const auto entry_bits = static_cast<uint64_t>(widths.entry());
  const bool quantised = form.prob_bits != 0;

  // High bits: element h is the first entry whose index has high bits h or more.
  const uint8_t* array = bytes.data() + (8 - offset % 8) % 8 + 8;
  const auto high_from = [&](uint64_t h) {
    uint64_t value = 0;
    std::memcpy(&value, array + 8 * h, sizeof value);
    return value;
  };
  if (widths.array != 0) {
    if (high_from(0) != 0) return "its pointers do not start at the first n-gram";
    for (uint64_t h = 1; h < widths.array; ++h)
      if (high_from(h) < high_from(h - 1)) return "its pointers are not in order";
  }

  uint64_t high = 0, before = 0;
  uint32_t largest = 0;
  for (uint64_t i = 0; i <= form.entries; ++i) {
    const uint64_t weights_at = i * entry_bits + static_cast<uint64_t>(widths.word);
    if (!form.longest) {
      while (high + 1 < widths.array && high_from(high + 1) <= i) ++high;
      const uint64_t child_at = weights_at + static_cast<uint64_t>(widths.prob + widths.backoff);
      const uint64_t child = high << widths.child | bits(child_at, widths.child);
      if (child < before || child > form.children) return "the n-grams that go on from one lie outside";
      before = child;
    }
    if (i == form.entries) break;  // the one more
    if (quantised) {
      // Back-off first, as KenLM packs them.
      if (!form.longest) largest = std::max(largest, Coded(form.backoff_book, bits(weights_at, widths.backoff)));
      const uint64_t prob_at = weights_at + static_cast<uint64_t>(widths.backoff);
      largest = std::max(largest, Coded(form.prob_book, bits(prob_at, widths.prob)));
    } else {
      largest = std::max(largest, static_cast<uint32_t>(bits(weights_at, kFloatProbBits)));
      if (!form.longest)
        largest =
            std::max(largest, static_cast<uint32_t>(bits(weights_at + kFloatProbBits, kFloatBackoffBits)) & kMagnitude);
    }
  }
  return largest > kLargestWeight ? "a probability is not a number, or out of range" : nullptr;
}

}  // namespace graft::engine
