#include "search/open_stack.h"

#include <algorithm>
#include <cmath>

#include "search/packed_key.h"

namespace graft::engine {
namespace {

constexpr size_t kKeptSlots = size_t{1} << 13;  // of the index, between stacks

}  // namespace

StackLimits::StackLimits(const SearchOptions& options) {
  const bool cube = options.algorithm == SearchAlgorithm::kCube;
  if (cube && options.pop_limit != 0) pops = static_cast<uint64_t>(options.pop_limit);
  if (options.beam != 0) beam = static_cast<size_t>(options.beam);
  if (options.threshold > 0) log_threshold = static_cast<float>(std::log(options.threshold));
  stop_rule = cube && options.pop_limit != 0;
  if (cube) active = options.active_limit;
}

void OpenStack::Reset(bool keep_arcs, const StopCheck& stop) {
  keep_arcs_ = keep_arcs;
  stop_ = StopCounter(stop);
  created_ = 0;
  recombined_ = 0;
}

void OpenStack::Open() {
  items_.clear();
  index_.Clear(kKeptSlots);
  first_tail_item_ = store_.tail_items();
}

// The better application becomes the item's own; the other stays as an arc.
void OpenStack::Recombine(const OpenItem& item, OpenItem* known) {
  ++recombined_;
  RequireRoom(store_.tail_items() / 2);
  Application loser = item.best;
  if (loser.score > known->best.score) {
    std::swap(loser, known->best);
    known->rank = item.rank;
  }
  if (keep_arcs_) known->first_arc = store_.AddArc(loser, known->first_arc);
}

// Adds the best item of each guard that the beam did not keep.
void OpenStack::AddGuarded(std::vector<uint64_t>* keys) {
  guarded_.clear();
  for (uint32_t id = 0; id < items_.size(); ++id) {
    const uint32_t guard = store_.cell(items_[id].cell).guard;
    if (guard == kNoGuard) continue;
    if (guard >= guarded_.size()) guarded_.resize(guard + 1, 0);
    guarded_[guard] = std::max(guarded_[guard], PackedKey(items_[id].rank, id));
  }
  const auto kept = static_cast<ptrdiff_t>(keys->size());
  for (const uint64_t key : guarded_)
    if (key != 0 && !std::binary_search(keys->begin(), keys->begin() + kept, key, std::greater<>()))
      keys->push_back(key);
  std::sort(keys->begin() + kept, keys->end(), std::greater<>());
}

// Leaves the survivors in survivors_, best first by rank.
void OpenStack::Prune(const StackLimits& limits) {
  float best = -std::numeric_limits<float>::infinity();
  bool guards = false;
  for (const OpenItem& item : items_) {
    stop_.Step();
    best = std::max(best, item.rank);
    guards |= store_.cell(item.cell).guard != kNoGuard;
  }
  const float floor = best + limits.log_threshold;
  best_keys_.Clear(limits.beam);
  for (uint32_t id = 0; id < items_.size(); ++id)
    if (!(items_[id].rank < floor)) best_keys_.Add(PackedKey(items_[id].rank, id));
  std::vector<uint64_t>& keys = best_keys_.Sort(&stop_);
  if (guards) AddGuarded(&keys);
  survivors_.clear();
  for (const uint64_t key : keys) survivors_.push_back(IdOf(key));
}

// Without arcs only the tails of the survivors are still needed.
void OpenStack::DropLosersTails() {
  kept_tail_items_.clear();
  for (const uint32_t id : survivors_) {
    const std::span<const uint32_t> tails = store_.TailItems(items_[id].best);
    items_[id].best.first_tail = first_tail_item_ + static_cast<uint32_t>(kept_tail_items_.size());
    for (const uint32_t tail : tails) kept_tail_items_.push_back(tail);
  }
  store_.ReplaceTailItems(first_tail_item_, kept_tail_items_);
}

std::span<const uint32_t> OpenStack::Close(const StackLimits& limits) {
  Prune(limits);
  if (!keep_arcs_) DropLosersTails();
  finished_.clear();
  for (const uint32_t id : survivors_) {
    Cell& cell = store_.cell(items_[id].cell);
    if (cell.item_count++ == 0) {
      finished_.push_back(items_[id].cell);
      cell.best = items_[id].best.score;
    }
    cell.best = std::max(cell.best, items_[id].best.score);
  }
  std::vector<Item>& made = store_.items();
  const auto begin = static_cast<uint32_t>(made.size());
  uint32_t first = begin;
  for (const uint32_t c : finished_) {
    Cell& cell = store_.cell(c);
    cell.first_item = first;
    first += std::exchange(cell.item_count, 0);
  }
  RequireRoom(first);
  made.resize(first);
  order_.resize(survivors_.size());
  for (const uint32_t id : survivors_) {
    Cell& cell = store_.cell(items_[id].cell);
    const uint32_t item = cell.first_item + cell.item_count++;
    made[item] = {items_[id].best, items_[id].first_arc, items_[id].state};
    order_[item - begin] = id;
  }
  return order_;
}

}  // namespace graft::engine
