#include "fuzz/targets/mended_sums.h"

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "table/table_format.h"

namespace graft::engine::fuzz {

void MendSums(std::string* bytes) {
  if (bytes->size() < kPageBytes) return;
  PageHead head;
  std::memcpy(&head, bytes->data(), sizeof head);
  head.file_bytes = bytes->size();
  std::memcpy(bytes->data(), &head, sizeof head);
  std::vector<SectionEntry> directory(std::min<size_t>(head.sections, kMaxSections));
  if (directory.empty()) return;
  char* const place = bytes->data() + sizeof head;
  std::memcpy(directory.data(), place, directory.size() * sizeof(SectionEntry));
  const auto inside = [&](const SectionEntry& entry) {
    return entry.offset <= bytes->size() && entry.bytes <= bytes->size() - entry.offset;
  };
  std::vector<uint64_t> sums;
  for (SectionEntry& entry : directory) {
    if (!inside(entry)) continue;
    const char* const data = bytes->data() + entry.offset;
    if ((entry.flags & kSectionBlocks) == 0) {
      entry.xxh3 = XXH3_64bits(data, entry.bytes);
      continue;
    }
    const size_t first = sums.size();
    for (uint64_t at = 0; at < entry.bytes; at += kBlockBytes)
      sums.push_back(XXH3_64bits(data + at, std::min(kBlockBytes, entry.bytes - at)));
    entry.xxh3 = XXH3_64bits(sums.data() + first, (sums.size() - first) * sizeof(uint64_t));
  }
  for (SectionEntry& entry : directory) {
    if (entry.type != kSums || !inside(entry)) continue;
    if (!sums.empty())
      std::memcpy(bytes->data() + entry.offset, sums.data(), std::min(entry.bytes, sums.size() * sizeof(uint64_t)));
    entry.xxh3 = XXH3_64bits(bytes->data() + entry.offset, entry.bytes);
  }
  std::memcpy(place, directory.data(), directory.size() * sizeof(SectionEntry));
  const uint64_t sum = XXH3_64bits(bytes->data(), kPageSumOffset);
  std::memcpy(bytes->data() + kPageSumOffset, &sum, sizeof sum);
}

}  // namespace graft::engine::fuzz
