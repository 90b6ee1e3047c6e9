// A word is a descendant of h iff its number in a depth-first walk lies in h's interval, so one walk answers every
// "is a descendant" question until the next lift. Each lift brings a word nearer to the root, so the loop ends.
#include "graph/projectivise.h"

#include <algorithm>
#include <cstdlib>

namespace graft::engine {

namespace {

// Numbers words in depth-first order: the descendants of w, w included, have the numbers first[w] .. last[w].
class DescendantIndex {
 public:
  explicit DescendantIndex(const std::vector<int>& heads)
      : child_(heads.size() + 1), sibling_(heads.size() + 1), first_(heads.size() + 1), last_(heads.size() + 1) {
    Number(heads);
  }

  void Number(const std::vector<int>& heads) {
    const int words = static_cast<int>(heads.size());
    std::fill(child_.begin(), child_.end(), 0);
    for (int w = words; w >= 1; --w) {
      sibling_[w] = child_[heads[w - 1]];
      child_[heads[w - 1]] = w;
    }
    int number = 0;
    int at = 0;  // the virtual root
    first_[0] = 0;
    for (;;) {
      if (child_[at] != 0) {
        at = child_[at];
        first_[at] = ++number;
        continue;
      }
      last_[at] = number;
      while (at != 0 && sibling_[at] == 0) {
        at = heads[at - 1];
        last_[at] = number;
      }
      if (at == 0) return;
      at = sibling_[at];
      first_[at] = ++number;
    }
  }

  bool IsDescendant(int word, int of) const { return first_[of] <= first_[word] && first_[word] <= last_[of]; }

 private:
  std::vector<int> child_, sibling_, first_, last_;
};

}  // namespace

bool Projectivise(std::vector<int>* heads) {
  const int words = static_cast<int>(heads->size());
  DescendantIndex index(*heads);
  const auto is_projective = [&](int head, int dependent) {
    for (int w = std::min(head, dependent) + 1; w < std::max(head, dependent); ++w)
      if (!index.IsDescendant(w, head)) return false;
    return true;
  };
  for (bool changed = false;; changed = true) {
    int lift = 0;
    int shortest = words;
    for (int d = 1; d <= words; ++d) {
      const int h = (*heads)[d - 1];
      const int length = std::abs(h - d);
      if (h != 0 && length < shortest && !is_projective(h, d)) {
        lift = d;
        shortest = length;
      }
    }
    if (lift == 0) return changed;
    (*heads)[lift - 1] = (*heads)[(*heads)[lift - 1] - 1];
    index.Number(*heads);
  }
}

}  // namespace graft::engine
