// A source sentence as a value: what CoNLL-U says of its surface tokens. Plain text has tokens only.
#pragma once

#include <string>
#include <vector>

namespace graft::engine {

struct Sentence {
  std::vector<std::string> tokens;
  std::vector<std::string> tags;       // empty for plain text
  std::vector<int> heads;              // 1-based, 0 = root; empty for plain text
  std::vector<std::string> relations;  // empty for plain text

  int size() const { return static_cast<int>(tokens.size()); }
  bool has_tree() const { return !heads.empty() || tokens.empty(); }
};

// Longest source or target side that is trained on or searched whole.
inline constexpr int kMaxSentenceWords = 250;

}  // namespace graft::engine
