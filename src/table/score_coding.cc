#include "table/score_coding.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>

#include "graft/error.h"
#include "util/suggest.h"
#include "util/varint.h"

namespace graft::engine {
namespace {

constexpr float kLowestF32 = -10000.0f, kHighestF32 = 10000.0f;

std::array<float, 4> Columns(const RuleScores& s) {
  return {s.p_source_given_target, s.lex_source_given_target, s.p_target_given_source, s.lex_target_given_source};
}

RuleScores FromColumns(const std::array<float, 4>& c) { return {c[0], c[1], c[2], c[3]}; }

float ClampF32(float score) { return score > kLowestF32 ? std::min(score, kHighestF32) : kLowestF32; }

}  // namespace

std::string_view ScoreCodingName(ScoreCoding coding) {
  switch (coding) {
    case ScoreCoding::kF32: return "f32";
    case ScoreCoding::kQ16: return "q16";
    case ScoreCoding::kQ8: return "q8";
  }
  return "?";
}

ScoreCoding ParseScoreCoding(std::string_view name) {
  for (ScoreCoding coding : {ScoreCoding::kF32, ScoreCoding::kQ16, ScoreCoding::kQ8})
    if (name == ScoreCodingName(coding)) return coding;
  throw Error("unknown score coding `" + std::string(name) + "`" + Suggestion(name, ScoreCodingNames()));
}

std::vector<std::string> ScoreCodingNames() { return {"q16", "f32", "q8"}; }

uint16_t Q16Code(float score) {
  if (!(score > -128.0f)) return 65535;
  if (score >= 0) return 0;
  const double code = std::floor(-512.0 * static_cast<double>(score) + 0.5);
  return static_cast<uint16_t>(std::min(code, 65535.0));
}

ScoreBook MakeScoreBook(std::span<const uint64_t> q16_histogram) {
  struct Bin {
    double code, count;
  };
  std::vector<Bin> bins;
  for (size_t code = 0; code < q16_histogram.size(); ++code)
    if (q16_histogram[code] != 0) bins.push_back({static_cast<double>(code), static_cast<double>(q16_histogram[code])});

  std::vector<double> centres;
  if (bins.size() <= 256) {
    for (const Bin& bin : bins) centres.push_back(bin.code);
  } else {
    // Cells of equal sums of sqrt(count): between equal widths (bad where values are dense) and equal counts (bad for
    // rare ones). Then Lloyd's iterations; sqrt and sums in a fixed order are the same on every machine.
    double total = 0;
    for (const Bin& bin : bins) total += std::sqrt(bin.count);
    double sum = 0;
    size_t next = 0;
    for (int cell = 0; cell < 256; ++cell) {
      while (next + 1 < bins.size() && sum + std::sqrt(bins[next].count) / 2 < total * (cell + 0.5) / 256)
        sum += std::sqrt(bins[next++].count);
      centres.push_back(bins[next].code);
    }
    for (int iteration = 0; iteration < 40; ++iteration) {
      size_t bin = 0;
      for (size_t cell = 0; cell < centres.size(); ++cell) {
        const double end = cell + 1 < centres.size() ? (centres[cell] + centres[cell + 1]) / 2 : 65536.0;
        double weight = 0, moment = 0;
        for (; bin < bins.size() && bins[bin].code <= end; ++bin) {
          weight += bins[bin].count;
          moment += bins[bin].count * bins[bin].code;
        }
        if (weight > 0) centres[cell] = moment / weight;
      }
    }
  }
  if (centres.empty()) centres.push_back(0);
  centres.resize(256, centres.back());
  ScoreBook book;
  for (size_t code = 0; code < book.size(); ++code) book[code] = static_cast<float>(0.0 - centres[code] / 512.0);
  return book;
}

ScoreCodec::ScoreCodec(ScoreCoding coding, std::vector<ScoreBook> books) : coding_(coding), books_(std::move(books)) {
  if (books_.size() != (coding == ScoreCoding::kQ8 ? static_cast<size_t>(kScoreColumns) : 0))
    throw Error("a table has four code books with q8 scores and none with others, but " +
                std::to_string(books_.size()) + " were given");
  for (const ScoreBook& book : books_)
    for (size_t code = 0; code < book.size(); ++code)
      if (!(book[code] >= kLowestF32 && book[code] <= kHighestF32) || (code > 0 && book[code] > book[code - 1]))
        throw Error("the values of a q8 code book must be falling, and at most 10000 either way");
}

uint8_t ScoreCodec::Q8Code(int column, float score) const {
  const ScoreBook& book = books_[column];
  if (!(score > book[255])) score = book[255];
  const auto below = std::lower_bound(book.begin(), book.end(), score, [](float value, float s) { return value > s; });
  auto code = below - book.begin();  // the first value <= score
  if (code > 0 && book[code - 1] - score <= score - book[code]) {
    // Books of few values repeat the last one, and equal values share the smallest code.
    code = std::lower_bound(book.begin(), below, book[code - 1], [](float value, float s) { return value > s; }) -
           book.begin();
  }
  return static_cast<uint8_t>(code);
}

float ScoreCodec::Round(int column, float score) const {
  switch (coding_) {
    case ScoreCoding::kF32: return ClampF32(score);
    case ScoreCoding::kQ16: return Q16Value(Q16Code(score));
    case ScoreCoding::kQ8: return books_[column][Q8Code(column, score)];
  }
  return score;
}

RuleScores ScoreCodec::Round(const RuleScores& scores) const {
  auto columns = Columns(scores);
  for (int c = 0; c < kScoreColumns; ++c) columns[c] = Round(c, columns[c]);
  return FromColumns(columns);
}

uint8_t* ScoreCodec::Encode(const RuleScores& scores, uint8_t* to) const {
  const auto columns = Columns(scores);
  for (int c = 0; c < kScoreColumns; ++c) {
    switch (coding_) {
      case ScoreCoding::kF32: {
        const float value = ClampF32(columns[c]);
        std::memcpy(to, &value, sizeof value);
        to += sizeof value;
        break;
      }
      case ScoreCoding::kQ16: to = WriteVarint(to, Q16Code(columns[c])); break;
      case ScoreCoding::kQ8: *to++ = Q8Code(c, columns[c]); break;
    }
  }
  return to;
}

const uint8_t* ScoreCodec::Decode(const uint8_t* from, RuleScores* scores) const {
  std::array<float, 4> columns{};
  switch (coding_) {
    case ScoreCoding::kF32:
      std::memcpy(columns.data(), from, sizeof columns);
      from += sizeof columns;
      for (const float column : columns)
        if (!(column >= kLowestF32 && column <= kHighestF32)) return nullptr;  // NaN neither
      break;
    case ScoreCoding::kQ16:
      for (float& column : columns) {
        uint32_t code = 0;
        from = ReadVarint32(from, &code);
        if (from == nullptr || code > UINT16_MAX) return nullptr;
        column = Q16Value(static_cast<uint16_t>(code));
      }
      break;
    case ScoreCoding::kQ8:
      for (int c = 0; c < kScoreColumns; ++c) columns[c] = books_[c][*from++];
      break;
  }
  *scores = FromColumns(columns);
  return from;
}

}  // namespace graft::engine
