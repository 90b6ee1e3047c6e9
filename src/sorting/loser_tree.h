// Merging of sorted streams: a tournament in which every inner node keeps the loser, so that replacing the winner costs
// one comparison per level (Knuth, volume 3, 5.4.1).
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace graft::engine {

// A sorted stream of (key, count). `prefix` is the first eight bytes of the key, big-endian, zero-filled.
struct CountCursor {
  std::string_view key;
  uint64_t prefix = 0;
  uint64_t count = 0;
  bool done = false;

  virtual ~CountCursor() = default;
  virtual void Advance() = 0;  // moves to the next record or sets `done`; the first call gives the first record
  virtual void Rewind() = 0;   // to before the first record
};

class LoserTree {
 public:
  explicit LoserTree(std::vector<std::unique_ptr<CountCursor>> cursors)
      : cursors_(std::move(cursors)), losers_(cursors_.size(), 0) {
    Rewind();
  }

  void Rewind() {
    for (auto& cursor : cursors_) {
      cursor->Rewind();
      cursor->done = false;
      cursor->Advance();
    }
    if (!cursors_.empty()) winner_ = Play(1);
  }

  bool empty() const { return cursors_.empty() || cursors_[winner_]->done; }
  const CountCursor& top() const { return *cursors_[winner_]; }

  void Pop() {
    const size_t leaves = cursors_.size();
    size_t winner = winner_;
    cursors_[winner]->Advance();
    for (size_t node = (winner + leaves) / 2; node > 0; node /= 2)
      if (Before(losers_[node], winner)) std::swap(losers_[node], winner);
    winner_ = winner;
  }

 private:
  // Nodes 1 .. leaves-1 are inner, node leaves + i is cursor i.
  size_t Play(size_t node) {
    const size_t leaves = cursors_.size();
    if (node >= leaves) return node - leaves;
    size_t left = Play(2 * node);
    size_t right = Play(2 * node + 1);
    if (Before(right, left)) std::swap(left, right);
    losers_[node] = right;
    return left;
  }

  bool Before(size_t a, size_t b) const {
    const CountCursor& left = *cursors_[a];
    const CountCursor& right = *cursors_[b];
    if (left.done || right.done) return !left.done;
    if (left.prefix != right.prefix) return left.prefix < right.prefix;
    return left.key < right.key;
  }

  std::vector<std::unique_ptr<CountCursor>> cursors_;
  std::vector<size_t> losers_;
  size_t winner_ = 0;
};

}  // namespace graft::engine
