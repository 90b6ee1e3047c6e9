#include "pipeline/resources.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

namespace graft {
namespace {

constexpr uint64_t kKiB = 1024;

uint64_t ChildrenPeak() {
  rusage usage{};
  return getrusage(RUSAGE_CHILDREN, &usage) == 0 ? static_cast<uint64_t>(usage.ru_maxrss) * kKiB : 0;
}

uint64_t OwnPeak() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::stoull(line.substr(6)) * kKiB;
  rusage usage{};
  return getrusage(RUSAGE_SELF, &usage) == 0 ? static_cast<uint64_t>(usage.ru_maxrss) * kKiB : 0;
}

}  // namespace

ResourceMeter::ResourceMeter() : started_(std::chrono::steady_clock::now()), children_before_(ChildrenPeak()) {
  std::ofstream("/proc/self/clear_refs") << "5\n";  // resets VmHWM
}

double ResourceMeter::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
}

uint64_t ResourceMeter::peak_bytes() const {
  const uint64_t children = ChildrenPeak();
  return std::max(OwnPeak(), children > children_before_ ? children : 0);
}

std::string FormatDuration(double seconds) {
  if (seconds < 10) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<uint64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

std::string FormatBytes(uint64_t bytes) {
  const auto size = static_cast<double>(bytes);
  if (size < 1e6) return fmt::format("{:.0f} kB", size / 1e3);
  if (size < 1e9) return fmt::format("{:.0f} MB", size / 1e6);
  return fmt::format("{:.1f} GB", size / 1e9);
}

std::string GroupDigits(uint64_t count) {
  std::string digits = std::to_string(count);
  for (size_t i = digits.size(); i > 3;) digits.insert(i -= 3, ",");
  return digits;
}

}  // namespace graft
