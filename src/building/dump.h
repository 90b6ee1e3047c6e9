// Tables as text and back, exactly.
//
//   #graft dump 1                     version of this form
//   #graft spec name = "pbmt"         the system, a line of its TOML each
//   #graft scores q16
//   #graft flags counts               those set, of: counts lhs
//   #graft book -0.1 -0.2 …           q8 only: four lines of 256 values
//   #graft source WORD                a line each in id order, escaped as in rules; likewise target, label
//   #graft signature 5                in id order
//   #graft alignment 0-0 1-1          in id order
//                                     an empty line
//   LHS ||| source ||| edges ||| target ||| four scores ||| links ||| counts
//
// Rules come in table order. Scores are natural logs, p(s|t) lex(s|t) p(t|s) lex(t|s), printed such that reading gives
// the stored value; counts are c(t) c(s) c(s,t), or nothing.
#pragma once

#include <span>
#include <string>

#include "graft/reporter.h"
#include "table/rule_table.h"
#include "table/table_writer.h"

namespace graft::engine {

void DumpTable(const RuleTable& table, const std::string& path);

// The line of one rule, without its end.
std::string FormatDumpRule(const RuleTable& table, std::span<const SourceSymbol> source, const TableEntry& entry);

// Writes the table that a dump describes: the same bytes as the table it was made from. Anything malformed, and rules
// out of table order, are Errors with file and line.
TableWriter::Totals RestoreTable(const std::string& dump, const std::string& path, const Reporter& reporter);

}  // namespace graft::engine
