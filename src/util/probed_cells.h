// Open addressing with linear probing, the one way Graft looks things up by hash where it is hot: a power of two of
// cells of the caller's type, and a walk from the home of a hash (its low bits) to the first cell that the caller stops
// at. What a cell holds, when it is empty and how full the table may be are the caller's to say; a default cell must be
// empty. Usage, for cells that hold a key and a count of at least 1:
//
//   ProbedCells<Cell> cells(1024);
//   Cell& cell = cells.Probe(Hash(key), [&](const Cell& c) { return c.count == 0 || c.key == key; });
//   if (cell.count++ == 0) cell.key = key;   // was empty; Grow when too many are not
//
// Some cell must stay empty, or a walk for what is not there never ends. Most callers want HashIndex (hash_index.h),
// which numbers things kept elsewhere.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace graft::engine {

template <class Cell>
class ProbedCells {
 public:
  ProbedCells() = default;
  explicit ProbedCells(size_t fewest) : cells_(std::bit_ceil(fewest)) {}

  size_t size() const { return cells_.size(); }
  std::span<const Cell> cells() const { return cells_; }
  size_t IndexOf(const Cell& cell) const { return static_cast<size_t>(&cell - cells_.data()); }
  const Cell& operator[](size_t index) const { return cells_[index]; }

  const Cell& Home(uint64_t hash) const { return cells_[hash & (cells_.size() - 1)]; }  // where a walk starts

  // The first cell from the home of `hash` on for which stop(cell) holds. There must be cells.
  template <class Stop>
  const Cell& Probe(uint64_t hash, Stop stop) const {
    const size_t mask = cells_.size() - 1;
    size_t at = hash & mask;
    while (!stop(cells_[at])) at = (at + 1) & mask;
    return cells_[at];
  }
  template <class Stop>
  Cell& Probe(uint64_t hash, Stop stop) {
    return const_cast<Cell&>(std::as_const(*this).Probe(hash, stop));
  }

  // Twice as many cells, at least `fewest`: those for which used(cell) holds move to where hash_of(cell) leads.
  template <class Used, class HashOf>
  void Grow(size_t fewest, Used used, HashOf hash_of) {
    std::vector<Cell> old(std::bit_ceil(std::max(fewest, 2 * cells_.size())));
    old.swap(cells_);
    for (const Cell& cell : old)
      if (used(cell)) Probe(hash_of(cell), [&](const Cell& place) { return !used(place); }) = cell;
  }

  void Clear() { std::fill(cells_.begin(), cells_.end(), Cell{}); }  // keeps the number of cells
  void Reset(size_t fewest) { cells_ = std::vector<Cell>(std::bit_ceil(fewest)); }

 private:
  std::vector<Cell> cells_;  // a power of two, or none
};

}  // namespace graft::engine
