// Threads and memory as the options of the library name them.
#pragma once

#include <cstdint>
#include <string>

namespace graft::internal {

// `threads` as given; 0: as many as the machine has cores.
int ThreadsOf(int threads);

// "80%", "64M", "4G" in bytes. Throws Error for anything else, and for less than 64 KiB.
uint64_t MemoryOf(const std::string& memory);

}  // namespace graft::internal
