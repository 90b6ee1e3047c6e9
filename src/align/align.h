// Word alignment of a parallel corpus: both directions are trained together, decoded and symmetrised.
//
//   AlignTotals totals = AlignCorpus({.source = "train.de", .target = "train.en"}, "train.align", options, reporter);
//
// Methods:
//   hmm   IBM model 1, then an HMM in each direction whose posteriors must agree (the default; src/align/trainer.h)
//   ibm1  IBM model 1 only: a quick look, no word order
//
// Memory: 20 bytes for each pair of words seen together in some sentence pair (29,000 pairs of 12 words: 1 million;
// 1,000,000 pairs of 26 words: 70 million), 4 bytes a word and 24 bytes a pair of the corpus, 64 MiB of buffers; and
// where the limit leaves room, up to 1 GiB to keep what was looked up. Threads add some hundred KiB each.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "align/alignment_score.h"
#include "align/bitext.h"
#include "align/symmetrise.h"
#include "graft/reporter.h"
#include "graft/training_steps.h"

namespace graft::engine {

struct AlignOptions {
  std::string method = graft::AlignOptions().method;
  std::string symmetrise = graft::AlignOptions().symmetrise;
  uint64_t seed = graft::AlignOptions().seed;  // of methods that draw random numbers; those of this version draw none
  std::string gold;                            // gold links to compare with, a line for each pair; empty: none
  int threads = 1;                             // never changes the result
  // A corpus that cannot be aligned within the limit is an Error that says what it needs; 0: no limit.
  uint64_t memory_bytes = 0;
};

const std::vector<std::string>& AlignMethods();

struct AlignTotals {
  uint64_t pairs = 0;
  uint64_t empty = 0;     // pairs with an empty side: no links
  uint64_t too_long = 0;  // pairs with a side of more than kMaxSentenceWords words: no links
  uint64_t links = 0;
  AlignmentScore score;  // if there is gold
  uint64_t skipped() const { return empty + too_long; }
};

// Writes a Pharaoh line for each pair to `output` ("-" is stdout). Throws Error for an unknown method or
// symmetrisation, a corpus without a pair to align, and everything the readers object to.
AlignTotals AlignCorpus(const BitextFiles& files, const std::string& output, const AlignOptions& options,
                        const Reporter& reporter);

// Memory AlignCorpus is likely to need, for plans.
uint64_t EstimateAlignMemory(uint64_t pairs, uint64_t source_words, uint64_t target_words);

}  // namespace graft::engine
