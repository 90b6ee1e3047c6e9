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
#include <vector>

#include "rules/rule.h"
#include "rules/system_spec.h"
#include "table/score_coding.h"

namespace graft::engine {

// Everything of a table that is known before its first rule.
struct TableHeader {
  SystemSpec spec;
  ScoreCoding coding = ScoreCoding::kQ16;
  bool counts = false;                    // entries carry c(t) c(s) c(s,t)
  bool lhs = false;                       // rules have labels on the left-hand side; else all have label 0
  std::vector<std::string> source_words;  // by id
  std::vector<std::string> target_words;
  // Non-terminal labels; label 0 is "X" where the system has non-terminals; else empty.
  std::vector<std::string> labels;
  std::vector<uint32_t> signatures;     // ascending; id = index; every signature of every rule
  std::vector<std::string> alignments;  // link strings as in text, by id
  std::vector<ScoreBook> books;         // q8 only: one per score column
};

struct TableEntry {
  uint32_t lhs = 0;  // label id
  std::vector<TargetSymbol> target;
  uint32_t alignment = 0;  // id
  RuleScores scores;
  RuleCount count_target = 0, count_source = 0, count_joint = 0;  // stored with TableHeader::counts only
};

// The order of entries of one source side: left-hand side, stored p(t|s) falling, then target symbols ascending.
// `--keep` and `prune` cut in this order. Usage: sort by [&](auto& a, auto& b) { return StoredBefore(codec, a, b); }
bool StoredBefore(const ScoreCodec& codec, const TableEntry& a, const TableEntry& b);
bool StoredBefore(const TableEntry& a, const TableEntry& b);  // for scores that are rounded already

// Moves the first `keep` entries of every left-hand side, in their order, to the front and returns how many these are.
size_t KeepBest(uint64_t keep, std::span<TableEntry> stored);

class TableWriter {
 public:
  // Throws Error for a header that no table can have (a word twice, signatures not ascending, …).
  TableWriter(const std::string& path, TableHeader header);
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
