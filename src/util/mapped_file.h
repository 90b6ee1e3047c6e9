// A file mapped read-only into memory.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace graft::engine {

class MappedFile {
 public:
  MappedFile() = default;
  explicit MappedFile(const std::string& path);  // throws Error
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  std::span<const uint8_t> bytes() const { return bytes_; }
  // Tells the system that [offset, offset + size) is read here and there: no read-ahead.
  void ExpectRandomReads(uint64_t offset, uint64_t size) const;

 private:
  std::span<const uint8_t> bytes_;
};

}  // namespace graft::engine
