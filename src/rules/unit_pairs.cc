// For a target span the source words linked to it are forced: the core. The pair is consistent iff no word of the core
// is linked outside the span; only unaligned words can be added. A span that has become impossible (core too large, or
// a link to the left of the span) stays so when it is extended to the right.
//
// Boundary growth: an unaligned word may join when its neighbour is in the set, and so on. So of a maximal run of
// unaligned words a prefix may join if the word before the run is in the core, a suffix if the word after it is; runs
// are independent of each other. Enumerating prefix and suffix lengths run by run visits every set once, without a
// memory of visited sets. Sets in between need not be connected; the test is made for complete ones.
//
// TBMT: any unaligned words, if the result is connected in the tree. The smallest connected superset of the core in a
// forest is unique: as long as there are several tops (words whose head is outside), the deepest one must take its head
// along. From there on every connected superset is reached by adding unaligned neighbours, each set once (a neighbour
// that was passed over is never taken up again), without dead ends: the cost is proportional to the output. The output
// itself can be large: a head with many unaligned dependents makes a unit with any few of them.
//
// Bound: where the full length gives too much, lengths are tried from 1 on. Their lists grow by a factor each time, so
// that all of them together cost about as much as the last one, which goes over the bound.
#include "rules/unit_pairs.h"

#include <algorithm>
#include <climits>

#include "graft/error.h"

