// The n-grams of one or more sequences, as a trie: a node is an n-gram and knows how often some sequence has it at
// most. A sequence is matched by walking from each of its positions, so that no n-gram is ever built: at most `orders`
// steps a symbol. Symbols are word ids (BLEU, chrF++) or code points (chrF).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "util/probed_cells.h"

namespace graft::engine {

class NgramTrie {
 public:
  // For n-grams of 1 to `orders` symbols of sequences with `symbols` symbols in all.
  NgramTrie(size_t orders, size_t symbols) : orders_(orders), children_(2 * orders * symbols + 2) {}

  // visit(n - 1, node) for every n-gram of `sequence`, from left to right, shorter ones first; those not seen before
  // get new nodes. Counts stay as they are.
  template <class Visit>
  void Number(std::span<const uint32_t> sequence, Visit visit) {
    for (size_t begin = 0; begin < sequence.size(); ++begin) {
      uint32_t node = 0;
      for (size_t n = 0; n < std::min(orders_, sequence.size() - begin); ++n) {
        const uint32_t symbol = sequence[begin + n];
        Child& child = children_.Probe(Hash(node, symbol), IsChild{node, symbol});
        if (child.node == kNone) {
          child = {node, symbol, static_cast<uint32_t>(most_.size())};
          most_.push_back(0);
        }
        node = child.node;
        visit(n, node);
      }
    }
  }
  size_t nodes() const { return most_.size(); }

  // The count of an n-gram becomes the larger of what it was and what it is in `sequence` (clipping by the maximum over
  // the references).
  void Add(std::span<const uint32_t> sequence) {
    std::vector<uint32_t> counts;
    Number(sequence, [&](size_t, uint32_t node) {
      if (node >= counts.size()) counts.resize(most_.size());
      ++counts[node];
    });
    for (size_t node = 0; node < counts.size(); ++node) most_[node] = std::max(most_[node], counts[node]);
  }

  // Adds to match[n - 1] the n-grams of `sequence`, each at most as often as it is here. A symbol that is in no
  // sequence added matches nothing.
  void Match(std::span<const uint32_t> sequence, std::span<int64_t> match) const {
    std::vector<uint32_t> counts(most_.size());
    for (size_t begin = 0; begin < sequence.size(); ++begin) {
      uint32_t node = 0;
      for (size_t n = 0; n < std::min(orders_, sequence.size() - begin); ++n) {
        const uint32_t symbol = sequence[begin + n];
        node = children_.Probe(Hash(node, symbol), IsChild{node, symbol}).node;
        if (node == kNone) break;
        if (++counts[node] <= most_[node]) ++match[n];
      }
    }
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  struct Child {
    uint32_t parent = 0;
    uint32_t symbol = 0;
    uint32_t node = kNone;
  };
  struct IsChild {  // or the empty cell where it would go
    uint32_t parent, symbol;
    bool operator()(const Child& child) const {
      return child.node == kNone || (child.parent == parent && child.symbol == symbol);
    }
  };

  static uint64_t Hash(uint32_t parent, uint32_t symbol) {
    const uint64_t hash = ((uint64_t{parent} << 32) | symbol) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 32;
  }

  size_t orders_;
  ProbedCells<Child> children_;    // at most half full
  std::vector<uint32_t> most_{0};  // by node; node 0 is the empty n-gram
};

// How many n-grams of `order` symbols a sequence has.
inline int64_t NgramCount(size_t length, size_t order) {
  return length < order ? 0 : static_cast<int64_t>(length - order + 1);
}

}  // namespace graft::engine
