// One level of a trie under construction: what waits until the target lists are written, then LVLk and LPTRk
// (table_format.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "table/section_writer.h"
#include "table/table_format.h"
#include "util/spill_file.h"

namespace graft::engine {

class LevelWriter {
 public:
  // Temporaries are made as `prefix` plus a random ending.
  explicit LevelWriter(const std::string& prefix)
      : keys_(prefix), begins_(prefix), has_rules_(prefix), offsets_(prefix) {}

  // Nodes come in the order of the level. `begin`: the number of its first child in the next level.
  void AddNode(uint64_t begin, bool has_rules);
  // The key of the node added last, in levels from 1, little-endian in key_bytes.
  void AddKey(uint64_t key, int key_bytes);
  // Where the list of the node added last starts.
  void AddList(uint64_t offset);

  // The level as section LVLk; `next`: the level below, if there is one.
  void WriteNodes(int level, int key_bytes, const LevelWriter* next, SectionWriter* out);
  void WriteListPointers(int level, SectionWriter* out);  // LPTRk

  uint64_t nodes() const { return nodes_; }  // of level 0: symbols up to the last one seen

  table_format::LevelStatistics statistics;  // level 0: real nodes
  std::vector<uint64_t> child_keys;          // of the children of the last node

 private:
  SpillFile keys_;
  SpillFile begins_;     // where the children of each node begin
  SpillFile has_rules_;  // 64 nodes a word
  SpillFile offsets_;    // of lists, as varint differences
  uint64_t nodes_ = 0;
  uint64_t last_offset_ = 0;  // of the last list
  uint64_t has_word_ = 0;     // the bits of has_rules_ that do not fill a word yet
};

}  // namespace graft::engine
