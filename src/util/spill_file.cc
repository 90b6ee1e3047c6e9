#include "util/spill_file.h"

#include <xxhash.h>

#include <algorithm>
#include <cstring>

namespace graft::engine {

void SpillFile::Flush() {
  if (!file_) file_.emplace(prefix_ + ".");
  file_->Append(buffer_);
  parts_.push_back({file_->size(), XXH3_64bits(buffer_.data(), buffer_.size())});
  buffer_.clear();
}

bool SpillFile::Reader::Fill() {
  if (position_ == file_.bytes()) return false;
  next_ = 0;
  if (position_ >= file_.flushed()) {
    chunk_.assign(file_.buffer_, position_ - file_.flushed());
  } else {
    const Part& part = file_.parts_[part_++];
    chunk_.resize(part.end - position_);
    file_.file_->ReadAt(position_, chunk_.data(), chunk_.size());
    if (XXH3_64bits(chunk_.data(), chunk_.size()) != part.sum) file_.file_->FailAltered();
  }
  position_ += chunk_.size();
  return true;
}

size_t SpillFile::Reader::Read(void* to, size_t size) {
  size_t done = 0;
  while (done < size && (next_ < chunk_.size() || Fill())) {
    const size_t part = std::min(size - done, chunk_.size() - next_);
    std::memcpy(static_cast<uint8_t*>(to) + done, chunk_.data() + next_, part);
    next_ += part;
    done += part;
  }
  return done;
}

}  // namespace graft::engine
