// The sections of a table file under construction, one after the other, with their sums (table_format.h). The file gets
// its name with Commit (util/unfinished_file.h); without it, it disappears.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "table/table_format.h"
#include "util/spill_file.h"
#include "util/stop_check.h"
#include "util/unfinished_file.h"

namespace graft::engine {

class SectionWriter {
 public:
  // `stop` is asked at every block.
  explicit SectionWriter(const std::string& path, StopCheck stop = {});
  ~SectionWriter();
  SectionWriter(const SectionWriter&) = delete;
  SectionWriter& operator=(const SectionWriter&) = delete;

  // One section at a time. `flags`: table_format::SectionFlags.
  void Begin(uint32_t type, uint16_t encoding, uint16_t flags);
  void Append(const void* data, size_t size);
  void Append(std::string_view bytes) { Append(bytes.data(), bytes.size()); }
  void Append(const SpillFile& bytes);
  template <class T>
  void Put(T value) {
    Append(&value, sizeof value);
  }
  uint64_t bytes() const { return bytes_; }  // of the section so far
  void End(uint64_t items);

  // Appends SUMS, fills the fields of `head` that describe the file, writes page 0, syncs and renames. Returns the size
  // of the file.
  uint64_t Commit(table_format::PageHead head);

 private:
  void FlushBlock();
  void WriteOut(const void* data, size_t size, uint64_t offset);

  struct HashState;
  UnfinishedFile file_;
  StopCheck stop_;
  uint64_t position_ = table_format::kPageBytes;  // in the file, of the start of block_
  uint64_t bytes_ = 0;
  std::vector<uint8_t> block_;
  std::vector<uint64_t> sums_;
  size_t first_sum_ = 0;  // of the current section
  std::unique_ptr<HashState> hash_;
  std::vector<table_format::SectionEntry> directory_;
};

}  // namespace graft::engine
