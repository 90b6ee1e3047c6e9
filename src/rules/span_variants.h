// Ways in which the words of a rule take unaligned target words beside their spans: each may grow to the left and to
// the right over words of the unaligned run directly there, as long as spans stay disjoint. Ways are ordered by the
// number of words taken, then by the vector (left, right of the first word, left, right of the second, …); the first
// kMaxVariants are listed.
#pragma once

#include <climits>
#include <cstdint>
#include <span>
#include <vector>

namespace graft::engine {

// Target words from `first` to `last`; none if first > last.
struct TargetSpan {
  int first = INT_MAX, last = -1;

  bool empty() const { return first > last; }
  void Add(int word) {
    first = word < first ? word : first;
    last = word > last ? word : last;
  }
  TargetSpan& operator|=(const TargetSpan& other) {
    if (other.empty()) return *this;
    Add(other.first);
    Add(other.last);
    return *this;
  }
  friend bool operator==(const TargetSpan&, const TargetSpan&) = default;
};

// Keep one per thread: it owns scratch memory.
class SpanVariants {
 public:
  static constexpr size_t kMaxVariants = 16;

  // The target words that have a link.
  void ReadTarget(const std::vector<bool>& aligned);

  // spans: disjoint, each from one aligned word to another; order: their numbers in the order of the target; fixed:
  // those that do not grow. Returns the variants one after the other, each with all spans.
  const std::vector<TargetSpan>& List(std::span<const TargetSpan> spans, std::span<const size_t> order,
                                      const std::vector<bool>& fixed);

 private:
  // A side of a span that may grow.
  struct Side {
    size_t span;
    bool left;
    int most;
    int before = -1;  // an earlier side that grows into the same run from its other end
    bool shared_later = false;
    int taken = 0;
  };
  void ListSides(std::span<const TargetSpan> spans, std::span<const size_t> order, const std::vector<bool>& fixed);
  void Take(size_t side, int words, int room, std::span<const TargetSpan> spans);

  std::vector<int> unaligned_before_, unaligned_after_;  // by target word: length of the unaligned run there
  std::vector<Side> sides_;
  std::vector<int> left_side_, right_side_;  // by span: its sides in sides_, or -1
  std::vector<TargetSpan> variants_;
  size_t listed_ = 0;
};

}  // namespace graft::engine
