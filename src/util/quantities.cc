#include "util/quantities.h"

#include <fmt/format.h>

#include <cmath>

namespace graft::engine {

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

}  // namespace graft::engine
