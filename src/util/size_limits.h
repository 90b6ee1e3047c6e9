// How large may be what is held in memory as a whole because it cannot be understood in parts. What is larger is an
// Error that names the place and the limit; docs/limits.md lists these and all others.
#pragma once

#include <cstddef>

namespace graft::engine {

inline constexpr size_t kMostLineBytes = 64'000'000;   // a line, a block of CoNLL-U, an input of the library
inline constexpr size_t kMostWholeBytes = 16'000'000;  // a file that is read at once: configurations, ledgers

}  // namespace graft::engine
