// KenLM trusts its binary form: an index that points outside, or a hash table without a free slot, makes it read
// foreign memory or never end. This is the check that comes before. It reads the whole file once (about as fast as
// memory gives it) and accepts it if
//   * header, order, counts and sizes agree with each other and with the size of the file;
//   * every hash table has a free slot, and every word id is one of the vocabulary;
//   * the children of every node of a trie lie within the next level, node after node;
//   * every probability and back-off weight is a number that sums of many cannot overflow.
// From there on no query can leave the file, loop, or return what is not a number. Whether the numbers are those that
// somebody estimated only sums can tell (model/file_sums.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace graft::engine {

// Throws Error for a KenLM binary that cannot be used; `path` is how messages name it. `bytes` start with the mark of
// KenLM's binary form (lm::ngram::RecognizeBinary).
void CheckLmBinary(const std::string& path, std::span<const uint8_t> bytes);

}  // namespace graft::engine
