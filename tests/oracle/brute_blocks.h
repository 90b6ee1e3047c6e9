// Brute force for the rules of heads with their dependents (systems.md, Dep2Str): every set of elements is tried as a
// block, every set as an inner block, every way to widen spans; target spans are sets of bits.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "oracle/brute_force.h"

namespace graft::engine::oracle {

struct Occurrence {
  RuleLine line;
  std::vector<std::string> source, target;  // the words
  std::vector<std::pair<int, int>> links;   // over these words
};

std::string Escaped(const std::string& word);
void AppendWord(const std::string& word, std::string* text);

// Whether the words (bits) are those of a block that the system has; heads: 1-based, 0 = root.
bool IsBlock(const std::vector<int>& heads, const SystemSpec& spec, uint32_t words);

std::vector<Occurrence> BlockOccurrences(const Example& example, const std::vector<int>& heads, const SystemSpec& spec);

}  // namespace graft::engine::oracle