namespace graft::engine {

UnitPairFinder::UnitPairFinder(const SystemSpec& spec, uint64_t max_pairs)
    : spec_(spec), max_pairs_(MaxPairRules(spec, max_pairs)) {
  if (spec.unaligned == UnalignedWords::kAny && spec.graph != GraphKind::kTree)
    throw Error("any unaligned word may join a unit of a tree only");
}

bool UnitPairFinder::Find(const IndexedPair& pair, std::vector<UnitPair>* found) {
  found->clear();
  const size_t longest = std::max(pair.source.size(), pair.target.size());
  if (pair.links.empty() || longest > size_t{kMaxSentenceWords}) return true;
  ReadPair(pair);
  if (List(spec_.max_length, found)) return true;
  for (int length = 1; length < spec_.max_length && List(length, &larger_); ++length) found->swap(larger_);
  return false;
}

void UnitPairFinder::ReadPair(const IndexedPair& pair) {
  const int source_words = static_cast<int>(pair.source.size());
  pair_ = &pair;
  ReadLinks();
  if (spec_.connected()) {
    if (spec_.reads_tree() && pair.heads.size() != pair.source.size())
      throw Error(spec_.name + " needs the head of every source word; give the source as CoNLL-U");
    graph_ = DependencyGraph(spec_.graph, source_words, pair.heads);
    if (spec_.words_on_edges()) edge_graph_ = DependencyEdgeGraph(source_words, pair.heads);
    depth_.assign(spec_.unaligned == UnalignedWords::kAny ? pair.source.size() : 0, 0);
    for (size_t word = 0; word < depth_.size(); ++word)
      for (int head = pair.heads[word]; head > 0; head = pair.heads[head - 1]) ++depth_[word];
  }
  if (spec_.contiguous() && spec_.connected())
    span_is_unit_.assign(pair.source.size() * static_cast<size_t>(spec_.max_length), -1);
}

bool UnitPairFinder::List(int max_length, std::vector<UnitPair>* found) {
  max_length_ = max_length;
  steps_left_ = MaxSetSteps(max_pairs_);
  found_ = found;
  found->clear();
  const int target_words = static_cast<int>(pair_->target.size());
  for (int first = 0; first < target_words; ++first) {
    UnitPair core{NodeSet(), first, first};
    int reach_first = INT_MAX, reach_last = -1;
    const int end = std::min(target_words, first + max_length_);
    for (int last = first; last < end; ++last) {
      core.target_last = last;
      core.unit |= sources_of_[last];
      reach_first = std::min(reach_first, reach_first_[last]);
      reach_last = std::max(reach_last, reach_last_[last]);
      if (reach_first < first) break;
      if (reach_last < 0) continue;  // no link yet
      if (core.unit.size() > max_length_ || !SpanFits(core.unit)) break;
      if (reach_last > last) continue;
      where_ = core;
      const bool within = spec_.contiguous()                        ? ExtendSpan(core.unit)
                          : spec_.unaligned == UnalignedWords::kAny ? JoinInTree(core.unit)
                                                                    : GrowBoundaries(core.unit);
      if (!within) return false;
    }
  }
  return true;
}

void UnitPairFinder::ReadLinks() {
  const auto& links = pair_->links;
  const int source_words = static_cast<int>(pair_->source.size());
  const size_t target_words = pair_->target.size();
  sources_of_.assign(target_words, NodeSet());
  reach_first_.assign(target_words, INT_MAX);
  reach_last_.assign(target_words, -1);
  links_begin_.resize(static_cast<size_t>(source_words) + 1);
  aligned_before_.resize(static_cast<size_t>(source_words) + 1);
  unaligned_ = NodeSet();
  const int link_count = static_cast<int>(links.size());
  int link = 0, aligned = 0;
  for (int i = 0; i < source_words; ++i) {
    links_begin_[i] = link;
    aligned_before_[i] = aligned;
    while (link < link_count && links[link].source == i) ++link;
    if (link == links_begin_[i]) {
      unaligned_.Add(i);
      continue;
    }
    ++aligned;
    const int reach_first = links[links_begin_[i]].target, reach_last = links[link - 1].target;
    for (int l = links_begin_[i]; l < link; ++l) {
      const int j = links[l].target;
      sources_of_[j].Add(i);
      reach_first_[j] = std::min(reach_first_[j], reach_first);
      reach_last_[j] = std::max(reach_last_[j], reach_last);
    }
  }
  links_begin_[source_words] = link;
  aligned_before_[source_words] = aligned;
}

bool UnitPairFinder::ExtendSpan(const NodeSet& core) {
  const int core_first = core.first(), core_last = core.last();
  if (core_last - core_first >= max_length_) return true;
  if (aligned_before_[core_last + 1] - aligned_before_[core_first] != core.size()) return true;
  const int words = static_cast<int>(pair_->source.size());
  for (int first = core_first; first >= 0 && core_last - first < max_length_; --first) {
    if (first < core_first && !unaligned_.Contains(first)) break;
    for (int last = core_last; last < words && last - first < max_length_; ++last) {
      if (last > core_last && !unaligned_.Contains(last)) break;
      if (spec_.connected() && !SpanIsUnit(first, last)) continue;
      if (!Emit(NodeSet::Range(first, last))) return false;
    }
  }
  return true;
}

bool UnitPairFinder::GrowBoundaries(const NodeSet& core) {
  const int words = static_cast<int>(pair_->source.size());
  runs_.clear();
  core.ForEach([&](int position) {
    const bool run_is_listed = !runs_.empty() && runs_.back().last == position - 1;
    if (run_is_listed) {
      runs_.back().from_right = true;
    } else if (position > 0 && unaligned_.Contains(position - 1)) {
      int first = position - 1;
      while (first > 0 && unaligned_.Contains(first - 1)) --first;
      runs_.push_back({first, position - 1, false, true});
    }
    if (position + 1 < words && unaligned_.Contains(position + 1)) {
      int last = position + 1;
      while (last + 1 < words && unaligned_.Contains(last + 1)) ++last;
      runs_.push_back({position + 1, last, true, false});
    }
  });
  return GrowRun(0, core, max_length_ - core.size());
}

bool UnitPairFinder::GrowRun(size_t run, NodeSet unit, int room) {
  if (run == runs_.size() || room == 0) {
    if (steps_left_-- == 0) return false;
    if (!SpanFits(unit)) return true;
    if (spec_.unit == UnitTest::kConnected && !graph_.IsConnected(unit)) return true;
    return Emit(unit);
  }
  const Run& words = runs_[run];
  const int length = words.last - words.first + 1;
  const int most_from_left = words.from_left ? std::min(room, length) : 0;
  for (int from_left = 0; from_left <= most_from_left; ++from_left) {
    if (from_left > 0) unit.Add(words.first + from_left - 1);
    // The whole run is counted as a prefix where it can be one.
    const int rest = length - from_left - (words.from_left ? 1 : 0);
    const int most_from_right = words.from_right ? std::min(room - from_left, rest) : 0;
    NodeSet grown = unit;
    if (!GrowRun(run + 1, grown, room - from_left)) return false;
    for (int from_right = 1; from_right <= most_from_right; ++from_right) {
      grown.Add(words.last - from_right + 1);
      if (!GrowRun(run + 1, grown, room - from_left - from_right)) return false;
    }
  }
  return true;
}

bool UnitPairFinder::JoinInTree(const NodeSet& core) {
  const std::vector<int>& heads = pair_->heads;
  const auto head_of = [&](int word) { return heads[word] - 1; };
  NodeSet unit = core;
  int size = unit.size();
  for (;;) {
    int tops = 0, deepest = -1;
    unit.ForEach([&](int word) {
      if (head_of(word) >= 0 && unit.Contains(head_of(word))) return;
      ++tops;
      if (deepest < 0 || depth_[word] > depth_[deepest]) deepest = word;
    });
    if (tops == 1) break;
    const int head = head_of(deepest);
    if (head < 0 || !unaligned_.Contains(head) || size == max_length_) return true;
    unit.Add(head);
    ++size;
  }
  NodeSet frontier;
  unit.ForEach([&](int word) { frontier |= graph_.neighbours(word); });
  frontier &= unaligned_;
  frontier -= unit;
  return GrowTree(unit, size, frontier);
}

bool UnitPairFinder::GrowTree(const NodeSet& unit, int size, NodeSet frontier) {
  if (steps_left_-- == 0) return false;
  if (!SpanFits(unit)) return true;
  if (!Emit(unit)) return false;
  if (size == max_length_) return true;
  while (!frontier.empty()) {
    const int word = frontier.first();
    frontier.Remove(word);
    NodeSet grown = unit;
    grown.Add(word);
    // In a tree the word's other neighbours are next to no other word of the unit: none was passed over before.
    if (!GrowTree(grown, size + 1, frontier | ((graph_.neighbours(word) & unaligned_) - unit))) return false;
  }
  return true;
}

bool UnitPairFinder::SpanFits(const NodeSet& unit) const {
  return spec_.max_extract_span == 0 || unit.last() - unit.first() < spec_.max_extract_span;
}

bool UnitPairFinder::SpanIsUnit(int first, int last) {
  int8_t& known = span_is_unit_[static_cast<size_t>(first * spec_.max_length + last - first)];
  if (known < 0) {
    const bool is_unit = spec_.unit == UnitTest::kOneOpenNode ? edge_graph_.OfSpan(first, last).has_value()
                                                              : graph_.IsConnected(NodeSet::Range(first, last));
    known = is_unit ? 1 : 0;
  }
  return known == 1;
}

bool UnitPairFinder::Emit(const NodeSet& unit) {
  if (found_->size() == max_pairs_) return false;
  where_.unit = unit;
  found_->push_back(where_);
  return true;
}

}  // namespace graft::engine
