#include "table/trie_level.h"

#include <bit>
#include <cstring>

namespace graft::engine {

TrieLevel::TrieLevel(const TableFile& file, int level, uint64_t symbols)
    : trie_(file.Take(LevelType(level), kKeyBytes | kShortBegins)), lists_(file.Take(ListPointerType(level))) {
  const bool deepest = level + 1 == file.head().levels;
  key_bytes_ = trie_.encoding() & kKeyBytes;
  short_begins_ = (trie_.encoding() & kShortBegins) != 0;
  if (key_bytes_ != (level == 0 ? 0 : KeyBytes(file.head())) || (deepest && short_begins_))
    trie_.Damaged("the encoding is wrong");
  if (trie_.items() > kMaxNodes || (level == 0 && trie_.items() != symbols))
    trie_.Damaged("the number of nodes is wrong");
  nodes_ = static_cast<uint32_t>(trie_.items());
  begins_at_ = uint64_t{nodes_} * static_cast<uint64_t>(key_bytes_);
  const uint64_t begins = deepest ? 0 : uint64_t{nodes_} + 1;
  rests_at_ = begins_at_ + 4 * ((begins + kBeginGroup - 1) / kBeginGroup);
  if (trie_.bytes() != (short_begins_ ? rests_at_ + 2 * begins : begins_at_ + 4 * begins))
    trie_.Damaged("the size is wrong");

  const auto head = lists_.Load<ListPointerHead>(0);
  list_count_ = head.lists;
  ranks_at_ = sizeof head + 8 * ((uint64_t{nodes_} + 63) / 64);
  const uint64_t offsets_at = ranks_at_ + 8 * ((uint64_t{nodes_} + 1023) / 1024);
  const EliasFanoShape shape{head.lists, head.low_bits, head.high_words};
  if (head.lists != lists_.items() || head.lists > nodes_ || head.low_bits > 63 ||
      head.high_words > lists_.bytes() / 8 || lists_.bytes() != offsets_at + shape.bytes())
    lists_.Damaged("the size is wrong");
  offsets_ = EliasFano(shape, offsets_at);
}

uint64_t TrieLevel::Key(uint32_t node) const {
  const auto bytes = static_cast<uint64_t>(key_bytes_);
  uint64_t key = 0;
  std::memcpy(&key, trie_.At(node * bytes, bytes), bytes);
  return key;
}

// Most nodes have few children: halving stops at 8, which a scan compares faster.
template <int kBytes>
std::optional<uint32_t> TrieLevel::SearchKeys(NodeRange range, uint64_t key) const {
  const uint8_t* first = trie_.At(uint64_t{range.begin} * kBytes, uint64_t{range.size()} * kBytes);
  const auto key_at = [&](uint32_t i) {
    uint64_t value = 0;
    std::memcpy(&value, first + uint64_t{i} * kBytes, kBytes);
    return value;
  };
  uint32_t begin = 0;
  uint32_t end = range.size();
  while (end - begin > 8) {
    const uint32_t middle = begin + (end - begin) / 2;
    (key_at(middle) <= key ? begin : end) = middle;
  }
  for (; begin < end; ++begin)
    if (key_at(begin) == key) return range.begin + begin;
  return std::nullopt;
}

std::optional<uint32_t> TrieLevel::Search(NodeRange range, uint64_t key) const {
  switch (key_bytes_) {
    case 1: return SearchKeys<1>(range, key);
    case 2: return SearchKeys<2>(range, key);
    case 3: return SearchKeys<3>(range, key);
    case 4: return SearchKeys<4>(range, key);
    case 5: return SearchKeys<5>(range, key);
    case 6: return SearchKeys<6>(range, key);
    case 7: return SearchKeys<7>(range, key);
    case 8: return SearchKeys<8>(range, key);
    default: trie_.Damaged("the encoding is wrong");
  }
}

uint64_t TrieLevel::ListOffset(uint32_t node) const {
  uint64_t rank = lists_.Load<uint32_t>(ranks_at_, node / 512);
  const uint64_t last = node / 64;
  for (uint64_t word = last / 8 * 8; word <= last; ++word) {
    uint64_t bits = lists_.Load<uint64_t>(sizeof(ListPointerHead), word);
    if (word == last) bits &= (uint64_t{1} << (node % 64)) - 1;
    rank += static_cast<uint64_t>(std::popcount(bits));
  }
  if (rank >= list_count_) lists_.Damaged("a rank is wrong");
  return offsets_.Value(lists_, rank);
}

}  // namespace graft::engine
