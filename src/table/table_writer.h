// Writes a rule table in one pass (format: table_format.h). Source sides must come in trie order: depth first, children
// of a node ascending by (symbol id, signature id), a source side before its extensions. Every level, and the target
// lists, only ever grow at the end, so nothing is held in memory but one target list, the vocabularies and small
// directories.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rules/rule.h"
#include "rules/system_spec.h"

namespace graft {

enum class ScoreCoding : uint8_t { kF32 = 0, kQ16 = 1, kQ8 = 2 };

// q16: code = round(-512 ln p), saturating; the value that is read back.
float RoundToCoding(ScoreCoding coding, float score);

// Everything of a table that is known before its first rule.
struct TableHeader {
  SystemSpec spec;
  ScoreCoding coding = ScoreCoding::kQ16;
  bool counts = false;                    // entries carry c(t) c(s) c(s,t)
  std::vector<std::string> source_words;  // by id
  std::vector<std::string> target_words;
  std::vector<std::string>
      labels;  // non-terminal labels; label 0 is "X" where the system has non-terminals; else empty
  std::vector<uint32_t> signatures;           // ascending; id = index; every signature of every rule
  std::vector<std::string> alignments;        // link strings as in text, by id
  std::vector<std::array<float, 256>> books;  // q8 only: the value of each code, one book per score column
};

struct TableEntry {
  std::vector<TargetSymbol> target;
  uint32_t alignment = 0;  // id
  RuleScores scores;
  RuleCount count_target = 0, count_source = 0, count_joint = 0;  // stored with TableHeader::counts only
};

class TableWriter {
 public:
  TableWriter(const std::string& path, TableHeader header);
  ~TableWriter();

  // One source side (with raw signatures, not ids) and its entries, in the order in which they are to be stored.
  void Add(std::span<const SourceSymbol> source, std::span<const TableEntry> entries);

  struct Totals {
    uint64_t rules = 0, source_sides = 0, nodes = 0, bytes = 0;
  };
  Totals Finish();  // writes page 0 last, syncs and renames

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The order of entries of one source side: stored p(t|s) falling, then target symbols ascending. `--keep` and `prune`
// cut in this order.
bool StoredBefore(ScoreCoding coding, const TableEntry& a, const TableEntry& b);

}  // namespace graft
