// Sums of counts that come from outside.
#pragma once

#include <cstdint>

#include "graft/error.h"

namespace graft::engine {

// Throws Error instead of wrapping.
inline void AddCount(uint64_t count, uint64_t* sum) {
  if (__builtin_add_overflow(*sum, count, sum)) [[unlikely]]
    throw Error(
        "the counts of one rule, or of one side of it, add up to more than there is room for; what counts so much?");
}

}  // namespace graft::engine
