// The second half of building: records sorted by source side become a table. Shared by everything that makes tables
// from unsorted rules (build.cc, moses_import.cc).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "building/occurrences.h"
#include "graft/reporter.h"
#include "sorting/counting_sorter.h"
#include "table/table_writer.h"

namespace graft::engine {

struct RuleRecords {
  std::string origin;                  // the file to name in errors
  TableHeader header;                  // without books
  std::vector<CountingSorter> sorted;  // finished; keys are records of packed_rule.h over the header's ids

  // Fills an entry but for its left-hand side and target from the payload and count of a record. Called concurrently.
  std::function<void(std::string_view payload, uint64_t count, TableEntry* entry)> read_entry;
  // Fills in what needs all entries of a source side, which come in the order of their left-hand sides; may be empty.
  std::function<void(std::span<TableEntry> entries)> complete;
};

// Two records of the same left-hand side, source and target are an Error. With q8, the code books are made from all
// records, also those that `keep` (0 = all) drops.
TableWriter::Totals WriteRecords(RuleRecords records, uint64_t keep, const WorkOptions& work, const std::string& path,
                                 const Reporter& reporter);

// Counts alignments within rules by their text and gives out ids: numbers in order of first use while counting, ids by
// falling counts (ties bytewise) at the end.
struct AlignmentIds {
  std::vector<std::string> alignments;  // by id
  std::vector<uint32_t> id_of;          // by number
};
AlignmentIds OrderAlignments(const std::vector<std::string>& texts, const std::vector<uint64_t>& counts);

}  // namespace graft::engine
