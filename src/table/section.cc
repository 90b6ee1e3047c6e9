#include "table/section.h"

#include <xxhash.h>

#include <algorithm>

#include "graft/error.h"

namespace graft::engine {

Section::Section(std::string file, std::string name, std::span<const uint8_t> bytes, uint64_t items,
                 const uint64_t* sums, uint16_t encoding)
    : file_(std::move(file)), name_(std::move(name)), bytes_(bytes), items_(items), sums_(sums), encoding_(encoding) {
  if (sums_ != nullptr) seen_ = std::make_unique<std::atomic<uint64_t>[]>(Blocks(bytes.size()) / 64 + 1);
}

void Section::CheckBlock(uint64_t block) const {
  const uint64_t start = block << kBlockShift;
  const uint64_t size = std::min<uint64_t>(kBlockBytes, bytes_.size() - start);
  if (XXH3_64bits(bytes_.data() + start, size) != sums_[block])
    throw Error(file_ + ": damaged: block " + std::to_string(block) + " of section " + name_ +
                " does not match its checksum; build or copy the table again");
  seen_[block >> 6].fetch_or(uint64_t{1} << (block & 63), std::memory_order_relaxed);
}

void Section::CheckAll(const StopCheck& stop) const {
  if (sums_ == nullptr) return;
  for (uint64_t block = 0; block < Blocks(bytes_.size()); ++block) {
    stop.Poll();
    CheckBlock(block);
  }
}

void Section::Damaged(std::string_view what) const {
  throw Error(file_ + ": damaged: " + std::string(what) + " in section " + name_ + "; build or copy the table again");
}

}  // namespace graft::engine
