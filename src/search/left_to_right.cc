#include "search/left_to_right.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "search/packed_key.h"
#include "search/search_bound.h"

namespace graft::engine {
namespace {

uint64_t HashState(Coverage coverage, uint32_t state, uint16_t next) {
  uint64_t hash =
      (coverage.key() + 0x9e3779b97f4a7c15ull * (static_cast<uint64_t>(state) << 16 | next)) * 0xbf58476d1ce4e5b9ull;
  return hash ^ hash >> 31;
}

constexpr size_t kKeptSlots = size_t{1} << 14;  // of an index, between sentences

}  // namespace

LeftToRightSearch::LeftToRightSearch(const DecodingModel& model)
    : model_(model),
      reach_(model.search()),
      log_threshold_(model.search().threshold > 0 ? static_cast<float>(std::log(model.search().threshold))
                                                  : -std::numeric_limits<float>::infinity()),
      states_(model.lm()) {}

float LeftToRightSearch::StepScore(int next, const Unit& unit) const {
  const FeatureVector& w = model_.weights();
  return -w[kJump] * static_cast<float>(Reach::Distance(unit.start, next)) - w[kGap] * static_cast<float>(unit.gap);
}

// Recombines, or opens a new hypothesis on the stack of so many covered words.
void LeftToRightSearch::Insert(const Hypothesis& hypothesis, size_t covered) {
  std::vector<uint32_t>& stack = stacks_[covered];
  HashIndex& index = indexes_[cube() ? 0 : covered];
  const auto [position, fresh] =
      index.Insert(HashState(hypothesis.coverage, hypothesis.state, hypothesis.next), [&](uint32_t known) {
        const Hypothesis& h = hypotheses_[stack[known]];
        return h.coverage == hypothesis.coverage && h.state == hypothesis.state && h.next == hypothesis.next;
      });
  if (!fresh) return Recombine(hypothesis, stack[position]);
  ++statistics_.new_hypotheses;
  const auto id = static_cast<uint32_t>(hypotheses_.size());
  RequireRoom(id);
  hypotheses_.push_back(hypothesis);
  if (keep_arcs_) {
    first_arc_.push_back(0);
    created_.push_back(static_cast<uint32_t>(statistics_.recombined + statistics_.new_hypotheses));
  }
  stack.push_back(id);
}

// The better extension becomes the hypothesis's own; the other stays as an arc.
void LeftToRightSearch::Recombine(const Hypothesis& hypothesis, uint32_t id) {
  ++statistics_.recombined;
  Hypothesis loser = hypothesis;
  auto created = static_cast<uint32_t>(statistics_.recombined + statistics_.new_hypotheses);
  Hypothesis& known = hypotheses_[id];
  if (hypothesis.score > known.score) {
    loser = known;
    known = hypothesis;
    if (keep_arcs_) std::swap(created, created_[id]);
  }
  if (!keep_arcs_) return;
  RequireRoom(arcs_.size());
  arcs_.push_back({first_arc_[id], loser.back, loser.unit, loser.option, loser.score, created});
  first_arc_[id] = static_cast<uint32_t>(arcs_.size());
}

// Leaves the survivors, best first.
void LeftToRightSearch::Prune(std::vector<uint32_t>* stack) {
  if (stack->empty()) return;
  float best = -std::numeric_limits<float>::infinity();
  for (uint32_t id : *stack) {
    stop_.Step();
    best = std::max(best, hypotheses_[id].rank);
  }
  const float floor = best + log_threshold_;
  best_keys_.Clear(model_.search().beam == 0 ? SIZE_MAX : static_cast<size_t>(model_.search().beam));
  for (uint32_t id : *stack)
    if (hypotheses_[id].rank >= floor) best_keys_.Add(PackedKey(hypotheses_[id].rank, id));
  const std::vector<uint64_t>& keys = best_keys_.Sort(&stop_);
  stack->clear();
  for (uint64_t key : keys) stack->push_back(IdOf(key));
}

// Appends the groups of a finished stack, in order of their best member; members stay best first, because equal
// coverage means equal future cost. Edges into later stacks refer to groups, so groups live as long as the sentence.
void LeftToRightSearch::MakeGroups(const std::vector<uint32_t>& stack) {
  const auto first_group = static_cast<uint32_t>(groups_.size());
  group_index_.Clear(kKeptSlots);
  group_of_.resize(stack.size());
  for (size_t i = 0; i < stack.size(); ++i) {
    const Hypothesis& h = hypotheses_[stack[i]];
    const auto [number, fresh] = group_index_.Insert(HashState(h.coverage, 0, h.next), [&](uint32_t known) {
      const Group& group = groups_[first_group + known];
      return group.coverage == h.coverage && group.next == h.next;
    });
    if (fresh) groups_.push_back({h.coverage, h.next, 0, 0});
    group_of_[i] = first_group + number;
    ++groups_[group_of_[i]].member_count;
  }
  auto first_member = static_cast<uint32_t>(members_.size());
  for (uint32_t g = first_group; g < groups_.size(); ++g) {
    groups_[g].first_member = first_member;
    first_member += groups_[g].member_count;
    groups_[g].member_count = 0;
  }
  members_.resize(first_member);
  for (size_t i = 0; i < stack.size(); ++i) {
    Group& group = groups_[group_of_[i]];
    const Hypothesis& h = hypotheses_[stack[i]];
    members_[group.first_member + group.member_count++] = {stack[i], h.state, h.score};
  }
  OpenEdges(first_group);
}

void LeftToRightSearch::OpenEdges(uint32_t first_group) {
  for (uint32_t g = first_group; g < groups_.size(); ++g) {
    const Group group = groups_[g];
    const int covered = static_cast<int>(group.coverage.first_gap) + std::popcount(uint64_t{group.coverage.window});
    const int last = reach_.LastStart(group.coverage, words_);
    for (int start = static_cast<int>(group.coverage.first_gap); start <= last; ++start) {
      stop_.Step();
      for (const Unit& unit : options_->StartingAt(start)) {
        if (!reach_.Allows(group.coverage, group.next, unit)) continue;
        const Coverage coverage = group.coverage.With(unit.start, unit.mask);
        edges_[static_cast<size_t>(covered) + unit.size].push_back(
            {group.first_member, group.member_count, unit.first_option, unit.option_count, options_->IndexOf(unit),
             static_cast<uint16_t>(unit.end + 1), StepScore(group.next, unit), future_.Of(coverage), coverage});
      }
    }
  }
}

void LeftToRightSearch::PushCandidate(const Edge& edge, uint32_t edge_index, uint32_t member, uint32_t option) {
  const Member& tail = members_[edge.first_member + member];
  const uint32_t id = edge.first_option + option;
  const LmStates::Joined joined = states_.Append(tail.state, id, options_->phrase(id));
  const float score = tail.score + options_->estimate(id) + edge.step + lm_weight() * joined.delta;
  float rank = score + edge.future;
  if (static_cast<int>(edge.coverage.first_gap) == words_) rank += lm_weight() * states_.End(joined.state);
  queue_.Push(PackedKey(rank, static_cast<uint32_t>(candidates_.size())));
  candidates_.push_back({score, rank, edge_index, joined.state, member, option});
}

void LeftToRightSearch::PrefetchCorner(const Edge& edge) const {
  states_.Prefetch(members_[edge.first_member].state, edge.first_option);
}

// Candidate (i, j) = member i of the group, option j of the unit. Each has one parent: (i, j+1) comes from (i, j),
// (i+1, 0) from (i, 0).
void LeftToRightSearch::FillByCube(int covered) {
  const std::vector<Edge>& edges = edges_[static_cast<size_t>(covered)];
  statistics_.edges += edges.size();
  indexes_[0].Clear(kKeptSlots);
  queue_.Clear();
  candidates_.clear();
  constexpr uint32_t kAhead = 8;
  for (uint32_t e = 0; e < edges.size(); ++e) {
    stop_.Step();
    if (e + kAhead < edges.size()) PrefetchCorner(edges[e + kAhead]);
    PushCandidate(edges[e], e, 0, 0);
  }
  const uint64_t limit = model_.search().pop_limit == 0 ? UINT64_MAX : static_cast<uint64_t>(model_.search().pop_limit);
  float best = -std::numeric_limits<float>::infinity();
  for (uint64_t pops = 0; pops < limit && !queue_.empty(); ++pops) {
    stop_.Step();
    const Candidate candidate = candidates_[IdOf(queue_.Pop())];
    ++statistics_.pops;
    const Edge& edge = edges[candidate.edge];
    best = std::max(best, candidate.rank);
    if (candidate.rank >= best + log_threshold_)
      Insert({candidate.score, candidate.rank, edge.coverage, candidate.state,
              members_[edge.first_member + candidate.member].id, edge.unit, static_cast<uint16_t>(candidate.option),
              edge.next},
             static_cast<size_t>(covered));
    if (candidate.option + 1 < edge.option_count)
      PushCandidate(edge, candidate.edge, candidate.member, candidate.option + 1);
    if (candidate.option == 0 && candidate.member + 1 < edge.member_count)
      PushCandidate(edge, candidate.edge, candidate.member + 1, 0);
  }
}

void LeftToRightSearch::ExpandExhaustively(const std::vector<uint32_t>& stack) {
  for (uint32_t id : stack) {
    const Hypothesis tail = hypotheses_[id];
    const int covered = static_cast<int>(tail.coverage.first_gap) + std::popcount(uint64_t{tail.coverage.window});
    const int last = reach_.LastStart(tail.coverage, words_);
    for (int start = static_cast<int>(tail.coverage.first_gap); start <= last; ++start)
      for (const Unit& unit : options_->StartingAt(start)) {
        if (!reach_.Allows(tail.coverage, tail.next, unit)) continue;
        const Coverage coverage = tail.coverage.With(unit.start, unit.mask);
        const float step = StepScore(tail.next, unit);
        const float future = future_.Of(coverage);
        for (uint32_t option = 0; option < unit.option_count; ++option) {
          stop_.Step();
          const uint32_t option_id = unit.first_option + option;
          const LmStates::Joined joined = states_.Append(tail.state, option_id, options_->phrase(option_id));
          const float score = tail.score + options_->estimate(option_id) + step + lm_weight() * joined.delta;
          float rank = score + future;
          if (static_cast<int>(coverage.first_gap) == words_) rank += lm_weight() * states_.End(joined.state);
          ++statistics_.pops;
          Insert({score, rank, coverage, joined.state, id, options_->IndexOf(unit), static_cast<uint16_t>(option),
                  static_cast<uint16_t>(unit.end + 1)},
                 static_cast<size_t>(covered) + unit.size);
        }
      }
  }
}

void LeftToRightSearch::Reset(const OptionSet& options) {
  options_ = &options;
  words_ = options.size();
  statistics_ = {};
  statistics_.sentences = 1;
  statistics_.words = static_cast<uint64_t>(words_);
  statistics_.units = options.units().size();
  statistics_.options = options.options();
  future_.Build(options, model_.weights()[kGap]);
  states_.Reset();
  hypotheses_.clear();
  first_arc_.clear();
  created_.clear();
  arcs_.clear();
  groups_.clear();
  members_.clear();
  const auto stack_count = static_cast<size_t>(words_) + 1;
  if (stacks_.size() < stack_count) {
    stacks_.resize(stack_count);
    edges_.resize(stack_count);
  }
  indexes_.resize(cube() ? 1 : stack_count);
  for (HashIndex& index : indexes_) index.Clear(kKeptSlots);
  for (size_t s = 0; s < stack_count; ++s) {
    stacks_[s].clear();
    edges_[s].clear();
  }
}

const Hypergraph& LeftToRightSearch::Run(const OptionSet& options, uint32_t alternatives, const StopCheck& stop) {
  keep_arcs_ = alternatives > 1;
  stop_ = StopCounter(stop);
  Reset(options);
  Insert({0, future_.Of(Coverage::Empty()), Coverage::Empty(), LmStates::kBegin, 0, kNoUnit, 0, 0}, 0);
  for (int covered = 0; covered <= words_; ++covered) {
    std::vector<uint32_t>& stack = stacks_[static_cast<size_t>(covered)];
    if (cube() && covered > 0) FillByCube(covered);
    Prune(&stack);
    if (covered == words_) break;
    if (cube())
      MakeGroups(stack);
    else
      ExpandExhaustively(stack);
  }
  statistics_.evaluations = states_.asked();
  statistics_.lm_calls = states_.calls();
  statistics_.lm_states = states_.size();
  WriteGraph(alternatives);
  return graph_;
}

}  // namespace graft::engine
