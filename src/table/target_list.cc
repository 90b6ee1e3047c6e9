#include "table/target_list.h"

#include <algorithm>

#include "table/table_format.h"
#include "util/varint.h"

namespace graft::engine {

namespace {

RuleCount DecodedCount(uint64_t coded) { return (coded & 1) != 0 ? coded >> 1 : (coded >> 1) * kOneOccurrence; }

}  // namespace

// Decodes a list from verified bytes, entry by entry.
class TargetListSection::Cursor {
 public:
  Cursor(const Section& lists, uint64_t offset) : lists_(lists), offset_(offset) {
    if (offset >= lists.items()) lists.Damaged("a list starts outside");
    Ensure();
  }
  // Makes room for one more entry: from here no check for the end is needed.
  void Ensure() {
    if (offset_ >= lists_.items()) lists_.Damaged("a list runs over the end");
    if (at_ == nullptr || end_ - at_ < static_cast<ptrdiff_t>(kMaxEntryBytes)) {
      const uint64_t block_end = (offset_ + kMaxEntryBytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
      const uint64_t size = std::min(block_end, lists_.bytes()) - offset_;
      at_ = lists_.At(offset_, size);
      end_ = at_ + size;
    }
  }
  void Advance(const uint8_t* to) {
    offset_ += static_cast<uint64_t>(to - at_);
    at_ = to;
  }
  const uint8_t* at() const { return at_; }
  uint32_t Number() {
    uint32_t value = 0;
    const uint8_t* end = ReadVarint32(at_, &value);
    if (end == nullptr) lists_.Damaged("a number is malformed");
    Advance(end);
    return value;
  }

 private:
  const Section& lists_;
  uint64_t offset_;
  const uint8_t* at_ = nullptr;
  const uint8_t* end_ = nullptr;
};

TargetListSection::TargetListSection(Section lists, Form form, ScoreCodec codec)
    : lists_(std::move(lists)), form_(form), codec_(std::move(codec)) {
  if (lists_.bytes() < kListPadding || lists_.items() != lists_.bytes() - kListPadding)
    lists_.Damaged("the size is wrong");
}

const uint8_t* TargetListSection::DecodeEntry(const uint8_t* at, uint32_t length, TargetList* targets,
                                              TargetList::Entry* entry) const {
  const uint32_t symbol_limit = form_.target_words + kFirstTargetWord - 1;
  entry->begin = static_cast<uint32_t>(targets->symbols.size());
  entry->end = entry->begin + length;
  targets->symbols.resize(entry->end);
  TargetSymbol* symbol = targets->symbols.data() + entry->begin;
  for (uint32_t i = 0; i < length; ++i) {
    at = ReadVarint32(at, &symbol[i]);
    if (at == nullptr || symbol[i] - 1 >= symbol_limit) lists_.Damaged("a target symbol is wrong");
  }
  at = ReadVarint32(at, &entry->alignment);
  if (at == nullptr || entry->alignment >= form_.alignments) lists_.Damaged("an alignment is wrong");
  at = codec_.Decode(at, &entry->scores);
  if (at == nullptr) lists_.Damaged("a score is wrong");
  if (form_.counts) {
    for (RuleCount* count : {&entry->count_target, &entry->count_source, &entry->count_joint}) {
      uint64_t coded = 0;
      at = ReadVarint64(at, &coded);
      if (at == nullptr) lists_.Damaged("a count is wrong");
      *count = DecodedCount(coded);
    }
  }
  return at;
}

void TargetListSection::ReadGroup(Cursor* cursor, uint32_t lhs, TargetList* targets) const {
  for (bool last = false; !last;) {
    cursor->Ensure();
    const uint32_t head = cursor->Number();
    last = (head & 1) != 0;
    if (head / 2 > kMaxTargetSymbols) lists_.Damaged("a target is too long");
    TargetList::Entry& entry = targets->entries.emplace_back();
    entry.lhs = lhs;
    cursor->Advance(DecodeEntry(cursor->at(), head / 2, targets, &entry));
  }
}

void TargetListSection::Read(uint64_t offset, TargetList* targets) const {
  Cursor cursor(lists_, offset);
  if (!form_.lhs) {
    ReadGroup(&cursor, 0, targets);
    return;
  }
  const uint32_t groups = cursor.Number();
  for (uint32_t group = 0; group < groups; ++group) {
    cursor.Ensure();
    const uint32_t lhs = cursor.Number();
    if (lhs >= form_.labels) lists_.Damaged("a left-hand side is wrong");
    ReadGroup(&cursor, lhs, targets);
  }
}

}  // namespace graft::engine
