#include "table/string_section.h"

#include <xxhash.h>

#include "graft/error.h"
#include "table/section_writer.h"
#include "util/probed_cells.h"
#include "util/utf8.h"

namespace graft::engine {

namespace {

void WriteOffsets(std::span<const std::string> strings, SectionWriter* out) {
  uint64_t offset = 0;
  out->Put<uint32_t>(0);
  for (const std::string& string : strings) {
    offset += string.size();
    if (offset > UINT32_MAX) throw Error("more than 4 GB of words or labels; a table cannot hold them");
    out->Put(static_cast<uint32_t>(offset));
  }
}

std::string_view StringAt(const Section& section, uint64_t index, uint64_t bytes_at) {
  const auto begin = section.Load<uint32_t>(0, index);
  const auto end = section.Load<uint32_t>(0, index + 1);
  if (begin > end) section.Damaged("a string ends before it starts");
  return section.Text(bytes_at + begin, end - begin);
}

// A string that a line of text can hold.
std::string_view TextAt(const Section& section, uint64_t index, uint64_t bytes_at) {
  const std::string_view text = StringAt(section, index, bytes_at);
  if (text.find('\n') != std::string_view::npos || !IsValidUtf8(text))
    section.Damaged("string number " + std::to_string(index) + " is not a line of UTF-8");
  return text;
}

uint64_t Hash(std::string_view word) { return XXH3_64bits(word.data(), word.size()); }

}  // namespace

void WriteStrings(std::span<const std::string> strings, SectionWriter* out) {
  WriteOffsets(strings, out);
  for (const std::string& string : strings) out->Append(string);
}

std::vector<std::string> ReadStrings(const Section& section) {
  const uint64_t size = section.items();
  if (size >= UINT32_MAX) section.Damaged("the number of strings is wrong");
  std::vector<std::string> strings;
  for (uint64_t i = 0; i < size; ++i) strings.emplace_back(TextAt(section, i, 4 * (size + 1)));
  return strings;
}

void WriteWords(std::span<const std::string> words, SectionWriter* out) {
  WriteOffsets(words, out);
  ProbedCells<IdSlot> slots(SlotsFor(words.size()));
  for (uint32_t id = 0; id < words.size(); ++id) {
    IdSlot& slot = slots.Probe(Hash(words[id]),
                               [&](IdSlot known) { return known.id == kEmptySlot || words[known.id] == words[id]; });
    if (slot.id != kEmptySlot) throw Error("the word '" + words[id] + "' has two ids");
    slot.id = id;
  }
  out->Append(slots.cells().data(), slots.cells().size_bytes());
  for (const std::string& word : words) out->Append(word);
}

MappedWords::MappedWords(Section section) : section_(std::move(section)) {
  if (section_.items() >= kNoWord) section_.Damaged("the number of words is wrong");
  size_ = static_cast<WordId>(section_.items());
  slots_ = SlotsFor(size_);
  slots_at_ = 4 * (uint64_t{size_} + 1);
  bytes_at_ = slots_at_ + 4 * slots_;
  if (section_.bytes() < bytes_at_) section_.Damaged("the size does not fit the number of words");
}

std::string_view MappedWords::Word(WordId id) const {
  if (id >= size_) throw Error("there is no word number " + std::to_string(id) + " in the table");
  return TextAt(section_, id, bytes_at_);
}

WordId MappedWords::Find(std::string_view word) const {
  uint64_t slot = Hash(word) & (slots_ - 1);
  for (uint64_t probes = 0; probes < slots_; ++probes, slot = (slot + 1) & (slots_ - 1)) {
    const auto id = section_.Load<uint32_t>(slots_at_, slot);
    if (id == kEmptySlot) return kNoWord;
    if (id >= size_) section_.Damaged("a hash slot is wrong");
    if (StringAt(section_, id, bytes_at_) == word) return id;
  }
  return kNoWord;
}

}  // namespace graft::engine
