#include "table/elias_fano.h"

#include <gtest/gtest.h>

#include <random>

#include "util/varint.h"

namespace graft::engine {
namespace {

void ExpectReadsBack(const std::vector<uint64_t>& values, uint64_t bound) {
  const auto shape = EliasFanoShape::For(values.size(), bound);
  std::vector<uint64_t> words;
  WriteEliasFano(
      shape, [&] { return [&values, i = size_t{0}]() mutable { return values[i++]; }; },
      [&](uint64_t word) { words.push_back(word); });
  ASSERT_EQ(words.size() * 8, shape.bytes());
  const Section section("file", "TEST", {reinterpret_cast<const uint8_t*>(words.data()), words.size() * 8}, 0, nullptr);
  const EliasFano code(shape, 0);
  for (size_t i = 0; i < values.size(); ++i) ASSERT_EQ(code.Value(section, i), values[i]) << i;
}

TEST(EliasFanoTest, ReadsBackRandomSequences) {
  std::mt19937_64 random(3);
  ExpectReadsBack({}, 1);
  ExpectReadsBack({0}, 1);
  ExpectReadsBack({UINT64_MAX / 4}, UINT64_MAX / 4 + 1);
  ExpectReadsBack({0, 0, 0, 5}, 6);
  for (uint64_t step : {1u, 2u, 3u, 17u, 64u, 1000u, 1u << 20}) {
    for (size_t n : {1u, 255u, 256u, 257u, 5000u}) {
      std::vector<uint64_t> values;
      uint64_t value = random() % 100;
      for (size_t i = 0; i < n; ++i) {
        // Mostly small steps, at times a long way: levels of a trie look like this.
        values.push_back(value += random() % step + (random() % 500 == 0 ? 100'000 : 0));
      }
      ExpectReadsBack(values, values.back() + 1);
    }
  }
}

TEST(EliasFanoTest, TakesAboutTheBitsItShould) {
  EXPECT_LT(static_cast<double>(EliasFanoShape::For(1'000'000, 35'000'000).bytes()) * 8 / 1e6, 8.0);
}

TEST(VarintTest, ReadsBackAndRefusesWhatDoesNotFit) {
  std::array<uint8_t, 16> bytes{};
  for (int shift = 0; shift < 64; ++shift) {
    for (uint64_t value : {uint64_t{1} << shift, (uint64_t{1} << shift) - 1, UINT64_MAX >> shift}) {
      bytes.fill(0xff);
      const uint8_t* end = WriteVarint(bytes.data(), value);
      uint64_t read = 0;
      EXPECT_EQ(ReadVarint64(bytes.data(), &read), end);
      EXPECT_EQ(read, value);
      uint32_t read32 = 0;
      const uint8_t* end32 = ReadVarint32(bytes.data(), &read32);
      EXPECT_EQ(end32, value <= UINT32_MAX ? end : nullptr);
      if (end32 != nullptr) {
        EXPECT_EQ(read32, value);
      }
    }
  }
  bytes.fill(0xff);
  uint64_t read = 0;
  EXPECT_EQ(ReadVarint64(bytes.data(), &read), nullptr);
}

}  // namespace
}  // namespace graft::engine
