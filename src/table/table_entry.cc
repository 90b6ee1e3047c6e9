#include "table/table_entry.h"

#include <utility>

namespace graft::engine {
namespace {

bool StoredBefore(float score_a, const TableEntry& a, float score_b, const TableEntry& b) {
  if (a.lhs != b.lhs) return a.lhs < b.lhs;
  if (score_a != score_b) return score_a > score_b;
  return a.target < b.target;
}

}  // namespace

bool StoredBefore(const ScoreCodec& codec, const TableEntry& a, const TableEntry& b) {
  return StoredBefore(codec.Round(kPTargetGivenSource, a.scores.p_target_given_source), a,
                      codec.Round(kPTargetGivenSource, b.scores.p_target_given_source), b);
}

bool StoredBefore(const TableEntry& a, const TableEntry& b) {
  return StoredBefore(a.scores.p_target_given_source, a, b.scores.p_target_given_source, b);
}

size_t KeepBest(uint64_t keep, std::span<TableEntry> stored) {
  size_t kept = 0;
  uint64_t of_lhs = 0;
  uint32_t lhs = 0;
  for (size_t i = 0; i < stored.size(); ++i) {
    if (i == 0 || stored[i].lhs != lhs) of_lhs = 0;
    lhs = stored[i].lhs;
    if (++of_lhs > keep) continue;
    if (kept != i) std::swap(stored[kept], stored[i]);
    ++kept;
  }
  return kept;
}

}  // namespace graft::engine
