// A priority queue of 64-bit keys, greatest first: a heap with four children a node, which is shallower than a binary
// one and keeps siblings in one cache line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace graft::engine {

class KeyQueue {
 public:
  bool empty() const { return keys_.empty(); }
  void Clear() { keys_.clear(); }
  uint64_t Top() const { return keys_[0]; }

  void Push(uint64_t key) {
    size_t hole = keys_.size();
    keys_.push_back(key);
    while (hole > 0) {
      const size_t parent = (hole - 1) / 4;
      if (keys_[parent] >= key) break;
      keys_[hole] = keys_[parent];
      hole = parent;
    }
    keys_[hole] = key;
  }

  uint64_t Pop() {
    const uint64_t top = keys_[0];
    const uint64_t last = keys_.back();
    keys_.pop_back();
    const size_t size = keys_.size();
    if (size == 0) return top;
    size_t hole = 0;
    for (;;) {
      const size_t first = 4 * hole + 1;
      if (first >= size) break;
      size_t best = first;
      const size_t end = first + 4 < size ? first + 4 : size;
      for (size_t child = first + 1; child < end; ++child)
        if (keys_[child] > keys_[best]) best = child;
      if (keys_[best] <= last) break;
      keys_[hole] = keys_[best];
      hole = best;
    }
    keys_[hole] = last;
    return top;
  }

 private:
  std::vector<uint64_t> keys_;
};

}  // namespace graft::engine
