#include "search/beam_stacks.h"

#include <algorithm>

#include "search/mix_hash.h"
#include "search/packed_key.h"

namespace graft::engine {
namespace {

constexpr uint64_t kPopsBetweenChecks = 64;

}  // namespace

BeamStacks::BeamStacks(const DecodingModel& model, ItemStore* store)
    : model_(model), lm_weight_(model.weights()[kLanguageModel]), store_(*store), stack_(store), states_(model.lm()) {}

void BeamStacks::Reset(bool keep_arcs, const StopCheck& stop) {
  store_.Reset();
  stack_.Reset(keep_arcs, stop);
  stop_ = StopCounter(stop);
  statistics_ = {};
  states_.Reset();
  phrases_.clear();
  yields_.clear();
}

// Whether an item is too bad to enter the stack, as far as is known yet.
bool BeamStacks::BelowThreshold(const OpenItem& item) {
  stop_.Step();
  if (item.rank < best_ + floor_ && store_.cell(item.cell).guard == kNoGuard) return true;
  best_ = std::max(best_, item.rank);
  return false;
}

void BeamStacks::InsertX(const OpenItem& item, std::span<const uint32_t> tails) {
  if (BelowThreshold(item)) return;
  const StringMemo::String& string = strings_[item.state];
  stack_.Insert(string.hash + item.cell * 0xbf58476d1ce4e5b9ull, item, tails, [&](uint32_t state) {
    return state == item.state || SamePhrase(strings_[state].phrase, string.phrase);
  });
}

void BeamStacks::InsertS(const OpenItem& item, std::span<const uint32_t> tails) {
  if (BelowThreshold(item)) return;
  stack_.Insert(MixHash(item.cell, item.state), item, tails, [&](uint32_t state) { return state == item.state; });
}

void BeamStacks::InsertTargets(MatchId match) {
  const RuleMatch& rule = store_.rule(match);
  const float future = store_.cell(rule.cell).future;
  for (uint32_t o = 0; o < rule.targets->size(); ++o) {
    bool fresh = false;
    const uint32_t string = strings_.Find(rule.targets->SegmentKey(o, 0), &fresh);
    if (fresh) {
      strings_[string].phrase = rule.targets->Segment(o, 0);
      strings_[string].inside = rule.targets->options[o].lm_inside;
      strings_.Seal(string);
    }
    const float score = rule.targets->estimates[o] + rule.step;
    InsertX({.best = {.score = score, .match = match, .option = o},
             .rank = score + future,
             .cell = rule.cell,
             .state = string},
            {});
  }
}

void BeamStacks::InsertSentenceStarts(MatchId match) {
  const GlueMatch& glue = store_.glue(match);
  const Cell& x = store_.cell(glue.x);
  const Cell& cell = store_.cell(glue.cell);
  for (uint32_t item = x.first_item; item < x.first_item + x.item_count; ++item) {
    const LmStates::Joined joined = states_.Append(LmStates::kBegin, item, phrases_[item]);
    ++statistics_.evaluations;
    const float score = store_.item(item).best.score + glue.step + lm_weight_ * joined.delta;
    float rank = score + cell.future;
    if (cell.complete) rank += lm_weight_ * states_.End(joined.state);
    InsertS({.best = {.score = score, .lm = joined.delta, .match = match},
             .rank = rank,
             .cell = glue.cell,
             .state = joined.state},
            {&item, 1});
  }
}

size_t BeamStacks::TailOfAxis(MatchId match, uint32_t option, size_t k) const {
  return (match & kGlueBit) != 0 ? k : store_.rule(match).targets->NonterminalAt(option, static_cast<int>(k));
}

uint32_t BeamStacks::CornerItems(MatchId match) {
  const size_t count = store_.TailCount(match);
  const uint32_t tails = RoomForItems(count);
  for (size_t k = 0; k < count; ++k) candidate_items_[tails + k] = store_.TailCell(match, k).first_item;
  return tails;
}

void BeamStacks::Score(const Combination& combination) {
  if ((combination.match & kGlueBit) != 0)
    ScoreGlue(combination);
  else
    ScoreRule(combination);
}

void BeamStacks::PushLast() {
  stop_.Step();
  queue_.Push(PackedKey(candidates_.back().rank, static_cast<uint32_t>(candidates_.size() - 1)));
}

void BeamStacks::PushCorner(MatchId match) {
  Score({match, 0, CornerItems(match), kNone});
  PushLast();
}

void BeamStacks::PushGlueNeighbours(const Combination& from) {
  for (const size_t tail : {1, 0}) {
    const Cell& group = store_.TailCell(from.match, tail);
    const uint32_t rank = candidate_items_[from.tails + tail] - group.first_item;
    if (rank + 1 < group.item_count) {
      ScoreGlue({from.match, 0, NextItems(from, 2, tail), kNone});
      PushLast();
    }
    if (rank != 0) return;
  }
}

void BeamStacks::PushRuleNeighbours(const Combination& from) {
  const RuleMatch& rule = store_.rule(from.match);
  for (int axis = rule.tail_count - 1; axis >= 0; --axis) {
    const size_t tail = rule.targets->NonterminalAt(from.option, axis);
    const Cell& group = store_.TailCell(rule, tail);
    const uint32_t rank = candidate_items_[from.tails + tail] - group.first_item;
    if (rank + 1 < group.item_count) {
      const bool last = axis + 1 == rule.tail_count;
      ScoreRule({from.match, from.option, NextItems(from, rule.tail_count, tail), last ? from.prefix : kNone});
      PushLast();
    }
    if (rank != 0) return;
  }
  if (from.option + 1 < rule.targets->size()) {
    ScoreRule({from.match, from.option + 1, CornerItems(from.match), kNone});
    PushLast();
  }
}

void BeamStacks::InsertCandidate(const Candidate& candidate) {
  const Combination& taken = candidate.combination;
  const std::span<const uint32_t> tails(candidate_items_.data() + taken.tails, store_.TailCount(taken.match));
  OpenItem item{.best = {.score = candidate.score, .lm = candidate.lm, .match = taken.match, .option = taken.option},
                .rank = candidate.rank,
                .state = candidate.state};
  if ((taken.match & kGlueBit) != 0) {
    item.cell = store_.glue(taken.match).cell;
    InsertS(item, tails);
  } else {
    item.cell = store_.rule(taken.match).cell;
    InsertX(item, tails);
  }
}

// Whether nothing left in the queue could be kept, as far as its best says.
bool BeamStacks::Hopeless(const StackLimits& limits) {
  if (stack_.items().size() <= limits.beam) return false;
  ranks_.clear();
  for (const OpenItem& item : stack_.items()) ranks_.push_back(item.rank);
  const auto worst_kept = ranks_.begin() + static_cast<ptrdiff_t>(limits.beam) - 1;
  std::nth_element(ranks_.begin(), worst_kept, ranks_.end(), std::greater<>());
  return ScoreOf(queue_.Top()) < *worst_kept;
}

void BeamStacks::RunQueue(const StackLimits& limits) {
  for (uint64_t pops = 0; pops < limits.pops && !queue_.empty(); ++pops) {
    if (limits.stop_rule && pops % kPopsBetweenChecks == kPopsBetweenChecks - 1 && Hopeless(limits)) break;
    ++statistics_.pops;
    const uint32_t popped = IdOf(queue_.Pop());
    if (popped != inserted_) InsertCandidate(candidates_[popped]);
    const Combination from = candidates_[popped].combination;  // a copy: candidates are added
    if ((from.match & kGlueBit) != 0)
      PushGlueNeighbours(from);
    else
      PushRuleNeighbours(from);
  }
}

// Every combination of a match, one after the other: nothing is kept of those that do not enter the stack.
void BeamStacks::InsertAll(MatchId match) {
  const size_t count = store_.TailCount(match);
  const size_t options = (match & kGlueBit) != 0 ? 1 : store_.rule(match).targets->size();
  for (uint32_t option = 0; option < options; ++option) {
    items_used_ = 0;
    const uint32_t tails = CornerItems(match);
    uint32_t prefix = kNone;
    for (size_t axis = count; axis > 0;) {
      Score({match, option, tails, prefix});
      prefix = candidates_[0].combination.prefix;
      ++statistics_.pops;
      InsertCandidate(candidates_[0]);
      candidates_.clear();
      // The last axis that can moves on, those after it start again.
      for (axis = count; axis > 0; --axis) {
        const size_t tail = TailOfAxis(match, option, axis - 1);
        const Cell& group = store_.TailCell(match, tail);
        if (++candidate_items_[tail] < group.first_item + group.item_count) break;
        candidate_items_[tail] = group.first_item;
        prefix = kNone;
        prefixes_.clear();
      }
    }
  }
}

// A stack with the matches of the store from first_rule and first_glue on.
void BeamStacks::InsertMatches(MatchId first_rule, MatchId first_glue, const StackLimits& limits) {
  const bool all = limits.pops == UINT64_MAX;  // nothing to choose, no queue
  auto open = [&](MatchId match) { all ? InsertAll(match) : PushCorner(match); };
  for (MatchId match = first_rule; match < store_.rules(); ++match) {
    if (store_.rule(match).targets->nonterminals == 0)
      InsertTargets(match);
    else
      open(match);
  }
  for (MatchId match = first_glue; match < store_.glues(); ++match) {
    if (store_.glue(match).s == kNoCell) {
      InsertSentenceStarts(match);
      continue;
    }
    open(match);
    if (!store_.glue(match).guaranteed || all) continue;
    inserted_ = static_cast<uint32_t>(candidates_.size() - 1);
    InsertCandidate(candidates_.back());
  }
}

// What later stacks need of the survivors, which are the last items of the store.
void BeamStacks::KeepStrings(std::span<const uint32_t> survivors) {
  auto item = static_cast<uint32_t>(store_.items().size() - survivors.size());
  phrases_.resize(store_.items().size());
  yields_.resize(store_.items().size());
  for (const uint32_t id : survivors) {
    const OpenItem& survivor = stack_.items()[id];
    if (!store_.cell(survivor.cell).sentence) {
      const StringMemo::String& string = strings_[survivor.state];
      phrases_[item] = string.phrase;
      yields_[item] = {string.key, string.inside, survivor.best.score};
      ++statistics_.lm_states;
    }
    ++item;
  }
}

std::span<const uint32_t> BeamStacks::Fill(std::span<const RuleMatch> rules, std::span<const GlueMatch> glue,
                                           const StackLimits& limits) {
  CheckMatches(model_.table(), rules);
  const MatchId first_rule = store_.rules(), first_glue = store_.glues();
  store_.AddMatches(rules, glue);
  stack_.Open();
  strings_.Clear();
  candidates_.clear();
  items_used_ = 0;
  prefixes_.clear();
  queue_.Clear();
  inserted_ = kNone;
  best_ = -std::numeric_limits<float>::infinity();
  floor_ = limits.log_threshold;
  const uint64_t calls_before = states_.calls();
  const size_t states_before = states_.size();

  InsertMatches(first_rule, first_glue, limits);
  RunQueue(limits);
  KeepStrings(stack_.Close(limits));

  statistics_.edges += rules.size() + glue.size();
  statistics_.new_hypotheses += stack_.items().size();
  statistics_.recombined = stack_.recombined();
  statistics_.lm_calls += states_.calls() - calls_before;
  statistics_.lm_states += states_.size() - states_before;
  return stack_.finished();
}

}  // namespace graft::engine
