#include "util/spill_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "graft/error.h"

namespace graft::engine {

SpillFile::~SpillFile() {
  if (file_ >= 0) close(file_);
}

SpillFile::SpillFile(SpillFile&& other) noexcept
    : prefix_(std::move(other.prefix_)),
      buffer_(std::move(other.buffer_)),
      flushed_(other.flushed_),
      file_(std::exchange(other.file_, -1)) {}

void SpillFile::Flush() {
  if (file_ < 0) {
    std::string name = prefix_ + ".XXXXXX";
    file_ = mkostemp(name.data(), O_CLOEXEC);
    if (file_ < 0) throw Error(name + ": cannot make a temporary file: " + std::strerror(errno));
    unlink(name.c_str());
  }
  for (size_t done = 0; done < buffer_.size();) {
    const ssize_t written = write(file_, buffer_.data() + done, buffer_.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw Error(prefix_ + ": cannot write a temporary file: " + std::strerror(errno));
    done += static_cast<size_t>(written);
  }
  flushed_ += buffer_.size();
  buffer_.clear();
}

bool SpillFile::Reader::Fill() {
  const uint64_t left = file_.bytes() - position_;
  if (left == 0) return false;
  next_ = 0;
  if (position_ >= file_.flushed_) {
    const auto from = file_.buffer_.begin() + static_cast<ptrdiff_t>(position_ - file_.flushed_);
    chunk_.assign(from, file_.buffer_.end());
  } else {
    chunk_.resize(std::min<uint64_t>(kBufferBytes, file_.flushed_ - position_));
    ssize_t got = 0;
    do got = pread(file_.file_, chunk_.data(), chunk_.size(), static_cast<off_t>(position_));
    while (got < 0 && errno == EINTR);
    if (got <= 0) throw Error(file_.prefix_ + ": cannot read a temporary file back: " + std::strerror(errno));
    chunk_.resize(static_cast<size_t>(got));
  }
  position_ += chunk_.size();
  return true;
}

size_t SpillFile::Reader::Read(void* to, size_t size) {
  size_t done = 0;
  while (done < size && (next_ < chunk_.size() || Fill())) {
    const size_t part = std::min(size - done, chunk_.size() - next_);
    std::memcpy(static_cast<uint8_t*>(to) + done, chunk_.data() + next_, part);
    next_ += part;
    done += part;
  }
  return done;
}

}  // namespace graft::engine
