#include "align/symmetrise.h"

#include <algorithm>
#include <array>
#include <utility>

#include "graft/error.h"
#include "util/suggest.h"

namespace graft::engine {

namespace {

class Grower {
 public:
  Grower(const DirectionalAlignment& source_choice, const DirectionalAlignment& target_choice)
      : source_choice_(source_choice),
        target_choice_(target_choice),
        sources_(static_cast<int>(source_choice.size())),
        targets_(static_cast<int>(target_choice.size())),
        taken_(source_choice.size() * target_choice.size()),
        source_covered_(source_choice.size()),
        target_covered_(target_choice.size()) {
    for (int i = 0; i < sources_; ++i)
      if (source_choice_[i] != kUnaligned && target_choice_[source_choice_[i]] == i) Take(source_choice_[i], i);
  }

  void GrowDiagonally() {
    static constexpr std::array<std::pair<int, int>, 8> kNeighbours = {
        {{-1, 0}, {0, -1}, {1, 0}, {0, 1}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}}};
    bool changed = true;
    while (changed) {
      changed = false;
      for (int t = 0; t < targets_; ++t) {
        for (int s = 0; s < sources_; ++s) {
          if (!taken_[Cell(t, s)]) continue;
          for (const auto& [down, right] : kNeighbours) {
            const int target = t + down;
            const int source = s + right;
            if (target < 0 || target >= targets_ || source < 0 || source >= sources_) continue;
            if (!InUnion(target, source) || (target_covered_[target] && source_covered_[source])) continue;
            Take(target, source);
            changed = true;
          }
        }
      }
    }
  }

  void Final(bool both_uncovered) {
    const auto wanted = [&](int t, int s) {
      return both_uncovered ? !target_covered_[t] && !source_covered_[s] : !target_covered_[t] || !source_covered_[s];
    };
    for (int t = 0; t < targets_; ++t) {
      const int s = target_choice_[t];
      if (s != kUnaligned && wanted(t, s)) Take(t, s);
    }
    std::vector<std::pair<int, int>> chosen_by_source;
    for (int s = 0; s < sources_; ++s)
      if (source_choice_[s] != kUnaligned) chosen_by_source.emplace_back(source_choice_[s], s);
    std::sort(chosen_by_source.begin(), chosen_by_source.end());
    for (const auto& [t, s] : chosen_by_source)
      if (wanted(t, s)) Take(t, s);
  }

  void TakeUnion() {
    for (int t = 0; t < targets_; ++t)
      if (target_choice_[t] != kUnaligned) Take(t, target_choice_[t]);
    for (int s = 0; s < sources_; ++s)
      if (source_choice_[s] != kUnaligned) Take(source_choice_[s], s);
  }

  std::vector<WordLink> Links() const {
    std::vector<WordLink> links;
    for (int s = 0; s < sources_; ++s)
      for (int t = 0; t < targets_; ++t)
        if (taken_[Cell(t, s)]) links.push_back({static_cast<uint16_t>(s), static_cast<uint16_t>(t)});
    return links;
  }

 private:
  size_t Cell(int target, int source) const { return static_cast<size_t>(target) * sources_ + source; }
  bool InUnion(int target, int source) const {
    return target_choice_[target] == source || source_choice_[source] == target;
  }
  void Take(int target, int source) {
    taken_[Cell(target, source)] = 1;
    target_covered_[target] = 1;
    source_covered_[source] = 1;
  }

  const DirectionalAlignment& source_choice_;
  const DirectionalAlignment& target_choice_;
  int sources_;
  int targets_;
  std::vector<uint8_t> taken_;
  std::vector<uint8_t> source_covered_;
  std::vector<uint8_t> target_covered_;
};

}  // namespace

const std::vector<std::string>& SymmetrisationNames() {
  static const std::vector<std::string> names = {"grow-diag-final-and", "grow-diag-final", "grow-diag", "intersect",
                                                 "union"};
  return names;
}

Symmetrisation ParseSymmetrisation(std::string_view name) {
  const std::vector<std::string>& names = SymmetrisationNames();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw Error("unknown symmetrisation `" + std::string(name) + "`" + Suggestion(name, names));
  return static_cast<Symmetrisation>(found - names.begin());
}

std::vector<WordLink> Symmetrise(const DirectionalAlignment& source_choice, const DirectionalAlignment& target_choice,
                                 Symmetrisation method) {
  Grower grower(source_choice, target_choice);
  switch (method) {
    case Symmetrisation::kIntersect: break;
    case Symmetrisation::kUnion: grower.TakeUnion(); break;
    case Symmetrisation::kGrowDiag: grower.GrowDiagonally(); break;
    case Symmetrisation::kGrowDiagFinal:
    case Symmetrisation::kGrowDiagFinalAnd:
      grower.GrowDiagonally();
      grower.Final(method == Symmetrisation::kGrowDiagFinalAnd);
      break;
  }
  return grower.Links();
}

}  // namespace graft::engine
