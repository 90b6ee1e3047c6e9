// A table file, opened: page 0, directory and sums are checked, sections can be taken out (table_format.h).
#pragma once

#include <cstdint>
#include <mutex>
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

  // Throws Error if the file was cut short since it was opened; if something was written to it, checks all of it again
  // and throws if it is not what it was. Costs next to nothing when nothing happened.
  void CheckUnchanged() const;

  [[noreturn]] void Damaged(const std::string& what) const;

 private:
  void CheckDirectory();
  void CheckAll() const;  // every section, against the directory in memory
  const table_format::SectionEntry* Find(uint32_t type) const;

  std::string path_;
  MappedFile file_;
  mutable std::mutex checking_;
  table_format::PageHead head_{};
  std::vector<table_format::SectionEntry> directory_;
  std::vector<uint64_t> first_sum_;  // of each section with blocks, in SUMS
  std::vector<uint64_t> sums_;       // SUMS, in memory: later changes of the file cannot vouch for themselves
};

}  // namespace graft::engine
