// A file that disappears with this object: bytes are appended at its end and read back from anywhere. Without a name it
// disappears with the process too, however that ends; one that another library opens by its name keeps it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace graft::engine {

class TemporaryFile {
 public:
  enum class Name { kNone, kKept };

  // $TMPDIR or /tmp where `folder` is empty.
  static std::string FolderOr(const std::string& folder);
  // Made as `prefix` plus a random ending. Throws Error, as all below. `hint` follows what the message of an error
  // says: what to do when the disk is full and the like.
  explicit TemporaryFile(const std::string& prefix, Name name = Name::kNone, std::string hint = "");
  ~TemporaryFile();
  TemporaryFile(TemporaryFile&& other) noexcept;
  TemporaryFile& operator=(TemporaryFile&&) = delete;

  void Append(std::string_view bytes);  // not buffered
  void ReadAt(uint64_t offset, char* bytes, size_t size) const;
  // What was read is not what was written.
  [[noreturn]] void FailAltered() const;
  uint64_t size() const { return size_; }

  const std::string& name() const { return name_; }  // empty for a file without one
  int descriptor() const { return descriptor_; }

 private:
  [[noreturn]] void Fail(std::string_view what) const;

  std::string folder_, hint_;
  std::string name_;
  int descriptor_ = -1;
  uint64_t size_ = 0;
};

}  // namespace graft::engine
