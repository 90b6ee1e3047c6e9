// Shifts are taken one by one, each time the one that lowers the edit distance most, until none does. A block may be
// moved if the reference has the same words elsewhere, if an edit touches the block and its place in the reference, and
// if that place is not inside the block; the place is known from the word alignment that the edit distance gives.
//
// All candidates of a hypothesis have its length, and differ from it only from some word on: EditDistance keeps the
// rows of the matrix that stay as they are.
#include "eval/ter.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <limits>
#include <optional>

namespace graft::engine {

namespace {

using Words = std::vector<uint32_t>;

constexpr size_t kMaxShiftWords = 10;
constexpr size_t kMaxShiftDistance = 50;
constexpr int kMaxCandidates = 1000;  // in all, for one pair of sentences
constexpr int64_t kBeam = 25;         // cells on each side of the diagonal
constexpr int32_t kInfinity = std::numeric_limits<int32_t>::max() / 2;

enum class Edit : uint8_t { kKeep, kReplace, kInsert, kDelete };  // of the hypothesis, to get the reference

// Levenshtein distance within a band around the line from corner to corner. Only the band is stored: sentences may be
// very long.
class EditDistance {
 public:
  EditDistance(std::span<const uint32_t> reference, size_t hypothesis_length) : reference_(reference) {
    const auto length = static_cast<double>(hypothesis_length);
    const double ratio = hypothesis_length == 0 ? 1.0 : static_cast<double>(reference.size()) / length;
    int64_t beam = kBeam;
    if (kBeam < ratio / 2) beam = static_cast<int64_t>(std::ceil(ratio / 2 + static_cast<double>(kBeam)));
    const auto columns = static_cast<int64_t>(reference.size() + 1);
    size_t cells = 0;
    for (size_t row = 0; row <= hypothesis_length; ++row) {
      const auto diagonal = static_cast<int64_t>(std::floor(static_cast<double>(row) * ratio));
      Row& band = rows_.emplace_back();
      band.cells = cells;
      if (row > 0) band.begin = std::max<int64_t>(0, diagonal - beam);
      band.end = row == 0 || row == hypothesis_length ? columns : std::min(columns, diagonal + beam);
      cells += static_cast<size_t>(band.end - band.begin);
    }
    cells_.resize(cells);
    for (int64_t column = 0; column < columns; ++column)
      cells_[static_cast<size_t>(column)] = {static_cast<int32_t>(column), Edit::kInsert};
  }

  // The distance of `hypothesis`, whose first `same` words are those of the last call.
  int32_t Compute(std::span<const uint32_t> hypothesis, size_t same) {
    for (size_t row = same + 1; row < rows_.size(); ++row) ComputeRow(row, hypothesis[row - 1]);
    return cells_.back().cost;
  }

  // The edits of the last call, from left to right.
  std::vector<Edit> Trace() const {
    std::vector<Edit> trace;
    size_t row = rows_.size() - 1;
    auto column = static_cast<int64_t>(reference_.size());
    while (row > 0 || column > 0) {
      const Edit edit = cells_[rows_[row].cells + static_cast<size_t>(column - rows_[row].begin)].edit;
      trace.push_back(edit);
      if (edit != Edit::kInsert) --row;
      if (edit != Edit::kDelete) --column;
    }
    std::reverse(trace.begin(), trace.end());
    return trace;
  }

 private:
  struct Cell {
    int32_t cost = kInfinity;
    Edit edit = Edit::kKeep;
  };
  struct Row {
    int64_t begin = 0;  // columns of the band
    int64_t end = 0;
    size_t cells = 0;  // where they are in cells_
  };

  void ComputeRow(size_t row, uint32_t word) {
    const Row above = rows_[row - 1];
    const Row here = rows_[row];
    const Cell* from = &cells_[above.cells];
    Cell* to = &cells_[here.cells];
    const auto cost_above = [&](int64_t column) {
      return column >= above.begin && column < above.end ? from[column - above.begin].cost : kInfinity;
    };
    int32_t left = kInfinity;
    for (int64_t column = here.begin; column < here.end; ++column) {
      Cell best{cost_above(column) + 1, Edit::kDelete};
      if (column > 0) {
        const bool equal = word == reference_[static_cast<size_t>(column - 1)];
        const int32_t diagonal = cost_above(column - 1) + (equal ? 0 : 1);
        if (diagonal <= best.cost) best = {diagonal, equal ? Edit::kKeep : Edit::kReplace};
        if (left + 1 < best.cost) best = {left + 1, Edit::kInsert};
      }
      left = best.cost;
      to[column - here.begin] = best;
    }
  }

  std::span<const uint32_t> reference_;
  std::vector<Row> rows_;
  std::vector<Cell> cells_;
};

// What a trace says about both sentences.
struct Alignment {
  std::vector<int64_t>
      hypothesis_word;  // by reference word: the one it is aligned to, or the last before it (-1: none)
  std::vector<bool> reference_edited;
  std::vector<bool> hypothesis_edited;
};

Alignment AlignmentOf(const std::vector<Edit>& trace) {
  Alignment result;
  int64_t word = -1;
  for (const Edit edit : trace) {
    const bool edited = edit != Edit::kKeep;
    if (edit != Edit::kInsert) {
      ++word;
      result.hypothesis_edited.push_back(edited);
    }
    if (edit != Edit::kDelete) {
      result.hypothesis_word.push_back(word);
      result.reference_edited.push_back(edited);
    }
  }
  return result;
}

bool AnyEdited(const std::vector<bool>& edited, size_t begin, size_t length) {
  const auto first = edited.begin() + static_cast<int64_t>(begin);
  return std::find(first, first + static_cast<int64_t>(length), true) != first + static_cast<int64_t>(length);
}

// `length` words from `begin` on go before the word at `target`; a target inside the block moves it that many words to
// the right.
Words Shifted(const Words& words, size_t begin, size_t length, size_t target) {
  Words result = words;
  const auto at = [&result](size_t i) { return result.begin() + static_cast<int64_t>(std::min(i, result.size())); };
  if (target < begin) {
    std::rotate(at(target), at(begin), at(begin + length));
  } else {
    const size_t end = target > begin + length ? target : target + length;
    std::rotate(at(begin), at(begin + length), at(end));
  }
  return result;
}

// Better shifts are greater: more edits saved, then the longer block, then the first block, then the first target.
struct Shift {
  int32_t gain;
  int64_t length;
  int64_t minus_begin;
  int64_t minus_target;

