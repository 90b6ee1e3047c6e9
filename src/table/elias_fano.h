// Elias-Fano code of a rising sequence of n offsets below a bound U: about 2 + log2(U / n) bits each, random access
// without decoding what comes before.
//
// Every value is cut into low_bits low bits and the rest, its high part. Layout, all u64:
//   low[ceil(n low_bits / 64) + 1]  the low parts one after the other (one word more, so that two can always be read)
//   high[high_words]                bit (high part of value i) + i is set for every i, all others are clear
//   sample[ceil(n / 256)]           position in high of the ones number 0, 256, 512, …
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "table/section.h"

namespace graft::engine {

struct EliasFanoShape {
  static constexpr uint64_t kSampled = 256;

  uint64_t items = 0;
  uint64_t low_bits = 0;
  uint64_t high_words = 0;

  // For `items` values below `bound`.
  static EliasFanoShape For(uint64_t items, uint64_t bound) {
    EliasFanoShape shape;
    shape.items = items;
    if (items == 0) return shape;
    shape.low_bits = bound / items <= 1 ? 0 : static_cast<uint64_t>(std::bit_width(bound / items)) - 1;
    shape.high_words = (items + (bound >> shape.low_bits) + 63) / 64 + 1;
    return shape;
  }
  uint64_t low_words() const { return (items * low_bits + 63) / 64 + 1; }
  uint64_t samples() const { return (items + kSampled - 1) / kSampled; }
  uint64_t bytes() const { return 8 * (low_words() + high_words + samples()); }
};

// Writes the three arrays in order by put(u64). `values()` returns a fresh source that gives the values one after the
// other by calling it: the sequence is read twice and never held.
template <class Values, class Put>
void WriteEliasFano(const EliasFanoShape& shape, Values values, Put put) {
  uint64_t word = 0;
  uint64_t filled = 0;
  uint64_t words = 0;
  const uint64_t mask = (uint64_t{1} << shape.low_bits) - 1;
  if (shape.low_bits > 0) {
    auto next = values();
    for (uint64_t i = 0; i < shape.items; ++i) {
      const uint64_t low = next() & mask;
      word |= low << filled;
      if (filled + shape.low_bits >= 64) {
        put(word);
        ++words;
        word = filled == 0 ? 0 : low >> (64 - filled);
        filled = filled + shape.low_bits - 64;
      } else {
        filled += shape.low_bits;
      }
    }
  }
  for (; words < shape.low_words(); ++words, word = 0) put(word);

  std::vector<uint64_t> samples;
  word = 0;
  words = 0;
  auto next = values();
  for (uint64_t i = 0; i < shape.items; ++i) {
    const uint64_t position = (next() >> shape.low_bits) + i;
    if (i % EliasFanoShape::kSampled == 0) samples.push_back(position);
    for (; words < position / 64; ++words, word = 0) put(word);
    word |= uint64_t{1} << (position % 64);
  }
  for (; words < shape.high_words; ++words, word = 0) put(word);
  for (uint64_t sample : samples) put(sample);
}

// Reads the sequence that starts at `offset` of a section.
class EliasFano {
 public:
  EliasFano() = default;
  EliasFano(const EliasFanoShape& shape, uint64_t offset)
      : shape_(shape), low_(offset), high_(low_ + 8 * shape.low_words()), sample_(high_ + 8 * shape.high_words) {}

  // Value i; i must be below items. A damaged sequence gives a wrong value or an Error.
  uint64_t Value(const Section& section, uint64_t i) const {
    const uint64_t position = section.Load<uint64_t>(sample_, i / EliasFanoShape::kSampled);
    uint64_t skip = i % EliasFanoShape::kSampled;  // ones between the sample and the one that is asked for
    uint64_t index = position / 64;
    if (index >= shape_.high_words) section.Damaged("an offset sample is wrong");
    uint64_t word = section.Load<uint64_t>(high_, index) & ~uint64_t{0} << (position % 64);
    for (uint64_t ones; (ones = static_cast<uint64_t>(std::popcount(word))) <= skip;) {
      skip -= ones;
      if (++index >= shape_.high_words) section.Damaged("an offset is missing");
      word = section.Load<uint64_t>(high_, index);
    }
    for (; skip > 0; --skip) word &= word - 1;
    const uint64_t one = index * 64 + static_cast<uint64_t>(std::countr_zero(word));
    return ((one - i) << shape_.low_bits) | Low(section, i);
  }

 private:
  uint64_t Low(const Section& section, uint64_t i) const {
    if (shape_.low_bits == 0) return 0;
    const uint64_t bit = i * shape_.low_bits;
    const uint64_t shift = bit % 64;
    uint64_t low = section.Load<uint64_t>(low_, bit / 64) >> shift;
    if (shift != 0) low |= section.Load<uint64_t>(low_, bit / 64 + 1) << (64 - shift);
    return low & ((uint64_t{1} << shape_.low_bits) - 1);
  }

  EliasFanoShape shape_;
  uint64_t low_ = 0, high_ = 0, sample_ = 0;
};

}  // namespace graft::engine
