// Time and memory of a stretch of work, for reports.
#pragma once

#include <chrono>
#include <cstdint>

namespace graft::engine {

// Measures from construction on. The kernel keeps one high-water mark a process, so meters do not nest.
class ResourceMeter {
 public:
  ResourceMeter();
  double seconds() const;
  // Most memory held at once since construction, by this process or by a child that ended meanwhile; where the kernel
  // does not let a process reset its mark, since the start of the process.
  uint64_t peak_bytes() const;

 private:
  std::chrono::steady_clock::time_point started_;
  uint64_t children_before_;
};

// Memory that this process holds now. Gives back to the system first what is free, so that the peak of the work that
// follows, less this, is what that work itself needs.
uint64_t TrimmedResidentBytes();

}  // namespace graft::engine
