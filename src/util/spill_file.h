// Bytes that are appended now and read back once or more later, in order: kept in memory while few, else in an unnamed
// temporary file, which disappears with the object or the process. What is read back is what was appended, or an Error.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "util/temporary_file.h"

namespace graft::engine {

class SpillFile {
 public:
  // The temporary is made as `prefix` plus a random ending.
  explicit SpillFile(std::string prefix) : prefix_(std::move(prefix)) {}

  void Append(const void* data, size_t size) {
    buffer_.append(static_cast<const char*>(data), size);
    if (buffer_.size() >= kBufferBytes) Flush();
  }
  template <class T>
  void Put(T value) {
    Append(&value, sizeof value);
  }
  uint64_t bytes() const { return flushed() + buffer_.size(); }

  // Reads from the start. No Append while one is in use.
  class Reader {
   public:
    explicit Reader(const SpillFile& file) : file_(file) {}
    // At most `size` bytes; 0 at the end.
    size_t Read(void* to, size_t size);
    // The next byte, or -1.
    int Byte() {
      if (next_ == chunk_.size() && !Fill()) return -1;
      return static_cast<uint8_t>(chunk_[next_++]);
    }

   private:
    bool Fill();
    const SpillFile& file_;
    uint64_t position_ = 0;  // of the end of chunk_
    size_t part_ = 0;        // the next one
    std::string chunk_;
    size_t next_ = 0;
  };

 private:
  static constexpr size_t kBufferBytes = size_t{1} << 18;
  void Flush();
  uint64_t flushed() const { return file_ ? file_->size() : 0; }

  std::string prefix_;
  std::string buffer_;
  std::optional<TemporaryFile> file_;  // what stands before the buffer
  struct Part {
    uint64_t end, sum;
  };
  std::vector<Part> parts_;  // of the file, as they were written
};

}  // namespace graft::engine
