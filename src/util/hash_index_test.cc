#include "util/hash_index.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <unordered_map>
#include <vector>

namespace graft::engine {
namespace {

// Values in a vector and their index, with hashes of `bits` bits: few make many equal ones.
class Values {
 public:
  explicit Values(int bits) : bits_(bits) {}

  HashIndex::Inserted Insert(uint64_t value) {
    const auto inserted = index_.Insert(Hash(value), [&](uint32_t n) { return values_[n] == value; });
    if (inserted.fresh) values_.push_back(value);
    return inserted;
  }
  uint32_t Find(uint64_t value) const {
    return index_.Find(Hash(value), [&](uint32_t n) { return values_[n] == value; });
  }
  void Clear(size_t kept = SIZE_MAX) {
    index_.Clear(kept);
    values_.clear();
  }
  const HashIndex& index() const { return index_; }

 private:
  uint64_t Hash(uint64_t value) const { return value * 0x9e3779b97f4a7c15ull >> (64 - bits_); }

  int bits_;
  HashIndex index_;
  std::vector<uint64_t> values_;
};

TEST(HashIndex, NumbersInOrderOfInsertion) {
  Values values(32);
  EXPECT_EQ(values.Find(7), HashIndex::kNone);
  for (uint64_t value = 0; value < 1000; ++value) {
    const auto [number, fresh] = values.Insert(value * value);
    EXPECT_EQ(number, value);
    EXPECT_TRUE(fresh);
  }
  for (uint64_t value = 0; value < 1000; ++value) {
    const auto [number, fresh] = values.Insert(value * value);
    EXPECT_EQ(number, value);
    EXPECT_FALSE(fresh);
    EXPECT_EQ(values.Find(value * value), value);
  }
  EXPECT_EQ(values.Find(2), HashIndex::kNone);
  EXPECT_EQ(values.index().size(), 1000u);
  EXPECT_EQ(values.index().slots(), 2048u);  // at most half full
}

TEST(HashIndex, EqualsAMapWhateverTheHash) {
  std::mt19937 random(3);
  for (const int bits : {1, 3, 12, 40}) {
    Values values(bits);
    for (int round = 0; round < 20; ++round) {
      std::unordered_map<uint64_t, uint32_t> expected;
      const int things = static_cast<int>(random() % (bits < 12 ? 60 : 3000));
      for (int i = 0; i < things; ++i) {
        const uint64_t value = random() % 1000;
        const auto [known, fresh] = expected.emplace(value, static_cast<uint32_t>(expected.size()));
        const auto inserted = values.Insert(value);
        ASSERT_EQ(inserted.number, known->second);
        ASSERT_EQ(inserted.fresh, fresh);
        const uint64_t other = random() % 1000;
        const auto found = expected.find(other);
        ASSERT_EQ(values.Find(other), found == expected.end() ? HashIndex::kNone : found->second);
      }
      ASSERT_EQ(values.index().size(), expected.size());
      values.Clear(round % 3 == 0 ? 512 : SIZE_MAX);
      ASSERT_EQ(values.Find(0), HashIndex::kNone);
    }
  }
}

TEST(HashIndex, ClearGivesLargeTablesBack) {
  Values values(32);
  for (uint64_t value = 0; value < 5000; ++value) values.Insert(value);
  values.Clear();
  EXPECT_EQ(values.index().slots(), 16384u);
  values.Clear(1024);
  EXPECT_EQ(values.index().slots(), 1024u);
  EXPECT_EQ(values.index().size(), 0u);
  EXPECT_TRUE(values.Insert(4).fresh);
}

TEST(HashIndex, RoomIsMadeAtOnce) {
  HashIndex index(300);
  const size_t slots = index.slots();
  for (uint32_t i = 0; i < 300; ++i) index.Insert(i, [](uint32_t) { return false; });
  EXPECT_EQ(index.slots(), slots);
}

TEST(ProbedCells, CountsInTheCells) {
  struct Cell {
    std::string key;
    int count = 0;
  };
  ProbedCells<Cell> cells;
  size_t used = 0;
  const auto hash = [](const std::string& key) { return key.size(); };  // as bad as can be
  const auto count = [&](const std::string& key) {
    if (4 * (used + 1) > 3 * cells.size())
      cells.Grow(
          4, [](const Cell& c) { return c.count > 0; }, [&](const Cell& c) { return hash(c.key); });
    Cell& cell = cells.Probe(hash(key), [&](const Cell& c) { return c.count == 0 || c.key == key; });
    if (cell.count++ > 0) return;
    cell.key = key;
    ++used;
  };
  for (int i = 0; i < 300; ++i) count(std::to_string(i % 50));
  EXPECT_EQ(used, 50u);
  EXPECT_EQ(cells.size(), 128u);
  for (int i = 0; i < 50; ++i) {
    const std::string key = std::to_string(i);
    const Cell& cell = cells.Probe(hash(key), [&](const Cell& c) { return c.count == 0 || c.key == key; });
    EXPECT_EQ(cell.count, 6);
    EXPECT_EQ(&cells[cells.IndexOf(cell)], &cell);
  }
  cells.Clear();
  for (const Cell& cell : cells.cells()) EXPECT_EQ(cell.count, 0);
}

}  // namespace
}  // namespace graft::engine
