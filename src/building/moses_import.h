// Tables of Moses as Graft tables.
//
//   source ||| target ||| p(s|t) lex(s|t) p(t|s) lex(t|s) ||| i-j … ||| c(t) c(s) c(s,t) ||| …
//
// Lines may come in any order; words are taken as they are (`&apos;` stays). Scores become natural logs, never below
// Moses's -100. In phrase tables alignment and counts may be missing. There is no lexicon, so word ids follow the
// number of times a word occurs in the table, and alignment ids the number of rules that have the alignment; ties
// bytewise.
//
// A phrase table becomes a table of pbmt with the length of the longest phrase, at least 7. A hierarchical one,
//
//   [X][X] im [X][X] . [X] ||| in the [X][X] [X][X] . [X] ||| scores ||| 0-3 1-0 2-2 3-4 ||| …
//
// becomes one of hpbmt; sizes and adjacent non-terminals are those of its rules, the sizes at least the defaults. Which
// non-terminal of the source stands where in the target is said by the alignment, which a rule with non-terminals must
// have; only the links of terminals are kept.
#pragma once

#include <string>

#include "building/build.h"

namespace graft::engine {

struct MosesImportOptions {
  bool hierarchical = false;
  ScoreCoding scores = ScoreCoding::kQ16;
  bool counts = false;  // store them; every line must have three
  uint64_t keep = 0;    // best entries of a source side, 0 = all
};

// A malformed line, not exactly four scores, sides of more than 16 symbols, more than two non-terminals and labels
// other than X are Errors with file and line; a pair that occurs twice is an Error.
TableTotals ImportMoses(const std::string& moses_table, const MosesImportOptions& options, const WorkOptions& work,
                        const std::string& path, const Reporter& reporter);

// Graft's search has the glue rules of Moses built in, so a glue grammar can only be checked: an Error, with file and
// line where there is one, unless it is Moses's three standard rules, in any order.
void CheckMosesGlue(const std::string& glue_grammar, const Reporter& reporter);

}  // namespace graft::engine
