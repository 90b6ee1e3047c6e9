// A set of source positions, 0-based: a fixed-width bit set without heap memory.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace graft::engine {

class NodeSet {
 public:
  static constexpr int kCapacity = 256;

  constexpr NodeSet() = default;
  static constexpr NodeSet Of(int position) {
    NodeSet set;
    set.Add(position);
    return set;
  }
  // first..last, both included.
  static constexpr NodeSet Range(int first, int last) {
    NodeSet set;
    for (int i = first; i <= last; ++i) set.Add(i);
    return set;
  }

  constexpr void Add(int i) { words_[i >> 6] |= uint64_t{1} << (i & 63); }
  constexpr void Remove(int i) { words_[i >> 6] &= ~(uint64_t{1} << (i & 63)); }
  constexpr bool Contains(int i) const { return (words_[i >> 6] >> (i & 63) & 1) != 0; }
  constexpr bool empty() const { return (words_[0] | words_[1] | words_[2] | words_[3]) == 0; }
  constexpr int size() const {
    return std::popcount(words_[0]) + std::popcount(words_[1]) + std::popcount(words_[2]) + std::popcount(words_[3]);
  }
  // Smallest and largest member; the set must not be empty.
  constexpr int first() const {
    int w = 0;
    while (words_[w] == 0) ++w;
    return w * 64 + std::countr_zero(words_[w]);
  }
  constexpr int last() const {
    int w = 3;
    while (words_[w] == 0) --w;
    return w * 64 + 63 - std::countl_zero(words_[w]);
  }
  constexpr bool Intersects(const NodeSet& other) const {
    uint64_t any = 0;
    for (int w = 0; w < 4; ++w) any |= words_[w] & other.words_[w];
    return any != 0;
  }
  constexpr bool IsSubsetOf(const NodeSet& other) const {
    uint64_t outside = 0;
    for (int w = 0; w < 4; ++w) outside |= words_[w] & ~other.words_[w];
    return outside == 0;
  }
  constexpr NodeSet& operator|=(const NodeSet& other) {
    for (int w = 0; w < 4; ++w) words_[w] |= other.words_[w];
    return *this;
  }
  constexpr NodeSet& operator&=(const NodeSet& other) {
    for (int w = 0; w < 4; ++w) words_[w] &= other.words_[w];
    return *this;
  }
  constexpr NodeSet& operator-=(const NodeSet& other) {
    for (int w = 0; w < 4; ++w) words_[w] &= ~other.words_[w];
    return *this;
  }
  friend constexpr NodeSet operator|(NodeSet a, const NodeSet& b) { return a |= b; }
  friend constexpr NodeSet operator&(NodeSet a, const NodeSet& b) { return a &= b; }
  friend constexpr NodeSet operator-(NodeSet a, const NodeSet& b) { return a -= b; }
  friend constexpr auto operator<=>(const NodeSet&, const NodeSet&) = default;

  // Calls use(position) for every member, ascending.
  template <class Use>
  constexpr void ForEach(Use use) const {
    for (int w = 0; w < 4; ++w)
      for (uint64_t bits = words_[w]; bits != 0; bits &= bits - 1) use(w * 64 + std::countr_zero(bits));
  }

  constexpr uint64_t word(int w) const { return words_[w]; }
  // The 64 positions from `from` on: bit i = position from + i.
  constexpr uint64_t Window(int from) const {
    const int w = from >> 6, shift = from & 63;
    const uint64_t low = words_[w] >> shift;
    return shift == 0 || w == 3 ? low : low | words_[w + 1] << (64 - shift);
  }

 private:
  std::array<uint64_t, 4> words_{};
};

}  // namespace graft::engine
