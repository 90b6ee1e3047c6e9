// TER (Snover et al. 2006): edits per reference word, where moving a block of words is one edit like inserting,
// deleting or replacing a word. Shifts are searched for greedily with Tercom's limits, as sacreBLEU does it: the number
// of edits is an upper bound, and only the same search gives the same number.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "util/stop_check.h"

namespace graft::engine {

struct TerStatistics {
  double edits = 0;             // to the reference that needs fewest
  double reference_length = 0;  // mean over the references

  TerStatistics& operator+=(const TerStatistics& other);
  friend bool operator==(const TerStatistics&, const TerStatistics&) = default;
};

// 0 and up, 100 times edits per reference word. Without any reference word 100, or 0 if there is nothing to edit.
double Ter(const TerStatistics& statistics);

// Edits from `hypothesis` to `reference`, words as ids.
int64_t TerEdits(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, const StopCheck& stop = {});

// At least one reference. Throws Stopped as `stop` says.
TerStatistics TerOf(std::span<const uint32_t> hypothesis, const std::vector<std::vector<uint32_t>>& references,
                    const StopCheck& stop = {});

}  // namespace graft::engine
