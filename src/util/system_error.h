// Failed calls of the operating system, and of libraries that know no other words, as messages for people: what could
// not be done, with which file, why, and what to do.
#pragma once

#include <cerrno>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>

namespace graft::engine {

// The system's words for a value of errno and, after "; ", what helps against it where something does: "No space left
// on device; free some space, or write elsewhere".
std::string SystemReason(int error);

// Throws Error: "cannot `what` `file`: `reason`".
[[noreturn]] void FailSystem(std::string_view what, std::string_view file, int error = errno);

// Why there is no memory for something, and what to do; `bytes` are those asked for, 0 = unknown. "not enough memory
// for another 2.1 GB: up to 1.4 GB were in use, and the limit of this process (ulimit -v) is 3.0 GB; give …".
std::string MemoryReason(uint64_t bytes = 0);

// Any exception in words: that of an Error as it is, others in the words above.
std::string FailureText(const std::exception& failure);

}  // namespace graft::engine
