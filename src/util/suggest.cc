#include "util/suggest.h"

#include <algorithm>
#include <vector>

namespace graft::engine {
namespace {

char LowerAscii(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Edit distance with swaps of neighbours (optimal string alignment).
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const bool same = LowerAscii(a[i - 1]) == LowerAscii(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && LowerAscii(a[i - 1]) == LowerAscii(b[j - 2]) &&
          LowerAscii(a[i - 2]) == LowerAscii(b[j - 1]))
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

}  // namespace

std::optional<std::string> ClosestName(std::string_view name, std::span<const std::string> candidates) {
  std::optional<std::string> closest;
  size_t fewest = SIZE_MAX;
  for (const std::string& candidate : candidates) {
    const size_t edits = EditDistance(name, candidate);
    if (edits < fewest && edits <= std::max<size_t>(1, std::max(name.size(), candidate.size()) / 3)) {
      closest = candidate;
      fewest = edits;
    }
  }
  return closest;
}

std::string Suggestion(std::string_view name, std::span<const std::string> candidates) {
  if (const auto closest = ClosestName(name, candidates)) return "; did you mean `" + *closest + "`?";
  std::string known = "; known are ";
  for (size_t i = 0; i < candidates.size(); ++i) known += (i == 0 ? "" : ", ") + candidates[i];
  return known;
}

}  // namespace graft::engine
