#include "table/big_index.h"

#include <bit>

#include "util/probed_cells.h"

namespace graft::engine {

using namespace table_format;

namespace {

constexpr uint64_t kHeadBytes = 16;

uint64_t NodeHash(int level, uint32_t node) { return Spread(static_cast<uint64_t>(level) << 32 | node); }

}  // namespace

void BigIndexWriter::Add(int level, uint32_t node, std::span<const uint64_t> child_keys) {
  ProbedCells<IdSlot> slots(SlotsFor(child_keys.size()));
  const int bits = std::countr_zero(slots.size());
  for (uint32_t child = 0; child < child_keys.size(); ++child)
    slots.Probe(TopBits(Spread(child_keys[child]), bits), [](IdSlot slot) { return slot.id == kEmptySlot; }).id = child;
  nodes_.push_back({node, static_cast<uint8_t>(level), static_cast<uint8_t>(bits), 1, slots_.bytes()});
  if (child_keys.size() < kWideSlots)
    for (const IdSlot slot : slots.cells()) slots_.Put(static_cast<uint16_t>(slot.id));
  else
    slots_.Append(slots.cells().data(), slots.cells().size_bytes());
}

void BigIndexWriter::Write(SectionWriter* out) const {
  ProbedCells<BigDirectoryEntry> directory;
  if (!nodes_.empty()) directory.Reset(SlotsFor(nodes_.size()));
  const int bits = directory.size() == 0 ? 0 : std::countr_zero(directory.size());
  for (const BigDirectoryEntry& node : nodes_)
    directory.Probe(TopBits(NodeHash(node.level, node.node), bits),
                    [](const BigDirectoryEntry& entry) { return entry.used == 0; }) = node;
  out->Put<uint64_t>(directory.size());
  out->Put<uint64_t>(slots_.bytes());
  out->Append(directory.cells().data(), directory.cells().size_bytes());
  SpillFile::Reader reader(slots_);
  std::vector<uint8_t> chunk(kBlockBytes);
  while (const size_t size = reader.Read(chunk.data(), chunk.size())) out->Append(chunk.data(), size);
}

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
  uint64_t slot = TopBits(NodeHash(level, node), directory_bits_);
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
