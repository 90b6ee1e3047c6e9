// What a table is made of, as its writer gets it and as its reader gives it back: the header, and the entries of a
// source side with their order.
#pragma once

#include <cstdint>
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

}  // namespace graft::engine
