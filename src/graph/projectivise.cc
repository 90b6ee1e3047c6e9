// A lift takes d from its head h to the head of h. So of all sets of descendants only that of h changes, and it loses
// words: an arc that is not projective stays so until it is lifted, and besides the arc of d only those of h can cease
// to be projective, where a word under d stands between their ends. A queue of the arcs that are not projective is all
// there is to keep; nothing is looked for anew after a lift.
//
// A chain of n words may take n²/8 lifts, so each has to be cheap: the descendants of a word are bits, and a lift takes
// those of d from those of h, 64 words at a time.
#include "graph/projectivise.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>

#include "graft/error.h"

namespace graft::engine {

namespace {

// Words in an order in which heads come first, and what is known of the descendants of each without looking at all.
struct Extents {
  explicit Extents(const std::vector<int>& heads) : first(heads.size() + 1), last(heads.size() + 1) {
    const size_t words = heads.size();
    std::vector<int> child(words + 1), sibling(words + 1);
    for (size_t w = words; w >= 1; --w) sibling[w] = std::exchange(child[heads[w - 1]], static_cast<int>(w));
    order.push_back(0);
    for (size_t k = 0; k < order.size(); ++k)
      for (int c = child[order[k]]; c != 0; c = sibling[c]) order.push_back(c);
    std::vector<int> size(words + 1, 1);
    for (size_t w = 0; w <= words; ++w) first[w] = last[w] = static_cast<int>(w);
    for (size_t k = order.size(); --k > 0;) {
      const int w = order[k], h = heads[w - 1];
      all_are_runs &= last[w] - first[w] + 1 == size[w];
      size[h] += size[w];
      first[h] = std::min(first[h], first[w]);
      last[h] = std::max(last[h], last[w]);
    }
  }

  std::vector<int> order;        // 0, the virtual root, is the first
  std::vector<int> first, last;  // by word: descendants, the word included, lie between
  bool all_are_runs = true;      // every word's descendants are a run of words, so all arcs are projective
};

// The descendants of every word, the word itself included.
class Descendants {
 public:
  Descendants(const std::vector<int>& heads, const Extents& extents, const StopCheck& stop)
      : first_(extents.first), last_(extents.last) {
    uint64_t size = 0;
    for (size_t w = 1; w < first_.size(); ++w) {
      row_.push_back(size);
      size += static_cast<uint64_t>(last_[w] / 64 - first_[w] / 64 + 1);
      if (size > kMaxBlocks)
        throw Error("a tree of " + std::to_string(heads.size()) +
                    " words in which too much crosses to make it projective; cut the sentence");
    }
    bits_.resize(size);
    for (size_t k = extents.order.size(); --k > 0;) {
      stop.Poll();
      const int w = extents.order[k], h = heads[w - 1];
      Block(w, w / 64) |= uint64_t{1} << (w % 64);
      if (h != 0)
        for (int b = first_[w] / 64; b <= last_[w] / 64; ++b) Block(h, b) |= Block(w, b);
    }
  }

  // Takes the descendants of d from those of h, which has them.
  void Remove(int h, int d) {
    const int begin = first_[d] / 64, end = last_[d] / 64 + 1;
    uint64_t* from = &Block(h, begin);
    const uint64_t* taken = &Block(d, begin);
    for (int b = 0; b < end - begin; ++b) from[b] &= ~taken[b];
  }

  // Whether all words from `first` to `last` are descendants of h; some words as far on either side are.
  bool HasAll(int h, int first, int last) const {
    for (int b = first / 64; b <= last / 64; ++b)
      if ((~Block(h, b) & Between(b, first, last)) != 0) return false;
    return true;
  }

  // The first and the last descendant of d among words from `first` to `last`, or `none`.
  int First(int d, int first, int last, int none) const {
    first = std::max(first, first_[d]);
    last = std::min(last, last_[d]);
    for (int b = first / 64; first <= last && b <= last / 64; ++b)
      if (const uint64_t found = Block(d, b) & Between(b, first, last)) return 64 * b + std::countr_zero(found);
    return none;
  }
  int Last(int d, int first, int last, int none) const {
    first = std::max(first, first_[d]);
    last = std::min(last, last_[d]);
    for (int b = last / 64; first <= last && b >= first / 64; --b)
      if (const uint64_t found = Block(d, b) & Between(b, first, last)) return 64 * b + 63 - std::countl_zero(found);
    return none;
  }

 private:
  static constexpr uint64_t kMaxBlocks = uint64_t{1} << 26;  // 512 MB: a chain of 90,000 words

  // Of block b, the words from `first` to `last`.
  static uint64_t Between(int b, int first, int last) {
    uint64_t mask = ~uint64_t{0};
    if (b == first / 64) mask &= ~uint64_t{0} << (first % 64);
    if (b == last / 64) mask &= ~uint64_t{0} >> (63 - last % 64);
    return mask;
  }

  uint64_t& Block(int w, int b) { return bits_[row_[w - 1] + static_cast<size_t>(b - first_[w] / 64)]; }
  const uint64_t& Block(int w, int b) const { return bits_[row_[w - 1] + static_cast<size_t>(b - first_[w] / 64)]; }

