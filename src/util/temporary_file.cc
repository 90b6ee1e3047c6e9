#include "util/temporary_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "graft/error.h"
#include "util/system_error.h"

namespace graft::engine {

std::string TemporaryFile::FolderOr(const std::string& folder) {
  if (!folder.empty()) return folder;
  const char* environment = std::getenv("TMPDIR");
  return environment != nullptr && *environment != '\0' ? environment : "/tmp";
}

TemporaryFile::TemporaryFile(const std::string& prefix, Name name, std::string hint)
    : folder_(std::filesystem::path(prefix).parent_path()), hint_(std::move(hint)), name_(prefix + "XXXXXX") {
  if (folder_.empty()) folder_ = ".";
  descriptor_ = mkostemp(name_.data(), O_CLOEXEC);
  if (descriptor_ < 0) Fail("make");
  if (name == Name::kKept) return;
  unlink(name_.c_str());
  name_.clear();
}

TemporaryFile::~TemporaryFile() {
  if (descriptor_ < 0) return;
  close(descriptor_);
  if (!name_.empty()) unlink(name_.c_str());
}

TemporaryFile::TemporaryFile(TemporaryFile&& other) noexcept
    : folder_(std::move(other.folder_)),
      hint_(std::move(other.hint_)),
      name_(std::move(other.name_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      size_(other.size_) {}

void TemporaryFile::Append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(size_));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) Fail("write");
    size_ += static_cast<uint64_t>(written);
    bytes.remove_prefix(static_cast<size_t>(written));
  }
}

void TemporaryFile::ReadAt(uint64_t offset, char* bytes, size_t size) const {
  while (size > 0) {
    const ssize_t got = pread(descriptor_, bytes, size, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) Fail("read");
    if (got == 0) FailAltered();
    offset += static_cast<uint64_t>(got);
    bytes += got;
    size -= static_cast<size_t>(got);
  }
}

void TemporaryFile::FailAltered() const {
  throw Error(
      folder_ +
      ": a temporary file was altered on disk; check the disk, or choose another folder (TMPDIR), and run again");
}

void TemporaryFile::Fail(std::string_view what) const {
  throw Error(fmt::format("{}: cannot {} a temporary file: {}{}", folder_, what, SystemReason(errno), hint_));
}

}  // namespace graft::engine
