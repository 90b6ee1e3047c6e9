// Threads, memory and files as the options of the library name them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace graft::internal {

// `threads` as given; 0: as many as the machine has cores.
int ThreadsOf(int threads);

// "80%", "64M", "4G" in bytes. Throws Error for anything else, and for less than 64 KiB.
uint64_t MemoryOf(const std::string& memory);

// Throws Error if more than one of these files is stdin (-).
void RequireOneStdin(const std::vector<std::string>& files);

}  // namespace graft::internal
