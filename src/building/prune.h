// Smaller tables: the same table with fewer entries. Vocabularies, alignments, signatures and code books stay, so that
// pruning to N entries gives the bytes of building with `keep` N.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "rules/rule.h"
#include "table/rule_table.h"
#include "table/table_writer.h"

namespace graft::engine {

// An entry stays if it passes every test that is set.
struct PruneOptions {
  uint64_t keep = 0;                 // best entries of a source side with its left-hand side, in stored order; 0 = all
  std::optional<double> min_prob{};  // p(t|s) as stored, at least this
  std::optional<RuleCount> min_count{};  // c(s,t), at least this; needs a table with counts
};

// Throws Error if nothing would be left.
TableWriter::Totals PruneTable(const RuleTable& table, const PruneOptions& options, const std::string& path);

}  // namespace graft::engine
