// A hash of several numbers: MixHash(MixHash(a, b), c).
#pragma once

#include <cstdint>

namespace graft::engine {

inline uint64_t MixHash(uint64_t a, uint64_t b) {
  uint64_t hash = (a ^ (a >> 32) ^ b * 0x9e3779b97f4a7c15ull) * 0xbf58476d1ce4e5b9ull;
  return hash ^ hash >> 29;
}

}  // namespace graft::engine
