// The identity of a target string in 128 bits, made so that the key of a concatenation follows from the keys of its
// parts: two polynomials in the (mixed) words, kept with the powers that shift what stands to their left.
#pragma once

#include <cstdint>
#include <span>

#include "lm/language_model.h"

namespace graft::engine {

struct StringKey {
  uint64_t a = 0, b = 0;              // the key
  uint64_t shift_a = 1, shift_b = 1;  // base to the power of the length

  static StringKey Of(std::span<const LmWord> words) {
    StringKey key;
    for (const LmWord word : words) {
      key.a = key.a * kBaseA + Mix(word + 0x9e3779b97f4a7c15ull);
      key.b = key.b * kBaseB + Mix(word + 0xd1b54a32d192ed03ull);
      key.shift_a *= kBaseA;
      key.shift_b *= kBaseB;
    }
    return key;
  }

  StringKey& operator+=(const StringKey& right) {
    a = a * right.shift_a + right.a;
    b = b * right.shift_b + right.b;
    shift_a *= right.shift_a;
    shift_b *= right.shift_b;
    return *this;
  }
  friend bool operator==(const StringKey& x, const StringKey& y) { return x.a == y.a && x.b == y.b; }

 private:
  static constexpr uint64_t kBaseA = 0x2545f4914f6cdd1dull, kBaseB = 0xd6e8feb86659fd93ull;

  static uint64_t Mix(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
  }
};

}  // namespace graft::engine
