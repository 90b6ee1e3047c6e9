// A folder for the files of one test, its own even when tests run in parallel; removed at the end.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace graft::engine {

class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::filesystem::path& root = std::filesystem::temp_directory_path()) {
    std::string pattern = (root / "graft_test_XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make " + pattern);
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string File(const std::string& name) const { return path_ + "/" + name; }

  // Writes the bytes as a new file, whatever has the name already, and returns the file's path.
  std::string Write(const std::string& name, std::string_view bytes) const {
    std::filesystem::remove(File(name));  // truncating instead makes some file systems write to disk at once
    std::ofstream(File(name), std::ios::binary) << bytes;
    return File(name);
  }
  std::string Read(const std::string& name) const {
    std::ifstream file(File(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

 private:
  std::string path_;
};

}  // namespace graft::engine
