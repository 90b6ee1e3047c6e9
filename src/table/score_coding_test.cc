#include "table/score_coding.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "graft/error.h"

namespace graft::engine {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(ScoreCodingTest, Names) {
  for (const char* name : {"f32", "q16", "q8"}) EXPECT_EQ(ScoreCodingName(ParseScoreCoding(name)), name);
  EXPECT_THROW(ParseScoreCoding("q4"), Error);
}

TEST(ScoreCodingTest, Q16) {
  EXPECT_EQ(Q16Code(0), 0);
  EXPECT_EQ(Q16Code(0.5f), 0);
  EXPECT_EQ(Q16Code(-1), 512);
  EXPECT_EQ(Q16Code(-0.0009f), 0);
  EXPECT_EQ(Q16Code(-0.001f), 1);
  EXPECT_EQ(Q16Code(-127.9999f), 65535);
  EXPECT_EQ(Q16Code(-128), 65535);
  EXPECT_EQ(Q16Code(-1e30f), 65535);
  EXPECT_EQ(Q16Code(-kInfinity), 65535);
  EXPECT_EQ(Q16Code(std::nanf("")), 65535);
  EXPECT_FALSE(std::signbit(Q16Value(0)));
  for (uint32_t code = 0; code < 65536; ++code)
    EXPECT_EQ(Q16Code(Q16Value(static_cast<uint16_t>(code))), code);  // a dump restores the same codes
}

ScoreCodec Codec(ScoreCoding coding) {
  if (coding != ScoreCoding::kQ8) return ScoreCodec(coding);
  std::vector<uint64_t> histogram(65536);
  std::mt19937_64 random(1);
  for (int i = 0; i < 100'000; ++i)
    ++histogram[Q16Code(
        -std::abs(static_cast<float>(random() % 1'000'000) / 1e5f + static_cast<float>(random() % 100) / 20))];
  return ScoreCodec(coding, std::vector<ScoreBook>(4, MakeScoreBook(histogram)));
}

TEST(ScoreCodingTest, RoundingIsMonotoneIdempotentAndWhatIsReadBack) {
  for (ScoreCoding coding : {ScoreCoding::kF32, ScoreCoding::kQ16, ScoreCoding::kQ8}) {
    const ScoreCodec codec = Codec(coding);
    std::vector<float> scores = {-kInfinity, -1e30f, -20000, -200, -128};
    for (int i = -50'000; i <= 0; ++i) scores.push_back(static_cast<float>(i) / 3000);
    float before = -kInfinity;
    for (float score : scores) {
      const float rounded = codec.Round(2, score);
      EXPECT_GE(rounded, before);
      EXPECT_TRUE(std::isfinite(rounded));
      EXPECT_EQ(codec.Round(2, rounded), rounded);
      before = rounded;
      std::array<uint8_t, ScoreCodec::kMaxBytes> bytes;
      RuleScores read;
      const uint8_t* end = codec.Encode({score, 0, score, -1}, bytes.data());
      EXPECT_EQ(codec.Decode(bytes.data(), &read), end);
      EXPECT_EQ(read.p_target_given_source, rounded);
      EXPECT_EQ(read.p_source_given_target, codec.Round(0, score));
      EXPECT_EQ(read.lex_target_given_source, codec.Round(3, -1));
      if (score > -14 && score < -0.5f) {  // where the values of the book are dense
        EXPECT_NEAR(rounded, score, coding == ScoreCoding::kQ8 ? 0.1 : 0.001);
      }
    }
  }
}

TEST(ScoreCodingTest, F32IsFiniteBothWays) {
  const ScoreCodec codec(ScoreCoding::kF32);
  EXPECT_EQ(codec.Round(0, kInfinity), 10000);
  EXPECT_EQ(codec.Round(0, 0.5f), 0.5f);
  for (const float score : {std::nanf(""), kInfinity, -kInfinity, -10001.0f, 1e30f})
    for (int column = 0; column < 4; ++column) {
      std::array<float, 4> columns{-1, -2, -3, -4};
      columns[static_cast<size_t>(column)] = score;
      std::array<uint8_t, ScoreCodec::kMaxBytes> bytes;
      std::memcpy(bytes.data(), columns.data(), sizeof columns);
      RuleScores read;
      EXPECT_EQ(codec.Decode(bytes.data(), &read), nullptr) << score;
    }
}

TEST(ScoreCodingTest, BooksAreExactForFewValuesAndCloseForMany) {
  std::vector<uint64_t> histogram(65536);
  histogram[0] = 1'000'000;
  histogram[355] = 3;
  histogram[65535] = 1;
  const ScoreBook few = MakeScoreBook(histogram);
  EXPECT_EQ(few[0], 0);
  EXPECT_EQ(few[1], Q16Value(355));
  EXPECT_EQ(few[2], Q16Value(65535));
  EXPECT_EQ(few[255], few[2]);
  const ScoreCodec codec(ScoreCoding::kQ8, std::vector<ScoreBook>(4, few));
  EXPECT_EQ(codec.Round(0, Q16Value(355)), Q16Value(355));
  EXPECT_EQ(codec.Round(0, -0.3f), 0);
  EXPECT_EQ(codec.Round(0, -100), Q16Value(65535));

  for (uint32_t code = 0; code < 10'000; ++code) histogram[code] = 1 + 100'000 / (code + 1);
  const ScoreBook many = MakeScoreBook(histogram);
  EXPECT_EQ(many, MakeScoreBook(histogram));
  double error = 0, total = 0;
  const ScoreCodec lossy(ScoreCoding::kQ8, std::vector<ScoreBook>(4, many));
  for (uint32_t code = 0; code < 10'000; ++code) {
    const float value = Q16Value(static_cast<uint16_t>(code));
    error += static_cast<double>(histogram[code]) * std::abs(lossy.Round(0, value) - value);
    total += static_cast<double>(histogram[code]);
  }
  EXPECT_LT(error / total, 0.02);  // equal cells of the same range: 0.02
  EXPECT_NO_THROW(ScoreCodec(ScoreCoding::kQ8, std::vector<ScoreBook>(4, MakeScoreBook({}))));
}

TEST(ScoreCodingTest, RefusesWrongBooks) {
  EXPECT_THROW(ScoreCodec(ScoreCoding::kQ8, {}), Error);
  EXPECT_THROW(ScoreCodec(ScoreCoding::kQ16, std::vector<ScoreBook>(4)), Error);
  ScoreBook rising{};
  rising[255] = 1;
  EXPECT_THROW(ScoreCodec(ScoreCoding::kQ8, std::vector<ScoreBook>(4, rising)), Error);
  ScoreBook endless{};
  endless.fill(-3e38f);
  EXPECT_THROW(ScoreCodec(ScoreCoding::kQ8, std::vector<ScoreBook>(4, endless)), Error);
}

}  // namespace
}  // namespace graft::engine
