#include "search/item_stacks.h"

#include <algorithm>
#include <cmath>

#include "graft/error.h"
#include "search/packed_key.h"

namespace graft::engine {
namespace {

constexpr size_t kKeptIndex = size_t{1} << 13;  // slots of the recombination index kept between stacks

}  // namespace

StackLimits::StackLimits(const SearchOptions& options) {
  const bool cube = options.algorithm == SearchAlgorithm::kCube;
  if (cube && options.pop_limit != 0) pops = static_cast<uint64_t>(options.pop_limit);
  if (options.beam != 0) beam = static_cast<size_t>(options.beam);
  if (options.threshold > 0) log_threshold = static_cast<float>(std::log(options.threshold));
  stop_rule = cube && options.pop_limit != 0;
  if (cube) active = options.active_limit;
}

void ItemStacks::Reset(bool keep_arcs, const StopCheck& stop) {
  stop_ = StopCounter(stop);
  keep_arcs_ = keep_arcs;
  too_large_ = false;
  places_.clear();
  rules_.clear();
  glue_.clear();
  items_.clear();
  arcs_.clear();
  words_.clear();
  tails_.clear();
  way_items_.clear();
  created_ = 0;
  statistics_ = {};
}

void ItemStacks::Open(std::span<const RuleMatch> rules, std::span<const GlueMatch> glue) {
  for (const RuleMatch& match : rules)
    if (match.tail_count != match.targets->nonterminals)
      throw Error(model_.table().path() + ": a rule's target has other non-terminals than its source");
  first_rule_ = static_cast<uint32_t>(rules_.size());
  first_glue_ = static_cast<uint32_t>(glue_.size());
  first_item_ = static_cast<uint32_t>(way_items_.size());
  rules_.insert(rules_.end(), rules.begin(), rules.end());
  glue_.insert(glue_.end(), glue.begin(), glue.end());
  statistics_.edges += rules.size() + glue.size();
  made_.clear();
  hashes_.clear();
  if (index_.empty() || index_.size() > kKeptIndex)
    index_ = std::vector<Slot>(size_t{1} << 10, Slot{0, 0});
  else
    std::fill(index_.begin(), index_.end(), Slot{0, 0});
}

void ItemStacks::GrowIndex() {
  std::vector<Slot> grown(index_.size() * 2, Slot{0, 0});
  const size_t mask = grown.size() - 1;
  for (uint32_t id = 0; id < hashes_.size(); ++id) {
    size_t slot = hashes_[id] & mask;
    while (grown[slot].id != 0) slot = (slot + 1) & mask;
    grown[slot] = {static_cast<uint32_t>(hashes_[id] >> 32), id + 1};
  }
  index_ = std::move(grown);
}

// The better way becomes the item's own; the other stays as an arc.
void ItemStacks::Recombine(const Made& made, Made* known) {
  ++statistics_.recombined;
  Way loser = made.way;
  loser.created = created_++;
  if (loser.score > known->way.score) {
    std::swap(loser, known->way);
    known->rank = made.rank;
  }
  if (!keep_arcs_) return;
  arcs_.push_back({loser, known->first_arc});
  known->first_arc = static_cast<uint32_t>(arcs_.size());
}

// Leaves the survivors in survivors_, best first by rank.
void ItemStacks::SelectSurvivors(const StackLimits& limits) {
  float best = -std::numeric_limits<float>::infinity();
  bool guards = false;
  for (const Made& made : made_) {
    best = std::max(best, made.rank);
    guards |= places_[made.place].guard != kNoGuard;
  }
  const float floor = best + limits.log_threshold;
  keys_.clear();
  for (uint32_t id = 0; id < made_.size(); ++id)
    if (!(made_[id].rank < floor)) keys_.push_back(PackedKey(made_[id].rank, id));
  if (keys_.size() > limits.beam) {
    std::nth_element(keys_.begin(), keys_.begin() + static_cast<ptrdiff_t>(limits.beam), keys_.end(), std::greater<>());
    keys_.resize(limits.beam);
  }
  std::sort(keys_.begin(), keys_.end(), std::greater<>());
  if (guards) {
    guarded_.clear();
    for (uint32_t id = 0; id < made_.size(); ++id) {
      const uint32_t guard = places_[made_[id].place].guard;
      if (guard == kNoGuard) continue;
      if (guard >= guarded_.size()) guarded_.resize(guard + 1, 0);
      guarded_[guard] = std::max(guarded_[guard], PackedKey(made_[id].rank, id));
    }
    const auto kept = static_cast<ptrdiff_t>(keys_.size());
    for (const uint64_t key : guarded_)
      if (key != 0 && !std::binary_search(keys_.begin(), keys_.begin() + kept, key, std::greater<>()))
        keys_.push_back(key);
    std::sort(keys_.begin() + kept, keys_.end(), std::greater<>());
  }
  survivors_.clear();
  for (const uint64_t key : keys_) survivors_.push_back(IdOf(key));
}

// Without arcs only the survivors' items are still needed.
void ItemStacks::DropLosersItems() {
  kept_items_.clear();
  for (const uint32_t id : survivors_) {
    const std::span<const uint32_t> items = ItemsOf(made_[id].way);
    made_[id].way.first_tail = first_item_ + static_cast<uint32_t>(kept_items_.size());
    for (const uint32_t item : items) kept_items_.push_back(item);
  }
  way_items_.resize(first_item_);
  way_items_.insert(way_items_.end(), kept_items_.begin(), kept_items_.end());
}

std::span<const uint32_t> ItemStacks::Close(const StackLimits& limits) {
  SelectSurvivors(limits);
  if (!keep_arcs_) DropLosersItems();
  finished_.clear();
  for (const uint32_t id : survivors_) {
    Place& place = places_[made_[id].place];
    if (place.item_count++ == 0) {
      finished_.push_back(made_[id].place);
      place.best = made_[id].way.score;
    }
    place.best = std::max(place.best, made_[id].way.score);
  }
  auto first = static_cast<uint32_t>(items_.size());
  for (const uint32_t p : finished_) {
    places_[p].first_item = first;
    first += places_[p].item_count;
    places_[p].item_count = 0;
  }
  const auto begin = static_cast<uint32_t>(items_.size());
  items_.resize(first);
  keys_.resize(survivors_.size());
  for (const uint32_t id : survivors_) {
    Place& place = places_[made_[id].place];
    const uint32_t item = place.first_item + place.item_count++;
    items_[item] = {made_[id].way, made_[id].first_arc, kNone};
    keys_[item - begin] = id;
  }
  survivors_.assign(keys_.begin(), keys_.end());
  return survivors_;
}

const Hypergraph& ItemStacks::WriteGraph(std::span<const uint32_t> goals, uint32_t alternatives) {
  graph_.Clear();
  const FeatureVector& w = model_.weights();
  std::vector<uint64_t> complete;
  for (const uint32_t goal : goals)
    for (uint32_t i = 0; i < places_[goal].item_count; ++i) {
      const uint32_t item = places_[goal].first_item + i;
      complete.push_back(PackedKey(items_[item].way.score + w[kLanguageModel] * End(items_[item].state), item));
    }
  if (complete.empty()) return graph_;
  std::sort(complete.begin(), complete.end(), std::greater<>());
  if (complete.size() > alternatives) complete.resize(alternatives);

  constexpr uint32_t kUnreached = UINT32_MAX;
  std::vector<uint32_t> node_of(items_.size(), kUnreached);
  std::vector<Way> ways;           // of the items reached, last item first
  std::vector<uint32_t> ways_end;  // where those of each of them end
  auto add_ways = [&](const Item& item) {
    const auto first = static_cast<ptrdiff_t>(ways.size());
    ways.push_back(item.way);
    for (uint32_t a = keep_arcs_ ? item.first_arc : 0; a != 0; a = arcs_[a - 1].following)
      ways.push_back(arcs_[a - 1].way);
    const auto better = [](const Way& a, const Way& b) {
      return a.score != b.score ? a.score > b.score : a.created < b.created;
    };
    if (ways.size() - static_cast<size_t>(first) > alternatives) {
      const auto last = first + static_cast<ptrdiff_t>(alternatives);
      std::nth_element(ways.begin() + first, ways.begin() + last, ways.end(), better);
      ways.resize(static_cast<size_t>(last));
    }
    std::sort(ways.begin() + first, ways.end(), better);
    ways_end.push_back(static_cast<uint32_t>(ways.size()));
    return std::span(ways).subspan(static_cast<size_t>(first));
  };
  for (const uint64_t key : complete) node_of[IdOf(key)] = 0;
  for (size_t i = items_.size(); i-- > 0;) {  // tails are finished before heads
    if (node_of[i] == kUnreached) continue;
    for (const Way& way : add_ways(items_[i]))
      for (const uint32_t tail : ItemsOf(way)) node_of[tail] = 0;
  }
  for (size_t i = 0; i < items_.size(); ++i) {
    if (node_of[i] == kUnreached) continue;
    node_of[i] = static_cast<uint32_t>(graph_.nodes.size());
    const uint32_t end = ways_end.back();
    ways_end.pop_back();
    const uint32_t begin = ways_end.empty() ? 0 : ways_end.back();
    graph_.nodes.push_back({static_cast<uint32_t>(graph_.edges.size()), end - begin});
    for (const Way& way : std::span(ways).subspan(begin, end - begin)) {
      HyperEdge edge;
      edge.first_tail = static_cast<uint32_t>(graph_.tails.size());
      for (const uint32_t tail : ItemsOf(way)) graph_.tails.push_back(node_of[tail]);
      edge.tail_count = static_cast<uint32_t>(graph_.tails.size()) - edge.first_tail;
      edge.lm = way.lm;
      edge.unit = way.match & ~kGlueBit;
      if ((way.match & kGlueBit) != 0) {
        edge.kind = glue_[edge.unit].silent ? EdgeKind::kBorder : EdgeKind::kGlue;
        edge.jump = glue_[edge.unit].distortion;
        edge.score = glue_[edge.unit].step + w[kLanguageModel] * way.lm;
      } else {
        const RuleMatch& match = rules_[edge.unit];
        const TargetOption& option = match.targets->options[way.option];
        edge.kind = EdgeKind::kRule;
        edge.option = way.option;
        edge.gap = match.gap;
        if (scored_by_steps()) edge.lm += option.lm_inside;
        edge.score = option.estimate + match.step + w[kLanguageModel] * (edge.lm - option.lm_inside);
      }
      graph_.edges.push_back(edge);
    }
  }
  graph_.nodes.push_back({static_cast<uint32_t>(graph_.edges.size()), static_cast<uint32_t>(complete.size())});
  for (const uint64_t key : complete) {
    HyperEdge edge;
    edge.first_tail = static_cast<uint32_t>(graph_.tails.size());
    edge.tail_count = 1;
    graph_.tails.push_back(node_of[IdOf(key)]);
    edge.lm = End(items_[IdOf(key)].state);
    edge.score = w[kLanguageModel] * edge.lm;
    graph_.edges.push_back(edge);
  }
  return graph_;
}

}  // namespace graft::engine
