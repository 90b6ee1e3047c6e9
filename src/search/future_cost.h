// What the uncovered words will cost at best, by contiguous span.
//
// cost[i,j] is the best of a contiguous option over i..j, the best split into two spans, and the best discontinuous
// option that starts at i and ends at j plus the cost of its gaps. The score of an option is its estimate plus the gap
// feature; no jump. Spans are filled by length, so gaps are ready. A discontinuous option whose gap is also cheap
// elsewhere may make the estimate too good; it only orders the beam.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/node_set.h"
#include "search/coverage.h"
#include "search/option_set.h"

namespace graft::engine {

class FutureCost {
 public:
  void Build(const OptionSet& options, float gap_weight);
  // From units and the best estimate of each.
  void Build(int words, std::span<const Unit> units, std::span<const float> best, float gap_weight);

  float Span(int first, int last) const { return cost_[static_cast<size_t>(first) * words_ + last]; }

  // Sum over the maximal uncovered runs.
  float Of(Coverage coverage) const {
    int position = static_cast<int>(coverage.first_gap);
    if (position >= words_) return 0;
    uint64_t covered = coverage.window;
    float sum = 0;
    while (covered != 0) {
      const int open = std::countr_zero(covered);
      sum += Span(position, position + open - 1);
      covered >>= open;
      const int run = std::countr_one(covered);
      covered >>= run;
      position += open + run;
    }
    if (position < words_) sum += Span(position, words_ - 1);
    return sum;
  }
  // The same for the words of `mask`, not empty: bit i = position start + i.
  float Of(int start, uint64_t mask) const {
    float sum = start > 0 ? Span(0, start - 1) : 0;
    int position = start;
    for (;;) {
      const int run = std::countr_one(mask);
      position += run;
      mask = run < 64 ? mask >> run : 0;
      if (mask == 0) break;
      const int open = std::countr_zero(mask);
      sum += Span(position, position + open - 1);
      position += open;
      mask >>= open;
    }
    if (position < words_) sum += Span(position, words_ - 1);
    return sum;
  }
  float Of(const NodeSet& covered) const {
    float sum = 0;
    int position = 0;  // first word after the last covered one seen
    covered.ForEach([&](int word) {
      if (word > position) sum += Span(position, word - 1);
      position = word + 1;
    });
    if (position < words_) sum += Span(position, words_ - 1);
    return sum;
  }

 private:
  int words_ = 0;
  std::vector<float> cost_;  // words x words
  std::vector<float> best_;
};

}  // namespace graft::engine
