#include "table/section_writer.h"

#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "graft/error.h"
#include "util/system_error.h"

namespace graft::engine {

struct SectionWriter::HashState {
  XXH3_state_t* state = XXH3_createState();
  HashState() = default;
  HashState(const HashState&) = delete;
  HashState& operator=(const HashState&) = delete;
  ~HashState() { XXH3_freeState(state); }
};

SectionWriter::SectionWriter(const std::string& path, StopCheck stop)
    : file_(path), stop_(std::move(stop)), hash_(std::make_unique<HashState>()) {
  block_.reserve(kBlockBytes);
}

SectionWriter::~SectionWriter() = default;

void SectionWriter::WriteOut(const void* data, size_t size, uint64_t offset) {
  const auto* bytes = static_cast<const uint8_t*>(data);
  for (size_t done = 0; done < size;) {
    const ssize_t written = pwrite(file_.descriptor(), bytes + done, size - done, static_cast<off_t>(offset + done));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) FailSystem("write", file_.path());
    done += static_cast<size_t>(written);
  }
}

void SectionWriter::FlushBlock() {
  if (block_.empty()) return;
  stop_.Poll();
  if ((directory_.back().flags & kSectionBlocks) != 0)
    sums_.push_back(XXH3_64bits(block_.data(), block_.size()));
  else
    XXH3_64bits_update(hash_->state, block_.data(), block_.size());
  WriteOut(block_.data(), block_.size(), position_);
  position_ += block_.size();
  block_.clear();
}

void SectionWriter::Begin(uint32_t type, uint16_t encoding, uint16_t flags) {
  position_ = (position_ + kAlignment - 1) / kAlignment * kAlignment;
  bytes_ = 0;
  first_sum_ = sums_.size();
  XXH3_64bits_reset(hash_->state);
  directory_.push_back({type, encoding, flags, position_, 0, 0, 0});
  if (directory_.size() > kMaxSections) throw Error(file_.path() + ": too many sections for a table");
}

void SectionWriter::Append(const void* data, size_t size) {
  const auto* bytes = static_cast<const uint8_t*>(data);
  bytes_ += size;
  while (size > 0) {
    const size_t part = std::min<size_t>(size, kBlockBytes - block_.size());
    block_.insert(block_.end(), bytes, bytes + part);
    bytes += part;
    size -= part;
    if (block_.size() == kBlockBytes) FlushBlock();
  }
}

void SectionWriter::Append(const SpillFile& bytes) {
  SpillFile::Reader reader(bytes);
  std::vector<uint8_t> chunk(kBlockBytes);
  while (const size_t size = reader.Read(chunk.data(), chunk.size())) Append(chunk.data(), size);
}

void SectionWriter::End(uint64_t items) {
  FlushBlock();
  SectionEntry& section = directory_.back();
  section.bytes = bytes_;
  section.items = items;
  section.xxh3 = (section.flags & kSectionBlocks) != 0
                     ? XXH3_64bits(sums_.data() + first_sum_, (sums_.size() - first_sum_) * sizeof(uint64_t))
                     : XXH3_64bits_digest(hash_->state);
}

uint64_t SectionWriter::Commit(PageHead head) {
  Begin(kSums, 0, 0);
  Append(sums_.data(), sums_.size() * sizeof(uint64_t));
  End(sums_.size());

  std::memcpy(head.magic, kMagic, sizeof kMagic);
  head.major = kMajor;
  head.minor = kMinor;
  head.page_bytes = kPageBytes;
  head.file_bytes = position_;
  head.sections = static_cast<uint32_t>(directory_.size());
  std::array<uint8_t, kPageBytes> page{};
  std::memcpy(page.data(), &head, sizeof head);
  std::memcpy(page.data() + sizeof head, directory_.data(), directory_.size() * sizeof(SectionEntry));
  const uint64_t sum = XXH3_64bits(page.data(), kPageSumOffset);
  std::memcpy(page.data() + kPageSumOffset, &sum, sizeof sum);
  WriteOut(page.data(), page.size(), 0);

  file_.Publish();
  return position_;
}

}  // namespace graft::engine
