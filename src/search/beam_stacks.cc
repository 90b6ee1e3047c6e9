#include "search/beam_stacks.h"

#include <algorithm>

#include "search/packed_key.h"
#include "search/place_index.h"

namespace graft::engine {
namespace {

constexpr uint32_t kNoPrefix = UINT32_MAX;
constexpr uint64_t kPopsBetweenChecks = 64;

}  // namespace

BeamStacks::BeamStacks(const DecodingModel& model) : ItemStacks(model), states_(model.lm()) {}

void BeamStacks::Reset(bool keep_arcs, const StopCheck& stop) {
  ItemStacks::Reset(keep_arcs, stop);
  states_.Reset();
  phrases_.clear();
  yields_.clear();
}

void BeamStacks::InsertX(Made made, std::span<const uint32_t> tails, uint32_t string) {
  stop_.Step();
  if (made.rank < best_ + floor_ && places_[made.place].guard == kNoGuard) return;
  best_ = std::max(best_, made.rank);
  made.way.first_tail = AddItems(tails);
  const uint64_t hash = strings_[string].hash + made.place * 0xbf58476d1ce4e5b9ull;
  const bool fresh = Insert(hash, made, [&](uint32_t id) {
    return made_states_[id] == string || SamePhrase(strings_[made_states_[id]].phrase, strings_[string].phrase);
  });
  if (fresh) made_states_.push_back(string);
}

void BeamStacks::InsertS(Made made, std::span<const uint32_t> tails, uint32_t state) {
  stop_.Step();
  if (made.rank < best_ + floor_ && places_[made.place].guard == kNoGuard) return;
  best_ = std::max(best_, made.rank);
  made.way.first_tail = AddItems(tails);
  if (Insert(MixHash(made.place, state), made, [&](uint32_t id) { return made_states_[id] == state; }))
    made_states_.push_back(state);
}

void BeamStacks::InsertTargets(uint32_t match) {
  const RuleMatch& rule = rules_[match];
  const float future = places_[rule.place].future;
  for (uint32_t o = 0; o < rule.targets->size(); ++o) {
    const float score = rule.targets->estimates[o] + rule.step;
    const StringKey& key = rule.targets->SegmentKey(o, 0);
    bool fresh = false;
    const uint32_t string = strings_.Find(key, &fresh);
    if (fresh) {
      strings_[string].phrase = rule.targets->Segment(o, 0);
      strings_[string].inside = rule.targets->options[o].lm_inside;
      strings_.Seal(string);
    }
    InsertX({{score, 0, match, o, 0, 0}, score + future, rule.place, 0}, {}, string);
  }
}

void BeamStacks::InsertSentenceStarts(uint32_t match) {
  const GlueMatch& glue = glue_[match];
  const Place& x = places_[glue.x];
  const Place& place = places_[glue.place];
  const float lm_weight = model_.weights()[kLanguageModel];
  for (uint32_t item = x.first_item; item < x.first_item + x.item_count; ++item) {
    const LmStates::Joined joined = states_.Append(LmStates::kBegin, item, phrases_[item]);
    ++statistics_.evaluations;
    const float score = items_[item].way.score + glue.step + lm_weight * joined.delta;
    float rank = score + place.future;
    if (place.complete) rank += lm_weight * states_.End(joined.state);
    InsertS({{score, joined.delta, match | kGlueBit, 0, 0, 0}, rank, glue.place, 0}, {&item, 1}, joined.state);
  }
}

const Place& BeamStacks::Group(uint32_t match, size_t k) const {
  if ((match & kGlueBit) == 0) return TailPlace(rules_[match], k);
  const GlueMatch& glue = glue_[match & ~kGlueBit];
  return places_[k == 0 ? glue.s : glue.x];
}

size_t BeamStacks::TailOfAxis(uint32_t match, uint32_t option, size_t k) const {
  return (match & kGlueBit) != 0 ? k : rules_[match].targets->NonterminalAt(option, static_cast<int>(k));
}

uint32_t BeamStacks::CornerItems(uint32_t match) {
  const size_t count = TailCount(match);
  const uint32_t tails = RoomForItems(count);
  for (size_t k = 0; k < count; ++k) candidate_items_[tails + k] = Group(match, k).first_item;
  return tails;
}

// What the language model adds where the parts of a combination meet.
float BeamStacks::Join(const ScoredTargets& targets, uint32_t option, const uint32_t* tails, uint32_t* prefix,
                       LmPhrase* joined) {
  const int last = targets.nonterminals - 1;
  if (parts_.size() < 2 * static_cast<size_t>(last) + 3) parts_.resize(2 * static_cast<size_t>(last) + 3);
  const LmPhrase** const parts = parts_.data();
  size_t count = 0;
  const auto add_segment = [&](int k) {
    if (targets.options[option].HasSegment(k)) parts[count++] = &targets.Segment(option, k);
  };
  const auto add_item = [&](int k) { parts[count++] = &phrases_[tails[targets.NonterminalAt(option, k)]]; };
  float lm = 0;
  if (*prefix == kNoPrefix) {
    add_segment(0);
    for (int k = 0; k < last; ++k) {
      add_item(k);
      add_segment(k + 1);
    }
    if (count > 1) {
      statistics_.lm_calls += count - 1;
      *prefix = static_cast<uint32_t>(prefixes_.size());
      Prefix& made = prefixes_.emplace_back();
      made.lm = model_.lm().Join({parts, count}, &made.phrase);
    }
  }
  if (*prefix != kNoPrefix) {
    parts[0] = &prefixes_[*prefix].phrase;
    count = 1;
    lm = prefixes_[*prefix].lm;
  }
  add_item(last);
  add_segment(last + 1);
  statistics_.lm_calls += count - 1;
  return lm + model_.lm().Join({parts, count}, joined);
}

void BeamStacks::ScoreRule(uint32_t match, uint32_t option, uint32_t first_item, uint32_t prefix) {
  const RuleMatch& rule = rules_[match];
  const ScoredTargets& targets = *rule.targets;
  const uint32_t* tails = candidate_items_.data() + first_item;
  float score = 0;
  float inside = targets.options[option].lm_inside;
  StringKey key = targets.SegmentKey(option, 0);
  for (int k = 0; k < targets.nonterminals; ++k) {
    const Yield& yield = yields_[tails[targets.NonterminalAt(option, k)]];
    score += yield.score;
    inside += yield.inside;
    key += yield.key;
    key += targets.SegmentKey(option, k + 1);
  }
  ++statistics_.evaluations;
  float lm = 0;
  bool fresh = false;
  const uint32_t string = strings_.Find(key, &fresh);
  if (fresh) {
    lm = Join(targets, option, tails, &prefix, &strings_[string].phrase);
    strings_[string].inside = inside + lm;
    strings_.Seal(string);
  } else {
    lm = strings_[string].inside - inside;
  }
  score = score + targets.estimates[option] + rule.step + model_.weights()[kLanguageModel] * lm;
  const float rank = score + places_[rule.place].future;
  candidates_.push_back({score, rank, lm, match, option, first_item, prefix, string});
}

void BeamStacks::ScoreGlue(uint32_t match, uint32_t tails) {
  const GlueMatch& glue = glue_[match & ~kGlueBit];
  const Place& place = places_[glue.place];
  const Item& sentence = items_[candidate_items_[tails]];
  const uint32_t item = candidate_items_[tails + 1];
  const float lm_weight = model_.weights()[kLanguageModel];
  const LmStates::Joined joined = states_.Append(sentence.state, item, phrases_[item]);
  ++statistics_.evaluations;
  const float score = sentence.way.score + yields_[item].score + glue.step + lm_weight * joined.delta;
  float rank = score + place.future;
  if (place.complete) rank += lm_weight * states_.End(joined.state);
  candidates_.push_back({score, rank, joined.delta, match, 0, tails, kNoPrefix, joined.state});
}

void BeamStacks::Score(uint32_t match, uint32_t option, uint32_t tails, uint32_t prefix) {
  if ((match & kGlueBit) != 0)
    ScoreGlue(match, tails);
  else
    ScoreRule(match, option, tails, prefix);
}

void BeamStacks::PushLast() {
  stop_.Step();
  queue_.Push(PackedKey(candidates_.back().rank, static_cast<uint32_t>(candidates_.size() - 1)));
}

void BeamStacks::PushCorner(uint32_t match) {
  Score(match, 0, CornerItems(match), kNoPrefix);
  PushLast();
}

void BeamStacks::PushNeighbours(const Candidate& from) {
  if ((from.match & kGlueBit) != 0) {
    for (size_t tail : {1, 0}) {
      const Place& group = Group(from.match, tail);
      const uint32_t rank = candidate_items_[from.tails + tail] - group.first_item;
      if (rank + 1 < group.item_count) {
        ScoreGlue(from.match, NextItems(from, 2, tail));
        PushLast();
      }
      if (rank != 0) return;
    }
    return;
  }
  const RuleMatch& rule = rules_[from.match];
  const std::span<const Tail> tails = Tails(rule);
  for (int axis = rule.tail_count - 1; axis >= 0; --axis) {
    const size_t tail = rule.targets->NonterminalAt(from.option, axis);
    const Place& group = places_[tails[tail].place];
    const uint32_t rank = candidate_items_[from.tails + tail] - group.first_item;
    if (rank + 1 < group.item_count) {
      const bool last = axis + 1 == rule.tail_count;
      ScoreRule(from.match, from.option, NextItems(from, tails.size(), tail), last ? from.prefix : kNoPrefix);
      PushLast();
    }
    if (rank != 0) return;
  }
  if (from.option + 1 < rule.targets->size()) {
    ScoreRule(from.match, from.option + 1, CornerItems(from.match), kNoPrefix);
    PushLast();
  }
}

void BeamStacks::InsertCandidate(uint32_t candidate) {
  const Candidate& taken = candidates_[candidate];
  const std::span<const uint32_t> tails(candidate_items_.data() + taken.tails, TailCount(taken.match));
  Made made{{taken.score, taken.lm, taken.match, 0, 0, 0}, taken.rank, 0, 0};
  if ((taken.match & kGlueBit) != 0) {
    if (taken.option != 0) return;
    made.place = glue_[taken.match & ~kGlueBit].place;
    InsertS(made, tails, taken.state);
  } else {
    made.way.option = taken.option;
    made.place = rules_[taken.match].place;
    InsertX(made, tails, taken.state);
  }
}

// Whether nothing left in the queue could be kept, as far as its best says.
bool BeamStacks::Hopeless(const StackLimits& limits) {
  if (made_.size() <= limits.beam || limits.beam == 0) return false;
  ranks_.clear();
  for (const Made& made : made_) ranks_.push_back(made.rank);
  const auto worst_kept = ranks_.begin() + static_cast<ptrdiff_t>(limits.beam) - 1;
  std::nth_element(ranks_.begin(), worst_kept, ranks_.end(), std::greater<>());
  return ScoreOf(queue_.Top()) < *worst_kept;
}

void BeamStacks::RunQueue(const StackLimits& limits) {
  for (uint64_t pops = 0; pops < limits.pops && !queue_.empty(); ++pops) {
    if (limits.stop_rule && pops % kPopsBetweenChecks == kPopsBetweenChecks - 1 && Hopeless(limits)) break;
    ++statistics_.pops;
    const uint32_t candidate = IdOf(queue_.Pop());
    InsertCandidate(candidate);
    PushNeighbours(Candidate(candidates_[candidate]));
  }
}

// Every combination of a match, one after the other: nothing is kept of those that do not enter the stack.
void BeamStacks::InsertAll(uint32_t match) {
  const size_t count = TailCount(match);
  const size_t options = (match & kGlueBit) != 0 ? 1 : rules_[match].targets->size();
  for (uint32_t option = 0; option < options; ++option) {
    items_used_ = 0;
    const uint32_t tails = CornerItems(match);
    uint32_t prefix = kNoPrefix;
    for (size_t axis = count; axis > 0;) {
      Score(match, option, tails, prefix);
      prefix = candidates_[0].prefix;
      ++statistics_.pops;
      InsertCandidate(0);
      candidates_.clear();
      // The last axis that can moves on, those after it start again.
      for (axis = count; axis > 0; --axis) {
        const size_t tail = TailOfAxis(match, option, axis - 1);
        const Place& group = Group(match, tail);
        if (++candidate_items_[tail] < group.first_item + group.item_count) break;
        candidate_items_[tail] = group.first_item;
        prefix = kNoPrefix;
        prefixes_.clear();
      }
    }
  }
}

std::span<const uint32_t> BeamStacks::Fill(std::span<const RuleMatch> rules, std::span<const GlueMatch> glue,
                                           const StackLimits& limits) {
  Open(rules, glue);
  const uint64_t calls_before = states_.calls();
  const size_t states_before = states_.size();
  strings_.Clear();
  made_states_.clear();
  candidates_.clear();
  items_used_ = 0;
  prefixes_.clear();
  queue_.Clear();
  best_ = -std::numeric_limits<float>::infinity();
  floor_ = limits.log_threshold;

  const bool all = limits.pops == UINT64_MAX;  // nothing to choose, no queue
  auto open = [&](uint32_t match) { all ? InsertAll(match) : PushCorner(match); };
  for (uint32_t m = first_rule_; m < rules_.size(); ++m) {
    if (rules_[m].targets->nonterminals == 0)
      InsertTargets(m);
    else
      open(m);
  }
  for (uint32_t g = first_glue_; g < glue_.size(); ++g) {
    if (glue_[g].s == kNoPlace) {
      InsertSentenceStarts(g);
    } else if (glue_[g].sure && !all) {
      open(g | kGlueBit);
      InsertCandidate(static_cast<uint32_t>(candidates_.size() - 1));
      candidates_.back().option = 1;
    } else {
      open(g | kGlueBit);
    }
  }
  RunQueue(limits);

  const std::span<const uint32_t> survivors = Close(limits);
  auto item = static_cast<uint32_t>(items_.size() - survivors.size());
  phrases_.resize(items_.size());
  yields_.resize(items_.size());
  for (const uint32_t id : survivors) {
    items_[item].state = made_states_[id];
    if (!places_[made_[id].place].sentence) {
      const StringMemo::String& string = strings_[made_states_[id]];
      phrases_[item] = string.phrase;
      yields_[item] = {string.key, string.inside, made_[id].way.score};
      ++statistics_.lm_states;
    }
    ++item;
  }
  statistics_.lm_calls += states_.calls() - calls_before;
  statistics_.lm_states += states_.size() - states_before;
  return finished();
}

}  // namespace graft::engine
