// Writes a rule table in one pass (format: table_format.h).
//
//   TableWriter writer("rules.graft", header);
//   for each source side, in trie order:
//     sort its entries by StoredBefore;
//     writer.Add(source, entries);
//   writer.Finish();
//
// Trie order: depth first, children of a node ascending by (symbol id, signature), labels after words, a source side
// before its extensions; in short, lexicographic by SourceSymbol. Every level, and the target lists, only ever grow at
// the end, so nothing is held in memory but one target list, the vocabularies and small directories. Levels wait in
// unnamed temporaries beside the table; the table itself has a temporary name until Finish, so a killed run leaves
// nothing under the final one.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "rules/source_side.h"
#include "table/score_coding.h"
#include "table/table_entry.h"
#include "util/stop_check.h"

namespace graft::engine {

class TableWriter {
 public:
  // Throws Error for a header that no table can have (a word twice, signatures not ascending, …). All calls throw
  // Stopped as `stop` says.
  TableWriter(const std::string& path, TableHeader header, const StopCheck& stop = {});
  ~TableWriter();

  // Rounds and orders scores as this table stores them.
  const ScoreCodec& codec() const;

  // One source side (with raw signatures, not ids) and its entries, in the order in which they are to be stored, those
  // of a left-hand side together and left-hand sides ascending. A source side without entries is not stored. Throws
  // Error for a source side out of order, and for anything that the header does not provide for.
  void Add(std::span<const SourceSymbol> source, std::span<const TableEntry> entries);

  struct Totals {
    uint64_t rules = 0, source_sides = 0, nodes = 0, bytes = 0;
  };
  Totals Finish();  // writes page 0 last, syncs and renames

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace graft::engine
