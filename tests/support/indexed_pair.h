// Sentence pairs for tests of extraction: word i of a side has id i.
#pragma once

#include <utility>
#include <vector>

#include "rules/unit_pairs.h"

namespace graft::engine::fixtures {

inline IndexedPair Pair(int source_words, int target_words, std::vector<int> heads, std::vector<WordLink> links) {
  IndexedPair pair;
  for (int i = 0; i < source_words; ++i) pair.source.push_back(static_cast<WordId>(i));
  for (int j = 0; j < target_words; ++j) pair.target.push_back(static_cast<WordId>(j));
  pair.heads = std::move(heads);
  pair.links = std::move(links);
  return pair;
}

}  // namespace graft::engine::fixtures
