// Every problem of a corpus, found in one pass over its files: what the readers would stop at (invalid UTF-8, CoNLL-U
// structure, links out of range, files of different lengths, files that cannot be read), an empty corpus, and as
// warnings and notes what they accept (byte-order marks, CR LF, pairs that are hardly aligned, empty sentences,
// sentences too long to train on).
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "corpus/source_reader.h"
#include "graft/reporter.h"

namespace graft::engine {

enum class Severity {
  kError,    // the readers stop here
  kWarning,  // the readers change something, or what they read makes little sense
  kNote,     // accepted, but good to know
};

struct Finding {
  Severity severity;
  std::string message;  // `file:line: …`
};

struct CheckOptions {
  std::string source;  // an empty name: not given; at least one of the three must be
  std::string target;
  std::string align;
  SourceFormat format = SourceFormat::kText;  // of the source
  bool words = false;                         // as in SourceOptions: what the links count
  // Copies of the given files without the pairs that have errors go into this folder, under the same names. Kept lines
  // and blocks are copied byte by byte but for line ends and the byte-order mark. Empty: no copies.
  std::string clean_folder;
};

struct CheckSummary {
  uint64_t pairs = 0;      // of the longest file
  uint64_t bad_pairs = 0;  // with an error, or beyond the end of another file
  uint64_t errors = 0;
  uint64_t warnings = 0;
  uint64_t notes = 0;
  bool wrote_clean = false;  // false also when a file could not be read to its end
};

// Calls `found` for every finding, in order of pairs. Throws Error only when the options make no sense or a clean copy
// cannot be written.
CheckSummary CheckCorpus(const CheckOptions& options, const std::function<void(const Finding&)>& found,
                         const Reporter& reporter);

}  // namespace graft::engine
