#include "search/beam_stacks.h"

#include <algorithm>

#include "search/packed_key.h"
#include "search/place_index.h"

namespace graft {
namespace {

constexpr uint32_t kNoPrefix = UINT32_MAX;
constexpr uint64_t kPopsBetweenChecks = 64;

// The parts of a join, at most two non-terminals and three segments.
class Parts {
 public:
  void Add(const LmPhrase& phrase) { parts_[count_++] = &phrase; }
  void AddSegment(const ScoredTargets& targets, uint32_t option, int k) {
    if (targets.options[option].HasSegment(k)) Add(targets.Segment(option, k));
  }
  std::span<const LmPhrase* const> span() const { return {parts_.data(), count_}; }
  size_t size() const { return count_; }

 private:
  std::array<const LmPhrase*, 2 * kMostNonterminals + 1> parts_;
  size_t count_ = 0;
};

}  // namespace

BeamStacks::BeamStacks(const Model& model) : ItemStacks(model), states_(model.lm()) {}

void BeamStacks::Reset(bool keep_arcs) {
  ItemStacks::Reset(keep_arcs);
  states_.Reset();
  phrases_.clear();
  yields_.clear();
}

void BeamStacks::InsertX(const Made& made, uint32_t string) {
  if (made.rank < best_ + floor_ && places_[made.place].guard == kNoGuard) return;
  best_ = std::max(best_, made.rank);
  const uint64_t hash = strings_[string].hash + made.place * 0xbf58476d1ce4e5b9ull;
  const bool fresh = Insert(hash, made, [&](uint32_t id) {
    return made_states_[id] == string || SamePhrase(strings_[made_states_[id]].phrase, strings_[string].phrase);
  });
  if (fresh) made_states_.push_back(string);
}

void BeamStacks::InsertS(const Made& made, uint32_t state) {
  if (made.rank < best_ + floor_ && places_[made.place].guard == kNoGuard) return;
  best_ = std::max(best_, made.rank);
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
    InsertX({{score, 0, match, o, {kNone, kNone}, 0}, score + future, rule.place, 0}, string);
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
    InsertS({{score, joined.delta, match | kGlueBit, 0, {item, kNone}, 0}, rank, glue.place, 0}, joined.state);
  }
}

// What the language model adds where the parts of a combination meet.
float BeamStacks::Join(uint32_t match, uint32_t option, uint32_t first, uint32_t second, uint32_t* prefix,
                       LmPhrase* joined) {
  const ScoredTargets& targets = *rules_[match].targets;
  Parts parts;
  float lm = 0;
  if (*prefix == kNoPrefix) {
    parts.AddSegment(targets, option, 0);
    parts.Add(phrases_[first]);
    parts.AddSegment(targets, option, 1);
    statistics_.lm_calls += parts.size() - 1;
    if (targets.nonterminals == 1) return model_.lm().Join(parts.span(), joined);
    if (parts.size() > 1) {
      *prefix = static_cast<uint32_t>(prefixes_.size());
      Prefix& made = prefixes_.emplace_back();
      made.lm = model_.lm().Join(parts.span(), &made.phrase);
    }
  }
  if (*prefix != kNoPrefix) {
    parts = {};
    parts.Add(prefixes_[*prefix].phrase);
    lm = prefixes_[*prefix].lm;
  }
  parts.Add(phrases_[second]);
  parts.AddSegment(targets, option, 2);
  statistics_.lm_calls += parts.size() - 1;
  return lm + model_.lm().Join(parts.span(), joined);
}

void BeamStacks::ScoreRule(uint32_t match, uint32_t option, uint32_t u, uint32_t v, uint32_t prefix) {
  const RuleMatch& rule = rules_[match];
  const ScoredTargets& targets = *rule.targets;
  const size_t first_tail = targets.options[option].swapped ? 1 : 0;
  const bool two = targets.nonterminals == 2;
  const uint32_t first = places_[rule.tails[first_tail]].first_item + u;
  const uint32_t second = two ? places_[rule.tails[1 - first_tail]].first_item + v : kNone;
  float score = yields_[first].score;
  float inside = targets.options[option].lm_inside + yields_[first].inside;
  StringKey key = targets.SegmentKey(option, 0);
  key += yields_[first].key;
  key += targets.SegmentKey(option, 1);
  if (two) {
    score += yields_[second].score;
    inside += yields_[second].inside;
    key += yields_[second].key;
    key += targets.SegmentKey(option, 2);
  }
  ++statistics_.evaluations;
  float lm = 0;
  bool fresh = false;
  const uint32_t string = strings_.Find(key, &fresh);
  if (fresh) {
    lm = Join(match, option, first, second, &prefix, &strings_[string].phrase);
    strings_[string].inside = inside + lm;
    strings_.Seal(string);
  } else {
    lm = strings_[string].inside - inside;
  }
  score = score + targets.estimates[option] + rule.step + model_.weights()[kLanguageModel] * lm;
  const float rank = score + places_[rule.place].future;
  candidates_.push_back({score, rank, lm, match, option, u, v, prefix, string});
}

