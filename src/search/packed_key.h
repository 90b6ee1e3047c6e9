// A score and an id in one number: order-preserving float bits in the high half, the complement of the id in the low
// half. A greater key is a better score or, at equal scores, an earlier id: one comparison, and a total order.
#pragma once

#include <bit>
#include <cstdint>

namespace graft::engine {

inline uint64_t PackedKey(float score, uint32_t id) {
  const auto bits = std::bit_cast<uint32_t>(score);
  const uint32_t ordered = (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
  return static_cast<uint64_t>(ordered) << 32 | static_cast<uint32_t>(~id);
}
inline uint32_t IdOf(uint64_t key) { return ~static_cast<uint32_t>(key); }
inline float ScoreOf(uint64_t key) {
  const auto ordered = static_cast<uint32_t>(key >> 32);
  return std::bit_cast<float>((ordered & 0x80000000u) != 0 ? ordered & 0x7fffffffu : ~ordered);
}

}  // namespace graft::engine
