// `-S 80%`, `-S 4G`, `-S 64M`: a memory limit as the user writes it. Suffixes K M G T are powers of 1024; a bare number
// is bytes; a percentage is of the machine's physical memory (or of the cgroup limit when that is smaller). Throws
// Error on anything else.
#pragma once

#include <cstdint>
#include <string_view>

namespace graft::engine {

uint64_t ParseMemorySize(std::string_view text);

}  // namespace graft::engine
