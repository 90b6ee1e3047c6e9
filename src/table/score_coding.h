// How the four scores of a rule are stored.
//
//   f32  as they are; below -10000 (log 0 in particular) becomes -10000, above 10000 becomes that, so that sums stay
//        finite
//   q16  code = round(-512 ln p), value -code/512: 0 .. -127.998, error <= 0.001 within; above 0 is 0
//        stored as varint: p = 1, the most frequent value by far, takes one byte
//   q8   the nearest value of a code book of 256, one book a score
//
// Rounding is monotone and idempotent. NaN counts as log 0.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/rule.h"

namespace graft::engine {

enum class ScoreCoding : uint8_t { kF32 = 0, kQ16 = 1, kQ8 = 2 };

std::string_view ScoreCodingName(ScoreCoding coding);  // "f32" "q16" "q8"
ScoreCoding ParseScoreCoding(std::string_view name);   // throws Error
std::vector<std::string> ScoreCodingNames();
inline constexpr int kPTargetGivenSource = 2;  // column of the score that orders entries
inline constexpr int kScoreColumns = 4;        // those of RuleScores, in its order
using ScoreBook = std::array<float, 256>;      // the value of each code, falling

uint16_t Q16Code(float score);
inline float Q16Value(uint16_t code) { return 0.0f - static_cast<float>(code) / 512.0f; }

// A book for the values of one column, given how often each q16 code occurs (65536 counts). Exact when at most 256
// codes occur; otherwise cells of small squared error. The same histogram gives the same book on every machine.
ScoreBook MakeScoreBook(std::span<const uint64_t> q16_histogram);

class ScoreCodec {
 public:
  // `books`: four for q8 (values finite and falling, else Error), none otherwise.
  explicit ScoreCodec(ScoreCoding coding, std::vector<ScoreBook> books = {});

  ScoreCoding coding() const { return coding_; }
  const std::vector<ScoreBook>& books() const { return books_; }

  // The values that are read back.
  float Round(int column, float score) const;
  RuleScores Round(const RuleScores& scores) const;

  // At most kMaxBytes; returns the end.
  static constexpr int kMaxBytes = 20;
  uint8_t* Encode(const RuleScores& scores, uint8_t* to) const;
  // Looks at no more than kMaxBytes; returns the end, or nullptr for bytes that Encode cannot have written.
  const uint8_t* Decode(const uint8_t* from, RuleScores* scores) const;

 private:
  uint8_t Q8Code(int column, float score) const;

  ScoreCoding coding_;
  std::vector<ScoreBook> books_;
};

}  // namespace graft::engine
