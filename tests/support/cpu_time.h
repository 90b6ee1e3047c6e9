// Limits of time in tests: CPU time of the process, since machines are shared, and more of it where a sanitiser
// watches.
#pragma once

#include <ctime>

namespace graft::engine {

inline double CpuSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr double kSlowness = 10;
#else
inline constexpr double kSlowness = 1;
#endif
#else
inline constexpr double kSlowness = 1;
#endif

}  // namespace graft::engine
