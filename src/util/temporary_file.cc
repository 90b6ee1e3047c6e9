#include "util/temporary_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "graft/error.h"

namespace graft::engine {
namespace {

constexpr size_t kBufferSize = 1 << 20;

}  // namespace

std::string TemporaryFile::DefaultFolder() {
  const char* folder = std::getenv("TMPDIR");
  return folder != nullptr && *folder != '\0' ? folder : "/tmp";
}

TemporaryFile::TemporaryFile(const std::string& folder)
    : name_((folder.empty() ? DefaultFolder() : folder) + "/graft-lm-XXXXXX") {
  fd_ = mkstemp(name_.data());
  if (fd_ < 0) throw Error(name_ + ": cannot create a temporary file: " + std::strerror(errno));
}

TemporaryFile::~TemporaryFile() {
  close(fd_);
  unlink(name_.c_str());
}

void TemporaryFile::Write(std::string_view bytes) {
  buffer_.append(bytes);
  if (buffer_.size() >= kBufferSize) Flush();
}

void TemporaryFile::Flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t written = write(fd_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw Error(name_ + ": cannot write the temporary file: " + std::strerror(errno));
    rest.remove_prefix(static_cast<size_t>(written));
  }
  buffer_.clear();
}

}  // namespace graft::engine
