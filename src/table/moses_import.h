// Moses phrase tables as Graft tables.
//
//   source ||| target ||| p(s|t) lex(s|t) p(t|s) lex(t|s) ||| i-j … ||| c(t) c(s) c(s,t) ||| …
//
// Lines may come in any order; words are taken as they are (`&apos;` stays). Scores become natural logs, never below
// Moses's -100. Alignment and counts may be missing. There is no lexicon, so word ids follow the number of times a word
// occurs in the table, and alignment ids the number of rules that have the alignment; ties bytewise. The system is pbmt
// with the length of the longest phrase, at least 7.
#pragma once

#include <string>

#include "table/build.h"

namespace graft {

struct MosesImportOptions {
  ScoreCoding scores = ScoreCoding::kQ16;
  bool counts = false;  // store them; every line must have three
  uint64_t keep = 0;    // best entries of a source side, 0 = all
};

// A malformed line, not exactly four scores, and phrases of more than 16 words are Errors with file and line; a pair
// that occurs twice is an Error.
TableTotals ImportMoses(const std::string& phrase_table, const MosesImportOptions& options, const WorkOptions& work,
                        const std::string& path, const Reporter& reporter);

}  // namespace graft
