// A table file, opened: page 0, directory and sums are checked, sections can be taken out (table_format.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "table/section.h"
#include "table/table_format.h"
#include "util/mapped_file.h"

namespace graft::engine {

class TableFile {
 public:
  explicit TableFile(const std::string& path);  // throws Error that says what is wrong with the file

  const std::string& path() const { return path_; }
  const table_format::PageHead& head() const { return head_; }
  const std::vector<table_format::SectionEntry>& directory() const { return directory_; }

  // A section that the table must have. One that is not checked by blocks is checked here. `encodings`: the bits that
  // its encoding may have.
  Section Take(uint32_t type, int encodings = 0) const;
  bool Has(uint32_t type) const { return Find(type) != nullptr; }

  [[noreturn]] void Damaged(const std::string& what) const;

 private:
  void CheckDirectory();
  const table_format::SectionEntry* Find(uint32_t type) const;

  std::string path_;
  MappedFile file_;
  table_format::PageHead head_{};
  std::vector<table_format::SectionEntry> directory_;
  std::vector<uint64_t> first_sum_;  // of each section with blocks, in SUMS
  const uint64_t* sums_ = nullptr;
};

}  // namespace graft::engine
