// The covered words of a hypothesis in eight bytes at any sentence length: the first uncovered position and the bits
// after it. A unit starts at most distortion_limit words after the first uncovered word and spans at most max_span, so
// all covered words beyond it lie in a short window.
#pragma once

#include <bit>
#include <cstdint>

#include "model/search_options.h"

namespace graft::engine {

struct Coverage {
  uint64_t first_gap : 16;            // first uncovered position; the sentence's length when all are covered
  uint64_t window : kCoverageWindow;  // bit i: position first_gap + i is covered; bit 0 is never set

  static Coverage Empty() { return {0, 0}; }
  uint64_t key() const { return std::bit_cast<uint64_t>(*this); }
  friend bool operator==(const Coverage& a, const Coverage& b) { return a.key() == b.key(); }

  // mask: bit i = position start + i; start >= first_gap.
  bool Overlaps(int start, uint64_t mask) const {
    return ((window >> (start - static_cast<int>(first_gap))) & mask) != 0;
  }
  Coverage With(int start, uint64_t mask) const {
    uint64_t bits = window | mask << (start - static_cast<int>(first_gap));
    const int run = std::countr_one(bits);
    bits = run < 64 ? bits >> run : 0;
    return {static_cast<uint64_t>(first_gap + run) & 0xffff, bits & ((uint64_t{1} << kCoverageWindow) - 1)};
  }
};
static_assert(sizeof(Coverage) == 8 && kCoverageWindow + 16 == 64);

}  // namespace graft::engine
