// A file mapped read-only into memory.
//
// Somebody may write to the file while it is mapped (`cp` over it): its pages then show other bytes, and a file that
// got shorter ends the process by SIGBUS. Changed() tells the first; SurviveCutFiles() turns the second into zeros that
// Changed() tells of. A file that is replaced under its name (`mv`) is still there for those who mapped it.
#pragma once

#include <atomic>
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

  enum class Change { kNone, kWritten, kCut };
  // kWritten: the time of its last write is not the one that was accepted, at first that of mapping. kCut: its size is
  // another, or a page of it could not be read and was given as zeros; that never goes away.
  Change Changed() const;
  int64_t WrittenAt() const;  // time of the last write; -1 if the size is not that of the mapping
  void Accept(int64_t written_at) const { written_at_ = written_at; }

  struct Watched;  // what the handler of SIGBUS sees of a mapping

 private:
  std::span<const uint8_t> bytes_;
  int file_ = -1;
  mutable std::atomic<int64_t> written_at_ = 0;
  Watched* watched_ = nullptr;
};

// From now on a page of a mapped file that cannot be read (the file was cut short, the disk fails) reads as zeros
// instead of ending the process. Installs a handler of SIGBUS for the whole process; faults that are no MappedFile's go
// to the handler that was there before.
void SurviveCutFiles();

// While it lives, the calling thread reads `path` through a mapping that is no MappedFile: another library's. Names may
// nest. The string must outlive this object.
class ForeignMapping {
 public:
  explicit ForeignMapping(const std::string& path);
  ~ForeignMapping();
  ForeignMapping(const ForeignMapping&) = delete;
  ForeignMapping& operator=(const ForeignMapping&) = delete;

  // The path of the calling thread's last one, nullptr if there is none. For handlers of SIGBUS.
  static const char* Path() noexcept;

 private:
  const char* before_;
};

}  // namespace graft::engine
