#include "pipeline/resources.h"

#include <malloc.h>
#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>

namespace graft::engine {
namespace {

constexpr uint64_t kKiB = 1024;

uint64_t ChildrenPeak() {
  rusage usage{};
  return getrusage(RUSAGE_CHILDREN, &usage) == 0 ? static_cast<uint64_t>(usage.ru_maxrss) * kKiB : 0;
}

// A line of /proc/self/status in bytes; 0 if there is none.
uint64_t StatusBytes(std::string_view name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(name)) return std::stoull(line.substr(name.size())) * kKiB;
  return 0;
}

uint64_t OwnPeak() {
  if (const uint64_t peak = StatusBytes("VmHWM:")) return peak;
  rusage usage{};
  return getrusage(RUSAGE_SELF, &usage) == 0 ? static_cast<uint64_t>(usage.ru_maxrss) * kKiB : 0;
}

}  // namespace

ResourceMeter::ResourceMeter() : started_(std::chrono::steady_clock::now()), children_before_(ChildrenPeak()) {
  std::ofstream("/proc/self/clear_refs") << "5\n";  // resets VmHWM
}

double ResourceMeter::seconds() const {
  return std::max(0.0, std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count());
}

uint64_t ResourceMeter::peak_bytes() const {
  const uint64_t children = ChildrenPeak();
  return std::max(OwnPeak(), children > children_before_ ? children : 0);
}

uint64_t TrimmedResidentBytes() {
  malloc_trim(0);
  return StatusBytes("VmRSS:");
}

}  // namespace graft::engine
