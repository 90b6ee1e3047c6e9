#include "table/big_index_writer.h"

#include <bit>

#include "util/probed_cells.h"

namespace graft::engine {

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
    directory.Probe(TopBits(BigNodeHash(node.level, node.node), bits),
                    [](const BigDirectoryEntry& entry) { return entry.used == 0; }) = node;
  out->Put<uint64_t>(directory.size());
  out->Put<uint64_t>(slots_.bytes());
  out->Append(directory.cells().data(), directory.cells().size_bytes());
  out->Append(slots_);
}

}  // namespace graft::engine
