#include "building/prune.h"

#include <cmath>
#include <limits>

#include "building/build.h"
#include "graft/error.h"

namespace graft::engine {

TableWriter::Totals PruneTable(const RuleTable& table, const PruneOptions& options, const std::string& path) {
  CheckTableOutput(path);
  if (options.min_count && !table.has_counts())
    throw Error(table.path() + ": has no counts; build it with counts (--counts) to prune by them");
  // Rounded as the table rounds, so that a rule of exactly this probability stays.
  const float lowest = options.min_prob
                           ? table.codec().Round(kPTargetGivenSource, static_cast<float>(std::log(*options.min_prob)))
                           : -std::numeric_limits<float>::infinity();
  TableWriter writer(path, table.header());
  uint64_t left = 0;
  const RuleTable::EntriesVisitor prune = [&](const std::vector<SourceSymbol>& source,
                                              std::vector<TableEntry>* entries) {
    std::erase_if(*entries, [&](const TableEntry& entry) {
      return entry.scores.p_target_given_source < lowest ||
             (options.min_count && entry.count_joint < *options.min_count);
    });
    if (options.keep > 0) entries->resize(KeepBest(options.keep, *entries));
    if (!entries->empty()) writer.Add(source, *entries);
    left += entries->size();
  };
  table.Unchanged([&] { table.ForEachSource(prune); });
  if (left == 0) throw Error(table.path() + ": no rule is left; prune less");
  return writer.Finish();
}

}  // namespace graft::engine
