// A file in a temporary folder that disappears with this object.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace graft::engine {

class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& folder = "");  // empty: $TMPDIR or /tmp
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& name() const { return name_; }
  int fd() const { return fd_; }

  void Write(std::string_view bytes);  // buffered; throws Error when the disk is full and the like
  void Flush();

  static std::string DefaultFolder();

 private:
  std::string name_;
  std::string buffer_;
  int fd_ = -1;
};

}  // namespace graft::engine
