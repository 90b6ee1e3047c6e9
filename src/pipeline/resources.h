// Time and memory of a stretch of work, for reports.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace graft {

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

std::string FormatDuration(double seconds);  // "0.4 s", "3 min 05 s", "2 h 03 min"
std::string FormatBytes(uint64_t bytes);     // "31 MB", "1.2 GB"
std::string GroupDigits(uint64_t count);     // "791,935"

}  // namespace graft
