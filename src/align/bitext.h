// A parallel corpus as numbers: what an aligner needs of it. Word ids are in order of frequency (ties: first seen), so
// that what is frequent lies together in memory.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "corpus/source_reader.h"
#include "graft/reporter.h"

namespace graft::engine {

struct BitextSide {
  std::vector<uint32_t> words;           // of all sentences
  std::vector<uint64_t> starts = {0};    // sentence k is words[starts[k]] … words[starts[k + 1]]
  std::vector<uint32_t> sentence_count;  // by word id: in how many sentences it occurs

  std::span<const uint32_t> sentence(size_t pair) const {
    return {words.data() + starts[pair], words.data() + starts[pair + 1]};
  }
  int length(size_t pair) const { return static_cast<int>(starts[pair + 1] - starts[pair]); }
  size_t types() const { return sentence_count.size(); }
};

struct Bitext {
  BitextSide source;
  BitextSide target;
  uint64_t empty = 0;     // pairs with an empty side
  uint64_t too_long = 0;  // pairs with a side of more than kMaxSentenceWords words

  // Empty and overlong pairs are there as pairs without words, so that positions agree with lines; what they had:
  struct Skipped {
    size_t pair = 0;
    size_t source_words = 0;
    size_t target_words = 0;
  };
  std::vector<Skipped> skipped;  // in the order of the corpus

  size_t pairs() const { return source.starts.size() - 1; }
};

struct BitextFiles {
  std::string source;
  SourceFormat format = SourceFormat::kText;
  SourceOptions source_options;  // its `lowercase` applies to both sides
  std::string target;
  uint64_t limit = 0;  // only the first N pairs, 0 = all; with a limit the files may differ in length beyond it
};

// Throws Error when the files differ in length, or have no pair that can be aligned.
Bitext ReadBitext(const BitextFiles& files, const Reporter& reporter);

// From words, for tests and small uses.
Bitext MakeBitext(const std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>>& pairs);

}  // namespace graft::engine
