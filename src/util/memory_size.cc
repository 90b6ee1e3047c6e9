#include "util/memory_size.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <string>

#include "graft/error.h"

namespace graft::engine {

namespace {

// The number in a control file; none for a missing file and for "max".
std::optional<uint64_t> ReadLimit(const std::string& path) {
  std::ifstream file(path);
  uint64_t limit = 0;
  if (file >> limit) return limit;
  return std::nullopt;
}

// The smallest limit of this process's control groups, those that enclose it included (version 2, then 1).
std::optional<uint64_t> ControlGroupLimit() {
  std::optional<uint64_t> smallest;
  const auto consider = [&](const std::string& path) {
    if (const auto limit = ReadLimit(path)) smallest = std::min(smallest.value_or(*limit), *limit);
  };
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {  // hierarchy:controllers:path
    const size_t first = line.find(':');
    const size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool version2 = controllers.empty();
    if (!version2 && ("," + controllers + ",").find(",memory,") == std::string::npos) continue;
    const std::string root = version2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
    const std::string file = version2 ? "/memory.max" : "/memory.limit_in_bytes";
    std::string group = line.substr(second + 1);
    for (;;) {
      while (!group.empty() && group.back() == '/') group.pop_back();
      consider(root + group + file);
      if (group.empty()) break;
      group.resize(group.rfind('/') == std::string::npos ? 0 : group.rfind('/'));
    }
  }
  return smallest;
}

uint64_t PhysicalMemory() {
  const auto pages = static_cast<uint64_t>(std::max(sysconf(_SC_PHYS_PAGES), 0L));
  const uint64_t installed = pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return std::min(installed, ControlGroupLimit().value_or(installed));
}

[[noreturn]] void Fail(std::string_view text) {
  throw Error("`" + std::string(text) + "` is not a memory size. Write a percentage (80%) or a size (64M, 4G).");
}

}  // namespace

uint64_t ParseMemorySize(std::string_view text) {
  uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || number == 0) Fail(text);
  const std::string_view unit(rest, static_cast<size_t>(end - rest));
  if (unit.empty()) return number;
  if (unit == "%") {
    if (number > 100) Fail(text);
    return static_cast<uint64_t>(static_cast<double>(PhysicalMemory()) / 100.0 * static_cast<double>(number));
  }
  const size_t power = std::string_view("KMGT").find(unit);
  if (power == std::string_view::npos || unit.size() != 1) Fail(text);
  const auto shift = static_cast<int>(10 * (power + 1));
  if (number > (UINT64_MAX >> shift)) Fail(text);
  return number << shift;
}

}  // namespace graft::engine
