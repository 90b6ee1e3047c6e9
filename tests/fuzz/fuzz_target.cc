#include "fuzz/fuzz_target.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>

#include "graft/error.h"
#include "temporary_folder.h"

namespace graft::engine::fuzz {

namespace {

std::vector<FuzzTarget>& Targets() {
  static std::vector<FuzzTarget> targets;
  return targets;
}

// A table is synced to disk when it is complete: in memory that costs nothing.
const TemporaryFolder& Scratch() {
  static const TemporaryFolder folder(access("/dev/shm", W_OK) == 0 ? "/dev/shm"
                                                                    : std::filesystem::temp_directory_path());
  return folder;
}

}  // namespace

void PrintTo(const FuzzTarget& target, std::ostream* out) { *out << target.name; }

bool Register(FuzzTarget target) {
  Targets().push_back(std::move(target));
  return true;
}

std::vector<FuzzTarget> AllTargets() {
  std::vector<FuzzTarget> targets = Targets();
  std::sort(targets.begin(), targets.end(), [](const FuzzTarget& a, const FuzzTarget& b) { return a.name < b.name; });
  return targets;
}

bool Accepts(const std::function<void()>& use) {
  try {
    use();
    return true;
  } catch (const Error& error) {
    Require(*error.what() != '\0', "an error without a message");
    return false;
  }
}

std::string ScratchPath(const std::string& name) { return Scratch().File(name); }

std::string WriteScratch(const std::string& name, std::string_view bytes) {
  return Scratch().Write(name, bytes);  // a table that is still mapped keeps its bytes
}

std::string ReadWhole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<std::string_view> SplitParts(std::string_view bytes, size_t parts) {
  constexpr std::string_view kLine = "=====\n";
  std::vector<std::string_view> found;
  while (found.size() + 1 < parts) {
    const size_t end = bytes.find(kLine);
    found.push_back(bytes.substr(0, end));
    bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + kLine.size());
  }
  found.push_back(bytes);
  return found;
}

uint8_t ByteSource::Byte() {
  if (bytes_.empty()) return 0;
  const auto byte = static_cast<uint8_t>(bytes_.front());
  bytes_.remove_prefix(1);
  return byte;
}

int ByteSource::Below(int end) { return end <= 1 ? 0 : Byte() % end; }

uint32_t ByteSource::Seed() const {
  uint32_t hash = 2166136261u;  // FNV-1a
  for (const char c : bytes_) hash = (hash ^ static_cast<uint8_t>(c)) * 16777619u;
  return hash;
}

}  // namespace graft::engine::fuzz
