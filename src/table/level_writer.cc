#include "table/level_writer.h"

#include <array>
#include <bit>

#include "table/elias_fano.h"
#include "util/varint.h"

namespace graft::engine {

namespace {

// Calls use(index, begin, base of its group) for each.
template <class Use>
void ForEachBegin(const SpillFile& begins, Use use) {
  SpillFile::Reader reader(begins);
  uint32_t base = 0;
  uint64_t index = 0;
  for (uint32_t begin; reader.Read(&begin, sizeof begin) != 0; ++index) {
    if (index % kBeginGroup == 0) base = begin;
    use(index, begin, base);
  }
}

bool BeginsFitShort(const SpillFile& begins) {
  bool fit = true;
  ForEachBegin(begins, [&](uint64_t, uint32_t begin, uint32_t base) { fit &= begin - base <= UINT16_MAX; });
  return fit;
}

void WriteShortBegins(const SpillFile& begins, SectionWriter* out) {
  ForEachBegin(begins, [&](uint64_t index, uint32_t begin, uint32_t) {
    if (index % kBeginGroup == 0) out->Put(begin);
  });
  ForEachBegin(begins, [&](uint64_t, uint32_t begin, uint32_t base) { out->Put(static_cast<uint16_t>(begin - base)); });
}

// The words with, behind them, the ones before every eighth word.
void WriteRankedBits(const SpillFile& bits, SectionWriter* out) {
  std::vector<uint32_t> ranks;
  uint64_t ones = 0;
  uint64_t words = 0;
  SpillFile::Reader reader(bits);
  for (uint64_t word; reader.Read(&word, sizeof word) != 0; ++words) {
    if (words % 8 == 0) ranks.push_back(static_cast<uint32_t>(ones));
    ones += static_cast<uint64_t>(std::popcount(word));
    out->Put(word);
  }
  if (ranks.size() % 2 != 0) ranks.push_back(0);
  out->Append(ranks.data(), ranks.size() * sizeof(uint32_t));
}

}  // namespace

void LevelWriter::AddNode(uint64_t begin, bool has_rules) {
  begins_.Put(static_cast<uint32_t>(begin));
  has_word_ |= uint64_t{has_rules} << (nodes_ % 64);
  if (++nodes_ % 64 == 0) {
    has_rules_.Put(has_word_);
    has_word_ = 0;
  }
}

void LevelWriter::AddKey(uint64_t key, int key_bytes) { keys_.Append(&key, static_cast<size_t>(key_bytes)); }

void LevelWriter::AddList(uint64_t offset) {
  std::array<uint8_t, kMaxVarint64> bytes;
  const uint8_t* end = WriteVarint(bytes.data(), offset - last_offset_);
  offsets_.Append(bytes.data(), static_cast<size_t>(end - bytes.data()));
  last_offset_ = offset;
}

void LevelWriter::WriteNodes(int level, int key_bytes, const LevelWriter* next, SectionWriter* out) {
  if (next != nullptr) begins_.Put(static_cast<uint32_t>(next->nodes_));
  const bool short_begins = level > 0 && next != nullptr && BeginsFitShort(begins_);
  const int encoding = (level > 0 ? key_bytes : 0) | (short_begins ? kShortBegins : 0);
  out->Begin(LevelType(level), static_cast<uint16_t>(encoding), kSectionBlocks);
  out->Append(keys_);
  if (short_begins)
    WriteShortBegins(begins_, out);
  else if (next != nullptr)
    out->Append(begins_);
  out->End(nodes_);
}

void LevelWriter::WriteListPointers(int level, SectionWriter* out) {
  const uint64_t lists = statistics.source_sides;
  const auto shape = EliasFanoShape::For(lists, last_offset_ + 1);
  out->Begin(ListPointerType(level), 0, kSectionBlocks);
  out->Put(ListPointerHead{lists, shape.low_bits, shape.high_words, 0});
  if (nodes_ % 64 != 0) has_rules_.Put(has_word_);
  WriteRankedBits(has_rules_, out);

  const auto offsets = [&] {
    return [reader = SpillFile::Reader(offsets_), offset = uint64_t{0}]() mutable {
      uint64_t difference = 0;
      int byte = 0x80;
      for (int shift = 0; (byte & 0x80) != 0; shift += 7) {
        byte = reader.Byte();
        difference |= static_cast<uint64_t>(byte & 0x7f) << shift;
      }
      return offset += difference;
    };
  };
  WriteEliasFano(shape, offsets, [&](uint64_t word) { out->Put(word); });
  out->End(lists);
}

}  // namespace graft::engine
