// Aligned sentence pairs from three files that run in step: source (CoNLL-U or text), target (text), Pharaoh links.
// Different lengths, a link out of range and everything SourceReader objects to are Errors with file and line.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/sentence.h"
#include "corpus/source_reader.h"
#include "graft/reporter.h"

namespace graft::engine {

// 0-based word positions, as in Pharaoh's `i-j`.
struct WordLink {
  uint16_t source;
  uint16_t target;
  friend auto operator<=>(const WordLink&, const WordLink&) = default;
};

struct SentencePair {
  Sentence source;
  std::vector<std::string> target;
  std::vector<WordLink> links;  // sorted by source, then target; each once
};

// Reads `0-0 1-2 …`; an empty line means no links. A link given twice counts once. Throws Error without a position;
// callers add file and line.
std::vector<WordLink> ParseLinks(std::string_view line, int source_words, int target_words);

struct CorpusFiles {
  std::string source;
  std::string target;
  std::string align;
  uint64_t limit = 0;  // only the first N pairs, 0 = all; with a limit the files may differ in length beyond it
};

// Trees of more than kMaxSentenceWords, which training skips, are not made projective.
class ParallelCorpus {
 public:
  ParallelCorpus(const CorpusFiles& files, SourceFormat format, SourceOptions options, const Reporter& reporter);
  ~ParallelCorpus();

  bool Next(SentencePair* pair);  // every pair of the corpus, whatever its length
  uint64_t pairs() const;         // read so far

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace graft::engine
