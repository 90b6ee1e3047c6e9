// How much the search of one sentence may keep in memory, whatever beam, pop limit and length of an n-best list are:
// about 2 GB. Default settings stay below a hundredth of it for the longest sentences.
#pragma once

#include <cstddef>

#include "graft/error.h"

namespace graft::engine {

inline constexpr size_t kMostKept = size_t{1} << 25;    // partial translations, and ways to make them
inline constexpr size_t kMostListed = size_t{1} << 22;  // words and steps of the translations of an n-best list

// Throws Error when there is no room for another partial translation, beside so many.
inline void RequireRoom(size_t kept) {
  if (kept >= kMostKept) [[unlikely]]
    throw Error(
        "the search of one sentence needs more than 33,554,432 partial translations; set a smaller search.beam, "
        "search.pop_limit or search.table_limit, or a larger search.threshold");
}

}  // namespace graft::engine
