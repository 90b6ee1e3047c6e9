// Rule tables from occurrences (systems of the paper, Section on scores):
//
//   p(t|s) = c(s,t)/c(s), p(s|t) = c(s,t)/c(t), lexical weights in both directions with the alignment of the largest
//   total count (tie: bytewise smallest link string).
//
// s is the source side with its edges and labels and, where left-hand sides have labels, with its left-hand side; t is
// the target string with the numbers of its non-terminals.
//
//   TableTotals totals = BuildTable(CountOccurrences(corpus, spec, work, reporter), options, work, "rules.graft",
//                                   reporter);
//
// Two sorts and no table in memory: occurrences sorted by target give c(t) and the alignment of each rule; records
// sorted by source give c(s), the order of the trie and of its entries. Everything that has an id gets it by a rule
// that knows nothing of the way: words by falling link counts, alignments by falling counts over all occurrences (ties
// bytewise), signatures in numeric order, labels bytewise after X. So a corpus, its shards in any order, any number of
// threads and any memory limit give the same bytes.
#pragma once

#include <cstdint>
#include <string>

#include "building/occurrences.h"
#include "graft/reporter.h"
#include "rules/system_spec.h"
#include "table/table_writer.h"

namespace graft::engine {

struct BuildOptions {
  SystemSpec spec;
  ScoreCoding scores = ScoreCoding::kQ16;
  bool counts = false;  // store c(t) c(s) c(s,t)
  uint64_t keep = 0;    // best entries of a source side with its left-hand side, in stored order; 0 = all
};

using TableTotals = TableWriter::Totals;

// Throws Error if no table can be written at `path`; asked before hours of work, and by whatever writes a table.
void CheckTableOutput(const std::string& path);

// "rules.graft: 792175 rules, 330000 source sides, 18.9 bytes a rule".
std::string TotalsText(const std::string& path, const TableTotals& totals);

// Throws Error if there are no occurrences: nobody wants an empty table.
TableTotals BuildTable(Occurrences occurrences, const BuildOptions& options, const WorkOptions& work,
                       const std::string& path, const Reporter& reporter);

}  // namespace graft::engine
