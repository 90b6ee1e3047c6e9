#include "search/future_cost.h"

#include <algorithm>
#include <limits>

namespace graft::engine {

void FutureCost::Build(const OptionSet& options, float gap_weight) {
  best_.clear();
  for (const Unit& unit : options.units()) best_.push_back(options.estimate(unit.first_option));
  Build(options.size(), options.units(), best_, gap_weight);
}

void FutureCost::Build(int words, std::span<const Unit> units, std::span<const float> best_of_unit, float gap_weight) {
  words_ = words;
  const auto n = static_cast<size_t>(words_);
  cost_.assign(n * n, -std::numeric_limits<float>::infinity());
  auto cell = [&](int first, int last) -> float& {
    return cost_[static_cast<size_t>(first) * n + static_cast<size_t>(last)];
  };

  std::vector<std::vector<size_t>> with_gaps(n + 1);  // by span length
  for (size_t u = 0; u < units.size(); ++u) {
    const Unit& unit = units[u];
    if (!unit.contiguous()) {
      const int span = unit.end - unit.start + 1;
      with_gaps[static_cast<size_t>(span)].push_back(u);
      continue;
    }
    float& best = cell(unit.start, unit.end);
    best = std::max(best, best_of_unit[u]);
  }
  for (int length = 1; length <= words_; ++length) {
    for (const size_t u : with_gaps[static_cast<size_t>(length)]) {
      const Unit* unit = &units[u];
      float score = best_of_unit[u] - gap_weight * static_cast<float>(unit->gap);
      uint64_t covered = unit->mask;
      int position = unit->start;
      while (covered != 0) {
        const int run = std::countr_one(covered);
        covered = run < 64 ? covered >> run : 0;
        position += run;
        if (covered == 0) break;
        const int open = std::countr_zero(covered);
        score += cell(position, position + open - 1);
        covered >>= open;
        position += open;
      }
      float& best = cell(unit->start, unit->end);
      best = std::max(best, score);
    }
    for (int first = 0; first + length <= words_; ++first) {
      const int last = first + length - 1;
      float best = cell(first, last);
      for (int split = first; split < last; ++split) best = std::max(best, cell(first, split) + cell(split + 1, last));
      cell(first, last) = best;
    }
  }
}

}  // namespace graft::engine
