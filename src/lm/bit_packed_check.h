// One level of a KenLM trie: entries of a word, its weights and the index of the first child, packed bit by bit
// (KenLM's lm/trie.cc, lm/bhiksha.cc, lm/quantize.hh).
#pragma once

#include <cstdint>
#include <span>

namespace graft::engine {

// A weight without its sign, as bits: the order of these numbers is that of the magnitudes, and what is not a number or
// infinite comes last.
inline constexpr uint32_t kMagnitude = 0x7fffffff;
inline constexpr uint32_t kLargestWeight = 0x49742400;  // 10^6; KenLM's own <unk> has 100 where a model has none
uint32_t LargestWeight(std::span<const uint8_t> floats);

struct TrieLevelForm {
  uint64_t words = 0;     // counted unigrams
  uint64_t entries = 0;   // of this level
  uint64_t children = 0;  // entries of the next level
  bool longest = false;   // the last level: no back-off weights, no children
  bool arrays = false;    // the high bits of child indices are in an array of their own
  int array_bits = 0;     // at most so many of them
  int prob_bits = 0;      // of a code, 0 where weights are not quantised
  int backoff_bits = 0;
  std::span<const uint8_t> prob_book, backoff_book;  // floats by code
};

uint64_t TrieLevelBytes(const TrieLevelForm& form);

// What is wrong with the level, nullptr for nothing. `offset`: where it starts in the file, since arrays are aligned.
const char* CheckTrieLevel(const TrieLevelForm& form, uint64_t offset, std::span<const uint8_t> bytes);

}  // namespace graft::engine
