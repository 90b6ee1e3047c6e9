// Writes BIGX (big_index.h): the index of a node is made when its children are known, and waits for the others.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "table/section_writer.h"
#include "table/table_format.h"
#include "util/spill_file.h"

namespace graft::engine {

class BigIndexWriter {
 public:
  explicit BigIndexWriter(const std::string& temporary_prefix) : slots_(temporary_prefix) {}
  void Add(int level, uint32_t node, std::span<const uint64_t> child_keys);
  void Write(SectionWriter* out) const;

 private:
  std::vector<table_format::BigDirectoryEntry> nodes_;
  SpillFile slots_;
};

}  // namespace graft::engine
