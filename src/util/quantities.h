// Times, sizes and counts as people read them.
#pragma once

#include <cstdint>
#include <string>

namespace graft::engine {

std::string FormatDuration(double seconds);  // "0.4 s", "3 min 05 s", "2 h 03 min"
std::string FormatBytes(uint64_t bytes);     // "31 MB", "1.2 GB"
std::string GroupDigits(uint64_t count);     // "791,935"

}  // namespace graft::engine
