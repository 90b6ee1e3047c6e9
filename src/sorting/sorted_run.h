// Sorted runs of (key, count) records in temporary files: what CountingSorter writes when its memory is full.
//
// A run is a sequence of blocks, each a zstd frame behind two u32 sizes (compressed, raw) and a sum. A block holds
// front-coded records: varint shared bytes | varint further bytes | further bytes | varint count; nothing is shared
// across blocks.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "util/temporary_file.h"

namespace graft::engine {

struct SortedRun {
  std::shared_ptr<const TemporaryFile> file;
  uint64_t begin = 0;
  uint64_t end = 0;
};

// Appends one run to a file. Keys come in strictly ascending bytewise order.
class RunWriter {
 public:
  RunWriter(std::shared_ptr<TemporaryFile> file, size_t block_bytes);
  void Add(std::string_view key, uint64_t count);
  SortedRun Finish();

 private:
  void FlushBlock();

  std::shared_ptr<TemporaryFile> file_;
  size_t block_bytes_;
  uint64_t begin_;
  std::string block_, compressed_, previous_;
};

class RunReader {
 public:
  explicit RunReader(SortedRun run);
  bool Next();  // false at the end
  void Rewind();
  std::string_view key() const { return keys_[now_]; }  // valid until Next is called twice
  uint64_t count() const { return count_; }

 private:
  bool ReadBlock();

  SortedRun run_;
  uint64_t offset_;
  std::string block_, compressed_;
  std::array<std::string, 2> keys_;  // this and the one before
  size_t now_ = 0;
  size_t position_ = 0;
  uint64_t count_ = 0;
};

}  // namespace graft::engine
