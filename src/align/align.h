// Word alignment of a parallel corpus, both directions, symmetrised.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "corpus/parallel_corpus.h"
#include "text/reporter.h"

namespace graft {

enum class Symmetrisation { kGrowDiagFinalAnd, kGrowDiagFinal, kGrowDiag, kIntersect, kUnion };
Symmetrisation ParseSymmetrisation(std::string_view name);  // throws Error with a suggestion

struct AlignOptions {
  std::string method;  // empty: the best one
  Symmetrisation symmetrisation = Symmetrisation::kGrowDiagFinalAnd;
  uint64_t seed = 1;
  int threads = 1;  // never changes the result
  uint64_t memory_bytes =
      0;  // 0: no limit; a corpus that cannot be aligned within it is an Error that says what it needs
  bool lowercase = false;
  uint64_t limit = 0;  // only the first N pairs; 0 = all
};

struct AlignTotals {
  uint64_t pairs = 0, skipped = 0;  // skipped: an empty side, or a side of more than kMaxSentenceWords words: no links
  uint64_t links = 0;
};

// Reads source (CoNLL-U or text, by format) and target, writes Pharaoh lines to `output` ("-" is stdout).
AlignTotals AlignCorpus(const std::string& source, SourceFormat format, const SourceOptions& source_options,
                        const std::string& target, const std::string& output, const AlignOptions& options,
                        const Reporter& reporter);

// Memory AlignCorpus would need, for plans.
uint64_t EstimateAlignMemory(uint64_t pairs, uint64_t source_words, uint64_t target_words);

}  // namespace graft
