// Unsigned integers in 7-bit groups, low group first; the top bit of a byte says that another follows.
#pragma once

#include <cstdint>

namespace graft::engine {

inline constexpr int kMaxVarint32 = 5;
inline constexpr int kMaxVarint64 = 10;

// Writes at most kMaxVarint64 bytes; returns the end.
inline uint8_t* WriteVarint(uint8_t* to, uint64_t value) {
  for (; value >= 0x80; value >>= 7) *to++ = static_cast<uint8_t>(value | 0x80);
  *to++ = static_cast<uint8_t>(value);
  return to;
}

// Reads at most kMaxVarint32 (kMaxVarint64) bytes; returns the end, or nullptr for a number that does not fit.
inline const uint8_t* ReadVarint32(const uint8_t* from, uint32_t* value) {
  uint32_t byte = *from++;
  if (byte < 0x80) [[likely]] {
    *value = byte;
    return from;
  }
  uint32_t result = byte & 0x7f;
  for (int shift = 7; shift < 35; shift += 7) {
    byte = *from++;
    if (shift == 28 && byte > 0x0f) return nullptr;
    result |= (byte & 0x7f) << shift;
    if (byte < 0x80) {
      *value = result;
      return from;
    }
  }
  return nullptr;
}

inline const uint8_t* ReadVarint64(const uint8_t* from, uint64_t* value) {
  uint64_t result = 0;
  for (int shift = 0; shift < 70; shift += 7) {
    const uint64_t byte = *from++;
    if (shift == 63 && byte > 1) return nullptr;
    result |= (byte & 0x7f) << shift;
    if (byte < 0x80) {
      *value = result;
      return from;
    }
  }
  return nullptr;
}

}  // namespace graft::engine