  const std::vector<int>&first_, &last_;
  std::vector<uint64_t> row_;  // by word less 1: where its blocks start
  std::vector<uint64_t> bits_;
};

// Arcs by length, then dependent.
class ArcQueue {
 public:
  explicit ArcQueue(size_t words) : of_length_(words + 1), used_(words / 64 + 1) {}

  bool empty() const { return size_ == 0; }

  void Push(int length, int dependent) {
    std::vector<int>& arcs = of_length_[length];
    arcs.push_back(dependent);
    std::push_heap(arcs.begin(), arcs.end(), std::greater<>());
    used_[length / 64] |= uint64_t{1} << (length % 64);
    shortest_ = std::min(shortest_, static_cast<size_t>(length / 64));
    ++size_;
  }

  // The dependent of the shortest arc.
  int Pop() {
    while (used_[shortest_] == 0) ++shortest_;
    const size_t length = 64 * shortest_ + static_cast<size_t>(std::countr_zero(used_[shortest_]));
    std::vector<int>& arcs = of_length_[length];
    std::pop_heap(arcs.begin(), arcs.end(), std::greater<>());
    const int dependent = arcs.back();
    arcs.pop_back();
    if (arcs.empty()) used_[shortest_] &= used_[shortest_] - 1;
    --size_;
    return dependent;
  }

 private:
  std::vector<std::vector<int>> of_length_;  // heaps
  std::vector<uint64_t> used_;               // bits: the lengths that there are
  size_t shortest_ = 0;                      // no length before this block
  size_t size_ = 0;
};

// The arcs of a tree that has some to lift.
class Lifter {
 public:
  Lifter(std::vector<int>* heads, const Extents& extents, const StopCheck& stop)
      : heads_(*heads),
        stop_(stop),
        descendants_(*heads, extents, stop),
        waiting_(heads->size()),
        child_(heads->size() + 1),
        next_(heads->size() + 1),
        previous_(heads->size() + 1),
        projective_(heads->size() + 1),
        first_child_(heads->size() + 1),
        last_child_(heads->size() + 1) {
    const int words = static_cast<int>(heads->size());
    for (int w = 0; w <= words; ++w) first_child_[w] = last_child_[w] = w;
    for (int d = 1; d <= words; ++d) Attach(d);
    for (int d = 1; d <= words; ++d) {
      stop_.Poll();
      Enter(d);
    }
  }

  void Run() {
    while (!waiting_.empty()) {
      stop_.Poll();
      const int d = waiting_.Pop();
      const int h = Head(d);
      Detach(d);
      heads_[static_cast<size_t>(d) - 1] = Head(h);
      Attach(d);
      descendants_.Remove(h, d);
      EnterCrossed(h, d);
      Enter(d);
    }
  }

 private:
  int Head(int word) const { return heads_[static_cast<size_t>(word) - 1]; }

  void Attach(int d) {
    const int h = Head(d);
    previous_[d] = 0;
    next_[d] = child_[h];
    if (child_[h] != 0) previous_[child_[h]] = d;
    child_[h] = d;
  }
  void Detach(int d) {
    (previous_[d] == 0 ? child_[Head(d)] : next_[previous_[d]]) = next_[d];
    if (next_[d] != 0) previous_[next_[d]] = previous_[d];
  }

  // Notes what the arc to d is. Arcs from 0 are never lifted.
  void Enter(int d) {
    const int h = Head(d);
    if (h == 0) return;
    const bool among_projective = first_child_[h] <= d && d <= last_child_[h];
    Note(d, among_projective || descendants_.HasAll(h, std::min(h, d), std::max(h, d)));
  }
  void Note(int d, bool projective) {
    const int h = Head(d);
    projective_[d] = projective;
    if (projective) {
      first_child_[h] = std::min(first_child_[h], d);
      last_child_[h] = std::max(last_child_[h], d);
    } else {
      waiting_.Push(std::abs(h - d), d);
    }
  }

  // The arcs of h that were projective, with words under d between their ends, which h has lost.
  void EnterCrossed(int h, int d) {
    const int first = first_child_[h], last = last_child_[h];
    const int left = descendants_.Last(d, first, h, first), right = descendants_.First(d, h, last, last);
    if (left == first && right == last) return;
    first_child_[h] = last_child_[h] = h;
    for (int x = child_[h]; x != 0; x = next_[x])
      if (projective_[x]) Note(x, left <= x && x <= right);
  }

  std::vector<int>& heads_;
  const StopCheck& stop_;
  Descendants descendants_;
  ArcQueue waiting_;
  std::vector<int> child_, next_, previous_;   // the children of a word, in no order
  std::vector<bool> projective_;               // by word: the arc to it
  std::vector<int> first_child_, last_child_;  // by word: its projective arcs reach no farther
};

}  // namespace

bool Projectivise(std::vector<int>* heads, const StopCheck& stop) {
  const Extents extents(*heads);
  if (extents.all_are_runs) return false;
  Lifter(heads, extents, stop).Run();
  return true;
}

}  // namespace graft::engine