void BeamStacks::ScoreGlue(uint32_t match, uint32_t s, uint32_t x) {
  const GlueMatch& glue = glue_[match];
  const Place& place = places_[glue.place];
  const Item& sentence = items_[places_[glue.s].first_item + s];
  const uint32_t item = places_[glue.x].first_item + x;
  const float lm_weight = model_.weights()[kLanguageModel];
  const LmStates::Joined joined = states_.Append(sentence.state, item, phrases_[item]);
  ++statistics_.evaluations;
  const float score = sentence.way.score + yields_[item].score + glue.step + lm_weight * joined.delta;
  float rank = score + place.future;
  if (place.complete) rank += lm_weight * states_.End(joined.state);
  candidates_.push_back({score, rank, joined.delta, match | kGlueBit, s, x, 0, kNoPrefix, joined.state});
}

void BeamStacks::PushLast() {
  queue_.Push(PackedKey(candidates_.back().rank, static_cast<uint32_t>(candidates_.size() - 1)));
}
void BeamStacks::PushRule(uint32_t match, uint32_t option, uint32_t u, uint32_t v, uint32_t prefix) {
  ScoreRule(match, option, u, v, prefix);
  PushLast();
}
void BeamStacks::PushGlue(uint32_t match, uint32_t s, uint32_t x) {
  ScoreGlue(match, s, x);
  PushLast();
}

void BeamStacks::PushCorner(uint32_t match) {
  if ((match & kGlueBit) != 0)
    PushGlue(match & ~kGlueBit, 0, 0);
  else
    PushRule(match, 0, 0, 0, kNoPrefix);
}

void BeamStacks::PushNeighbours(const Candidate& from) {
  if ((from.match & kGlueBit) != 0) {
    const uint32_t match = from.match & ~kGlueBit;
    if (from.u + 1 < places_[glue_[match].x].item_count) PushGlue(match, from.option, from.u + 1);
    if (from.u == 0 && from.option + 1 < places_[glue_[match].s].item_count) PushGlue(match, from.option + 1, 0);
    return;
  }
  const RuleMatch& rule = rules_[from.match];
  const bool swapped = rule.targets->options[from.option].swapped;
  const bool two = rule.targets->nonterminals == 2;
  if (two && from.v + 1 < places_[rule.tails[swapped ? 0 : 1]].item_count)
    PushRule(from.match, from.option, from.u, from.v + 1, from.prefix);
  if (from.v != 0) return;
  if (from.u + 1 < places_[rule.tails[swapped ? 1 : 0]].item_count)
    PushRule(from.match, from.option, from.u + 1, 0, kNoPrefix);
  if (from.u == 0 && from.option + 1 < rule.targets->size()) PushRule(from.match, from.option + 1, 0, 0, kNoPrefix);
}

void BeamStacks::InsertCandidate(uint32_t candidate) {
  const Candidate& taken = candidates_[candidate];
  if ((taken.match & kGlueBit) != 0) {
    if (taken.v != 0) return;
    const GlueMatch& glue = glue_[taken.match & ~kGlueBit];
    InsertS({{taken.score,
              taken.lm,
              taken.match,
              0,
              {places_[glue.s].first_item + taken.option, places_[glue.x].first_item + taken.u},
              0},
             taken.rank,
             glue.place,
             0},
            taken.state);
  } else {
    const RuleMatch& rule = rules_[taken.match];
    const bool two = rule.targets->nonterminals == 2;
    const bool swapped = rule.targets->options[taken.option].swapped;
    std::array<uint32_t, 2> tails = {kNone, kNone};
    tails[0] = places_[rule.tails[0]].first_item + (swapped ? taken.v : taken.u);
    if (two) tails[1] = places_[rule.tails[1]].first_item + (swapped ? taken.u : taken.v);
    InsertX({{taken.score, taken.lm, taken.match, taken.option, tails, 0}, taken.rank, rule.place, 0}, taken.state);
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
  auto insert = [&] {
    ++statistics_.pops;
    InsertCandidate(0);
    candidates_.clear();
  };
  if ((match & kGlueBit) != 0) {
    const GlueMatch& glue = glue_[match & ~kGlueBit];
    for (uint32_t s = 0; s < places_[glue.s].item_count; ++s)
      for (uint32_t x = 0; x < places_[glue.x].item_count; ++x) {
        ScoreGlue(match & ~kGlueBit, s, x);
        insert();
      }
    return;
  }
  const RuleMatch& rule = rules_[match];
  for (uint32_t o = 0; o < rule.targets->size(); ++o) {
    const size_t first = rule.targets->options[o].swapped ? 1 : 0;
    const uint32_t second_items = rule.targets->nonterminals == 2 ? places_[rule.tails[1 - first]].item_count : 1;
    for (uint32_t u = 0; u < places_[rule.tails[first]].item_count; ++u) {
      prefixes_.clear();
      uint32_t prefix = kNoPrefix;
      for (uint32_t v = 0; v < second_items; ++v) {
        ScoreRule(match, o, u, v, prefix);
        prefix = candidates_[0].prefix;
        insert();
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
      PushGlue(g, 0, 0);
      InsertCandidate(static_cast<uint32_t>(candidates_.size() - 1));
      candidates_.back().v = 1;
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

}  // namespace graft
