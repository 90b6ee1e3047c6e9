// BIGX: hash index over the children of nodes with many of them (one node of a real table has 42,000). Written by
// big_index_writer.h; read in place, so that walks go through sections that check every access and end in damaged ones.
#pragma once

#include <cstdint>
#include <optional>

#include "table/section.h"

namespace graft::engine {

class BigIndex {
 public:
  BigIndex() = default;
  explicit BigIndex(Section section);

  // The number, within its node, of the child with `key`. `key_of(number)` gives the key of a child; numbers are
  // checked to be below `children`.
  template <class KeyOf>
  std::optional<uint32_t> Find(int level, uint32_t node, uint32_t children, uint64_t key, KeyOf key_of) const {
    const table_format::BigDirectoryEntry entry = Directory(level, node);
    return children < table_format::kWideSlots ? Probe<uint16_t>(entry, children, key, key_of)
                                               : Probe<uint32_t>(entry, children, key, key_of);
  }
  const Section& section() const { return section_; }

 private:
  template <class Slot, class KeyOf>
  std::optional<uint32_t> Probe(const table_format::BigDirectoryEntry& entry, uint32_t children, uint64_t key,
                                KeyOf key_of) const {
    const uint64_t mask = (uint64_t{1} << entry.log2) - 1;
    uint64_t slot = table_format::TopBits(table_format::Spread(key), entry.log2);
    for (uint64_t probes = 0; probes <= mask; ++probes, slot = (slot + 1) & mask) {
      const auto child = section_.Load<Slot>(slots_at_ + entry.first, slot);
      if (child == static_cast<Slot>(table_format::kEmptySlot)) return std::nullopt;
      if (child >= children) section_.Damaged("a hash slot is wrong");
      if (key_of(child) == key) return child;
    }
    return std::nullopt;
  }
  table_format::BigDirectoryEntry Directory(int level, uint32_t node) const;

  Section section_;
  int directory_bits_ = 0;
  uint64_t directory_slots_ = 0, slot_bytes_ = 0, slots_at_ = 0;
};

}  // namespace graft::engine
