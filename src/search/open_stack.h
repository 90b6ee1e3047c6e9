// The stack under construction: its items, recombined as they come, and in the end those that survive pruning.
//
//   OpenStack stack(&store);
//   stack.Reset(keep_arcs);                                  // a new sentence
//   stack.Open();                                            // a new stack
//   stack.Insert(hash, item, tails, same);                   // again and again
//   stack.Close(limits);                                     // the survivors go to the store, their cells are finished
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "model/search_options.h"
#include "search/best_keys.h"
#include "search/items.h"
#include "search/search_bound.h"
#include "util/hash_index.h"
#include "util/stop_counter.h"

namespace graft::engine {

// How a stack is filled and pruned.
struct StackLimits {
  StackLimits() = default;
  // Those of a model's options: no limits but the beam and the threshold for exhaustive search.
  explicit StackLimits(const SearchOptions& options);

  uint64_t pops = UINT64_MAX;                                     // combinations taken from the queue
  size_t beam = SIZE_MAX;                                         // items kept
  float log_threshold = -std::numeric_limits<float>::infinity();  // relative to the best
  // Stop when the queue's best is below the worst item that would be kept. Costs nothing where estimates are good.
  bool stop_rule = false;
  // Bottom-up search: partial matches of one size that are extended further, best by estimate; 0 = all.
  int active = 0;
};

struct OpenItem {
  Application best;
  float rank = 0;  // what pruning goes by
  uint32_t cell = kNoCell;
  uint32_t state = 0;
  uint32_t first_arc = 0;
};

class OpenStack {
 public:
  explicit OpenStack(ItemStore* store) : store_(*store) {}

  // Without `keep_arcs` only the best application of an item is remembered.
  void Reset(bool keep_arcs, const StopCheck& stop);
  void Open();

  // Recombines with the item of the same cell for which same(its state) holds, or adds a new one.
  template <class Same>
  void Insert(uint64_t hash, OpenItem item, std::span<const uint32_t> tails, Same same) {
    item.best.first_tail = store_.AddTailItems(tails);
    item.best.created = created_++;
    const auto [number, fresh] =
        index_.Insert(hash, [&](uint32_t id) { return items_[id].cell == item.cell && same(items_[id].state); });
    if (fresh) {
      RequireRoom(items_.size());
      items_.push_back(item);
    } else {
      Recombine(item, &items_[number]);
    }
  }

  // Prunes and moves the survivors to the store: groups one after the other, best first. Returns which of items() the
  // last items of the store are, in their order.
  std::span<const uint32_t> Close(const StackLimits& limits);
  // The cells that have items now, in order of their best.
  std::span<const uint32_t> finished() const { return finished_; }

  const std::vector<OpenItem>& items() const { return items_; }
  uint64_t recombined() const { return recombined_; }  // applications since Reset that met an item

 private:
  void Recombine(const OpenItem& item, OpenItem* known);
  void AddGuarded(std::vector<uint64_t>* keys);
  void Prune(const StackLimits& limits);
  void DropLosersTails();

  ItemStore& store_;
  StopCounter stop_;
  bool keep_arcs_ = true;
  uint32_t created_ = 0;
  uint64_t recombined_ = 0;
  uint32_t first_tail_item_ = 0;  // of the open stack
  std::vector<OpenItem> items_;
  HashIndex index_;  // of items_
  BestKeys best_keys_;
  std::vector<uint64_t> guarded_;    // by guard: packed (rank, item)
  std::vector<uint32_t> survivors_;  // best first
  std::vector<uint32_t> order_;      // the same in the order of the store
  std::vector<uint32_t> finished_, kept_tail_items_;
};

}  // namespace graft::engine
