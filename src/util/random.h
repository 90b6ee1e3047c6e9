// Random numbers whose sequence is part of the result: the same on every machine and with every standard library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace graft::engine {

// SplitMix64 (Steele, Lea and Flood 2014).
class SplitMix {
 public:
  explicit SplitMix(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
  }

  // Uniform in [0, bound), bound at least 1: values of the last, incomplete round are drawn again.
  uint64_t Below(uint64_t bound) {
    const uint64_t incomplete = (0 - bound) % bound;
    uint64_t value = Next();
    while (value < incomplete) value = Next();
    return value % bound;
  }

 private:
  uint64_t state_;
};

// Fisher and Yates's shuffle.
template <class T>
void Shuffle(std::vector<T>* items, SplitMix* random) {
  for (size_t i = items->size(); i > 1; --i) std::swap((*items)[i - 1], (*items)[random->Below(i)]);
}

}  // namespace graft::engine
