// Sorting of byte-string keys that lie elsewhere: the first sixteen bytes of each key travel with its reference, and
// are what a radix sort from the most significant byte on looks at; only keys that agree in all of them are fetched.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

#include "util/stop_check.h"

namespace graft::engine {

// The first eight bytes of `key` from `start` on as a number that compares as the bytes do; zeros behind its end.
inline uint64_t KeyPrefix(std::string_view key, size_t start = 0) {
  uint64_t bytes = 0;
  if (key.size() >= start + 8)
    std::memcpy(&bytes, key.data() + start, 8);
  else if (key.size() > start)
    std::memcpy(&bytes, key.data() + start, key.size() - start);
  return __builtin_bswap64(bytes);
}

// Record: has `std::string_view key() const`.
template <class Record>
struct KeyReference {
  uint64_t prefix;
  uint64_t next;
  const Record* record;

  explicit KeyReference(const Record* of) : prefix(KeyPrefix(of->key())), next(KeyPrefix(of->key(), 8)), record(of) {}

  friend bool operator<(const KeyReference& a, const KeyReference& b) {
    if (a.prefix != b.prefix) return a.prefix < b.prefix;
    if (a.next != b.next) return a.next < b.next;
    return a.record->key() < b.record->key();
  }
  uint8_t Byte(int index) const {
    return static_cast<uint8_t>((index < 8 ? prefix >> (56 - 8 * index) : next >> (120 - 8 * index)) & 0xff);
  }
};

// In place (McIlroy, Bostic, McIlroy: Engineering radix sort, 1993: American flag sort). All references agree in their
// first `byte` bytes. Throws Stopped as `stop` says, with the keys in any order.
template <class Record>
void SortKeys(KeyReference<Record>* first, KeyReference<Record>* last, const StopCheck& stop = {}, int byte = 0) {
  constexpr ptrdiff_t kMany = 1 << 16;
  if (last - first > kMany) stop.Poll();
  constexpr ptrdiff_t kFew = 48;  // below, comparing is faster
  std::array<uint32_t, 257> begin;
  for (;; ++byte) {
    if (last - first < kFew || byte == 16 || last - first > UINT32_MAX) {
      std::sort(first, last);
      return;
    }
    begin.fill(0);
    for (const auto* item = first; item != last; ++item) ++begin[size_t{item->Byte(byte)} + 1];
    if (begin[size_t{first->Byte(byte)} + 1] != last - first) break;
  }
  for (size_t bucket = 1; bucket < begin.size(); ++bucket) begin[bucket] += begin[bucket - 1];
  std::array<uint32_t, 256> next;
  std::copy(begin.begin(), begin.end() - 1, next.begin());
  for (size_t bucket = 0; bucket < next.size(); ++bucket) {
    while (next[bucket] != begin[bucket + 1]) {
      KeyReference<Record> moving = first[next[bucket]];
      for (size_t home; (home = moving.Byte(byte)) != bucket;) std::swap(moving, first[next[home]++]);
      first[next[bucket]++] = moving;
    }
  }
  for (size_t bucket = 0; bucket < next.size(); ++bucket)
    if (begin[bucket + 1] - begin[bucket] > 1)
      SortKeys(first + begin[bucket], first + begin[bucket + 1], stop, byte + 1);
}

}  // namespace graft::engine
