#include "table/big_index.h"

#include <bit>

namespace graft::engine {

namespace {

constexpr uint64_t kHeadBytes = 16;

}  // namespace

BigIndex::BigIndex(Section section) : section_(std::move(section)) {
  directory_slots_ = section_.Load<uint64_t>(0);
  slot_bytes_ = section_.Load<uint64_t>(8);
  const uint64_t room = section_.bytes() - kHeadBytes;
  if ((directory_slots_ != 0 && !std::has_single_bit(directory_slots_)) ||
      directory_slots_ > room / sizeof(BigDirectoryEntry) ||
      slot_bytes_ != room - directory_slots_ * sizeof(BigDirectoryEntry))
    section_.Damaged("the size does not fit the number of slots");
  directory_bits_ = directory_slots_ == 0 ? 0 : std::countr_zero(directory_slots_);
  slots_at_ = kHeadBytes + directory_slots_ * sizeof(BigDirectoryEntry);
}

BigDirectoryEntry BigIndex::Directory(int level, uint32_t node) const {
  uint64_t slot = TopBits(BigNodeHash(level, node), directory_bits_);
  for (uint64_t probes = 0; probes < directory_slots_; ++probes, slot = (slot + 1) & (directory_slots_ - 1)) {
    const auto entry = section_.Load<BigDirectoryEntry>(kHeadBytes, slot);
    if (entry.used == 0) break;
    if (entry.node != node || entry.level != level) continue;
    if (entry.log2 > 40 || entry.first > slot_bytes_) break;  // Load finds slots beyond the end
    return entry;
  }
  section_.Damaged("a node with many children is missing");
}

}  // namespace graft::engine