  auto operator<=>(const Shift&) const = default;
};

class ShiftSearch {
 public:
  ShiftSearch(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, const StopCheck& stop)
      : stop_(stop),
        words_(hypothesis.begin(), hypothesis.end()),
        reference_(reference),
        distance_(reference, hypothesis.size()),
        trial_(distance_) {}

  int64_t Run() {
    int32_t cost = distance_.Compute(words_, 0);
    int64_t shifts = 0;
    for (;;) {
      const std::optional<Shift> best = BestShift(cost);
      if (candidates_ >= kMaxCandidates || !best || best->gain <= 0) return shifts + cost;
      words_ = Shifted(words_, static_cast<size_t>(-best->minus_begin), static_cast<size_t>(best->length),
                       static_cast<size_t>(-best->minus_target));
      cost = distance_.Compute(words_, 0);
      ++shifts;
    }
  }

 private:
  std::optional<Shift> BestShift(int32_t cost) {
    const Alignment alignment = AlignmentOf(distance_.Trace());
    std::optional<Shift> best;
    trial_ = distance_;
    changed_ = words_.size();
    for (size_t begin = 0; begin < words_.size(); ++begin) {
      const size_t first_place = begin - std::min(begin, kMaxShiftDistance);
      const size_t end_place = std::min(reference_.size(), begin + kMaxShiftDistance + 1);
      for (size_t place = first_place; place < end_place; ++place) {
        const size_t longest = std::min({kMaxShiftWords, words_.size() - begin, reference_.size() - place});
        for (size_t length = 1; length <= longest && words_[begin + length - 1] == reference_[place + length - 1];
             ++length) {
          if (!AnyEdited(alignment.hypothesis_edited, begin, length)) continue;
          if (!AnyEdited(alignment.reference_edited, place, length)) continue;
          const int64_t aligned = alignment.hypothesis_word[place];
          if (aligned >= static_cast<int64_t>(begin) && aligned < static_cast<int64_t>(begin + length)) continue;
          TryTargets(begin, place, length, cost, alignment, &best);
          if (candidates_ >= kMaxCandidates) return best;
        }
      }
    }
    return best;
  }

  // Before the reference word at `place` and behind each word of the block there.
  void TryTargets(size_t begin, size_t place, size_t length, int32_t cost, const Alignment& alignment,
                  std::optional<Shift>* best) {
    int64_t last = -1;
    for (size_t offset = 0; offset <= length; ++offset) {
      const int64_t target = place + offset == 0 ? 0 : alignment.hypothesis_word[place + offset - 1] + 1;
      if (target == last) continue;
      last = target;
      stop_.Poll();
      const Words shifted = Shifted(words_, begin, length, static_cast<size_t>(target));
      // Rows up to the first word that differs from the hypothesis are the same for both, unless the trial before this
      // changed one of them.
      const size_t first_change = std::min(begin, static_cast<size_t>(target));
      const int32_t gain = cost - trial_.Compute(shifted, std::min(first_change, changed_));
      changed_ = first_change;
      const Shift shift{gain, static_cast<int64_t>(length), -static_cast<int64_t>(begin), -target};
      if (!*best || shift > **best) *best = shift;
      ++candidates_;
    }
  }

  const StopCheck& stop_;
  Words words_;
  std::span<const uint32_t> reference_;
  EditDistance distance_;  // of words_
  EditDistance trial_;     // of the last candidate, which has the first changed_ words of words_
  size_t changed_ = 0;
  int candidates_ = 0;
};

}  // namespace

TerStatistics& TerStatistics::operator+=(const TerStatistics& other) {
  edits += other.edits;
  reference_length += other.reference_length;
  return *this;
}

double Ter(const TerStatistics& statistics) {
  if (statistics.reference_length > 0) return 100 * (statistics.edits / statistics.reference_length);
  return statistics.edits > 0 ? 100 : 0;
}

int64_t TerEdits(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, const StopCheck& stop) {
  if (reference.empty()) return static_cast<int64_t>(hypothesis.size());
  return ShiftSearch(hypothesis, reference, stop).Run();
}

TerStatistics TerOf(std::span<const uint32_t> hypothesis, const std::vector<std::vector<uint32_t>>& references,
                    const StopCheck& stop) {
  int64_t fewest = std::numeric_limits<int64_t>::max();
  size_t length = 0;
  for (const std::vector<uint32_t>& reference : references) {
    fewest = std::min(fewest, TerEdits(hypothesis, reference, stop));
    length += reference.size();
  }
  return {static_cast<double>(fewest), static_cast<double>(length) / static_cast<double>(references.size())};
}

}  // namespace graft::engine
