// Batches of whole groups from a sorted stream of packed rules; a group is all keys with the same first side
// (packed_rule.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "building/packed_rule.h"
#include "sorting/counting_sorter.h"

namespace graft::engine {

struct KeyBatch {
  struct Item {
    size_t begin, length;  // of the key without the group's side, in bytes
    uint64_t count;
  };
  struct Group {
    size_t begin, length;          // of the side, end mark included, in bytes
    size_t first_item, items_end;  // in items
  };
  std::string bytes;
  std::vector<Item> items;
  std::vector<Group> groups;

  std::string_view Side(const Group& group) const { return std::string_view(bytes).substr(group.begin, group.length); }
  std::string_view Rest(const Item& item) const { return std::string_view(bytes).substr(item.begin, item.length); }
};

class GroupReader {
 public:
  explicit GroupReader(MergedCounts* keys) : keys_(keys), more_(keys->Next()) {}

  // At least one group, and as many as fill a batch; false at the end.
  bool Read(KeyBatch* batch) {
    batch->bytes.clear();
    batch->items.clear();
    batch->groups.clear();
    while (more_ && batch->bytes.size() < kBatchBytes) ReadGroup(batch);
    return !batch->groups.empty();
  }

 private:
  static constexpr size_t kBatchBytes = size_t{128} << 10;

  void ReadGroup(KeyBatch* batch) {
    side_.assign(keys_->key().substr(0, SideBytes(keys_->key())));
    KeyBatch::Group group{batch->bytes.size(), side_.size(), batch->items.size(), 0};
    batch->bytes += side_;
    do {
      const std::string_view rest = keys_->key().substr(side_.size());
      batch->items.push_back({batch->bytes.size(), rest.size(), keys_->count()});
      batch->bytes.append(rest);
      more_ = keys_->Next();
    } while (more_ && keys_->key().starts_with(side_));
    group.items_end = batch->items.size();
    batch->groups.push_back(group);
  }

  MergedCounts* keys_;
  bool more_;
  std::string side_;
};

}  // namespace graft::engine
