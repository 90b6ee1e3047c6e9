#include "table/table_file.h"

#include <xxhash.h>

#include <cstring>
#include <utility>

#include "graft/error.h"

namespace graft::engine {

namespace {

bool IsKnown(uint32_t type) {
  if (const uint32_t name = type & 0xffffff;
      name == (LevelType(0) & 0xffffff) || name == (ListPointerType(0) & 0xffffff))
    return true;
  for (const uint32_t known : {kLists, kBigIndex, kSignatures, kLabels, kAlignments, kSourceWords, kTargetWords, kSpec,
                               kStatistics, kNonTerminals, kBooks, kSums})
    if (type == known) return true;
  return false;
}

}  // namespace

TableFile::TableFile(const std::string& path) : path_(path), file_(path) {
  const auto bytes = file_.bytes();
  if (bytes.size() < sizeof kMagic || std::memcmp(bytes.data(), kMagic, sizeof kMagic) != 0)
    throw Error(path_ + ": not a Graft rule table");
  const auto truncated = [&](const std::string& wanted) {
    return Error(path_ + ": truncated: " + std::to_string(bytes.size()) + " bytes of " + wanted +
                 "; build or copy the table again");
  };
  if (bytes.size() < kPageBytes) throw truncated("at least " + std::to_string(kPageBytes));
  std::memcpy(&head_, bytes.data(), sizeof head_);
  if (head_.major != kMajor)
    throw Error(path_ + ": rule table of format version " + std::to_string(head_.major) + ", but this program reads " +
                std::to_string(kMajor) + "; use a newer graft, or build the table again");
  uint64_t sum = 0;
  std::memcpy(&sum, bytes.data() + kPageSumOffset, sizeof sum);
  if (sum != XXH3_64bits(bytes.data(), kPageSumOffset)) Damaged("page 0 does not match its checksum");
  if (bytes.size() < head_.file_bytes) throw truncated(std::to_string(head_.file_bytes));
  if (bytes.size() > head_.file_bytes)
    Damaged(std::to_string(bytes.size() - head_.file_bytes) + " bytes too many at the end");
  CheckDirectory();
}

void TableFile::Damaged(const std::string& what) const {
  throw Error(path_ + ": damaged: " + what + "; build or copy the table again");
}

void TableFile::CheckDirectory() {
  if (head_.page_bytes != kPageBytes || head_.sections > kMaxSections) Damaged("page 0 is malformed");
  directory_.resize(head_.sections);
  std::memcpy(directory_.data(), file_.bytes().data() + sizeof(PageHead), directory_.size() * sizeof(SectionEntry));
  uint64_t sums = 0;
  for (const SectionEntry& section : directory_) {
    const std::string name = SectionName(section.type);
    if (section.offset % kAlignment != 0 || section.offset < kPageBytes || section.offset > head_.file_bytes ||
        section.bytes > head_.file_bytes - section.offset)
      Damaged("section " + name + " lies outside the file");
    if (!IsKnown(section.type) && (section.flags & kSectionOptional) == 0)
      throw Error(path_ + ": has a section " + name + " that this program does not know; use a newer graft");
    first_sum_.push_back(sums);
    if ((section.flags & kSectionBlocks) != 0) sums += Blocks(section.bytes);
  }
  const SectionEntry* entry = Find(kSums);
  if (entry == nullptr || (entry->flags & kSectionBlocks) != 0) Damaged("section SUMS is missing");
  const Section section = Take(kSums);
  if (section.bytes() != sums * sizeof(uint64_t)) Damaged("section SUMS has a wrong size");
  sums_.resize(sums);
  if (sums != 0) std::memcpy(sums_.data(), section.At(0, section.bytes()), section.bytes());
  if (Has(kLists)) file_.ExpectRandomReads(Find(kLists)->offset, Find(kLists)->bytes);
}

void TableFile::CheckAll() const {
  for (const SectionEntry& section : directory_)
    if (IsKnown(section.type)) Take(section.type, UINT16_MAX).CheckAll();
}

void TableFile::CheckUnchanged() const {
  if (file_.Changed() == MappedFile::Change::kNone) return;
  const std::scoped_lock lock(checking_);  // the others wait: what they read may be wrong too
  const int64_t written_at = file_.WrittenAt();
  bool same = file_.Changed() != MappedFile::Change::kCut;
  try {
    if (same && file_.Changed() == MappedFile::Change::kWritten) CheckAll();
  } catch (const Error&) {
    same = false;
  }
  if (same && file_.Changed() != MappedFile::Change::kCut) {  // only its time is another
    file_.Accept(written_at);
    return;
  }
  throw Error(
      path_ +
      ": was written to while it was in use (copied over?), or can no longer be read; copy the table there again "
      "and start again, and replace files in use with `mv`, never with `cp`");
}

const SectionEntry* TableFile::Find(uint32_t type) const {
  for (const SectionEntry& section : directory_)
    if (section.type == type) return &section;
  return nullptr;
}

Section TableFile::Take(uint32_t type, int encodings) const {
  const std::string name = SectionName(type);
  const SectionEntry* entry = Find(type);
  if (entry == nullptr) Damaged("section " + name + " is missing");
  if ((entry->encoding & ~encodings) != 0)
    throw Error(path_ + ": section " + name + " has encoding " + std::to_string(entry->encoding) +
                ", which this program cannot read; use a newer graft");
  const auto bytes = file_.bytes().subspan(entry->offset, entry->bytes);
  const bool blocks = (entry->flags & kSectionBlocks) != 0;
  const uint64_t* sums = blocks ? sums_.data() + first_sum_[static_cast<size_t>(entry - directory_.data())] : nullptr;
  const uint64_t sum =
      blocks ? XXH3_64bits(sums, Blocks(bytes.size()) * sizeof(uint64_t)) : XXH3_64bits(bytes.data(), bytes.size());
  if (sum != entry->xxh3) Damaged("section " + name + " does not match its checksum");
  return {path_, name, bytes, entry->items, sums, entry->encoding};
}

}  // namespace graft::engine
