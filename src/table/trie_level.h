// One level of a mapped trie (LVLk and LPTRk of table_format.h).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "table/elias_fano.h"
#include "table/section.h"
#include "table/table_file.h"
#include "table/table_format.h"

namespace graft::engine {

// Nodes begin .. end-1 of a level.
struct NodeRange {
  uint32_t begin = 0, end = 0;
  uint32_t size() const { return end - begin; }
};

class TrieLevel {
 public:
  TrieLevel(const TableFile& file, int level, uint64_t symbols);

  uint32_t nodes() const { return nodes_; }
  const Section& trie() const { return trie_; }
  const Section& list_pointers() const { return lists_; }

  // As stored: the caller checks it against the next level. Not for the deepest level.
  NodeRange Children(uint32_t node) const {
    if (!short_begins_) return trie_.Load<NodeRange>(begins_at_ + 4 * uint64_t{node});
    const auto [first, second] = trie_.Load<std::array<uint16_t, 2>>(rests_at_ + 2 * uint64_t{node});
    const uint64_t next = uint64_t{node} + 1;
    const auto base = trie_.Load<uint32_t>(begins_at_, node / table_format::kBeginGroup);
    const auto next_base = next % table_format::kBeginGroup == 0
                               ? trie_.Load<uint32_t>(begins_at_, next / table_format::kBeginGroup)
                               : base;
    return {base + first, next_base + second};
  }

  uint64_t Key(uint32_t node) const;
  // The node of `range` with `key`; for few nodes.
  std::optional<uint32_t> Search(NodeRange range, uint64_t key) const;

  bool HasRules(uint32_t node) const {
    return (lists_.Load<uint64_t>(sizeof(table_format::ListPointerHead), node / 64) >> (node % 64) & 1) != 0;
  }
  // Where the list of a node that has rules starts.
  uint64_t ListOffset(uint32_t node) const;

 private:
  template <int kBytes>
  std::optional<uint32_t> SearchKeys(NodeRange range, uint64_t key) const;

  Section trie_, lists_;
  uint32_t nodes_ = 0;
  int key_bytes_ = 0;
  bool short_begins_ = false;
  uint64_t begins_at_ = 0, rests_at_ = 0, ranks_at_ = 0;
  uint64_t list_count_ = 0;
  EliasFano offsets_;
};

}  // namespace graft::engine
