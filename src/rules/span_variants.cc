// Sums are tried in turn and each vector of a sum is built from its first number on. Only numbers that some vector of
// this sum goes on with are tried, so the work is that of the vectors listed, however many there are.
#include "rules/span_variants.h"

#include <algorithm>

namespace graft::engine {

void SpanVariants::ReadTarget(const std::vector<bool>& aligned) {
  const size_t words = aligned.size();
  unaligned_before_.assign(words, 0);
  unaligned_after_.assign(words, 0);
  for (size_t j = 1; j < words; ++j)
    if (!aligned[j - 1]) unaligned_before_[j] = unaligned_before_[j - 1] + 1;
  for (size_t j = words; j-- > 1;)
    if (!aligned[j]) unaligned_after_[j - 1] = unaligned_after_[j] + 1;
}

const std::vector<TargetSpan>& SpanVariants::List(std::span<const TargetSpan> spans, std::span<const size_t> order,
                                                  const std::vector<bool>& fixed) {
  ListSides(spans, order, fixed);
  int room = 0;  // words that can be taken at all: a run between two sides counts once
  for (const Side& side : sides_) room += side.before < 0 ? side.most : 0;
  variants_.clear();
  listed_ = 0;
  for (int words = 0; words <= room && listed_ < kMaxVariants; ++words) Take(0, words, room, spans);
  return variants_;
}

void SpanVariants::ListSides(std::span<const TargetSpan> spans, std::span<const size_t> order,
                             const std::vector<bool>& fixed) {
  sides_.clear();
  left_side_.assign(spans.size(), -1);
  right_side_.assign(spans.size(), -1);
  for (size_t k = 0; k < spans.size(); ++k) {
    if (fixed[k]) continue;
    if (const int most = unaligned_before_[static_cast<size_t>(spans[k].first)]; most > 0) {
      left_side_[k] = static_cast<int>(sides_.size());
      sides_.push_back({.span = k, .left = true, .most = most});
    }
    if (const int most = unaligned_after_[static_cast<size_t>(spans[k].last)]; most > 0) {
      right_side_[k] = static_cast<int>(sides_.size());
      sides_.push_back({.span = k, .left = false, .most = most});
    }
  }
  for (size_t i = 1; i < order.size(); ++i) {
    const int right = right_side_[order[i - 1]], left = left_side_[order[i]];
    if (right < 0 || left < 0) continue;
    const int between = spans[order[i]].first - spans[order[i - 1]].last - 1;
    if (sides_[static_cast<size_t>(right)].most != between) continue;  // an aligned word between them
    sides_[static_cast<size_t>(std::max(right, left))].before = std::min(right, left);
    sides_[static_cast<size_t>(std::min(right, left))].shared_later = true;
  }
}

// Gives `words` words to the sides from `side` on, which have room for `room`.
void SpanVariants::Take(size_t side, int words, int room, std::span<const TargetSpan> spans) {
  if (listed_ == kMaxVariants) return;
  if (side == sides_.size()) {
    variants_.insert(variants_.end(), spans.begin(), spans.end());
    TargetSpan* variant = variants_.data() + variants_.size() - spans.size();
    for (const Side& grown : sides_) {
      if (grown.left)
        variant[grown.span].first -= grown.taken;
      else
        variant[grown.span].last += grown.taken;
    }
    ++listed_;
    return;
  }
  Side& at = sides_[side];
  const int most = at.before < 0 ? at.most : at.most - sides_[static_cast<size_t>(at.before)].taken;
  // A run shared with a later side keeps what this one leaves of it.
  const int least = at.shared_later ? 0 : std::max(0, words - (room - most));
  for (int taken = least; taken <= std::min(most, words); ++taken) {
    at.taken = taken;
    Take(side + 1, words - taken, room - (at.shared_later ? taken : most), spans);
  }
}

}  // namespace graft::engine
