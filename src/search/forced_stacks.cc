#include "search/forced_stacks.h"

#include <algorithm>

#include "search/place_index.h"
#include "text/utf8.h"

namespace graft {

ForcedStacks::ForcedStacks(const GrammarInput& input, const std::vector<std::string>& target, uint64_t max_edges)
    : ItemStacks(input.model()), input_(input), target_(target), max_edges_(max_edges) {
  LmState state = model_.lm().BeginState();
  for (const std::string& token : target) {
    const WordId id = model_.table().FindTarget(token);
    ids_.push_back(id == kNoWord ? 0 : TargetWord(id));
    LmState next;
    const std::string word = model_.config().text.lowercase ? Lowercase(token) : token;
    lm_ += model_.lm().Score(state, model_.lm().Word(word), &next);
    state = next;
  }
  lm_ += model_.lm().ScoreEnd(state);
  Reset(true);
}

bool ForcedStacks::SameAsCopy(int source, uint32_t position) const {
  const std::string& token = input_.sentence().tokens[static_cast<size_t>(source)];
  const std::string& wanted = target_[position];
  return token == wanted || (model_.config().text.lowercase && Lowercase(token) == wanted);
}

bool ForcedStacks::StandsAt(const RuleMatch& match, std::span<const TargetSymbol> words, uint32_t position) const {
  if (position + words.size() > target_.size()) return false;
  if (match.targets->copied()) return SameAsCopy(Words(match)[0], position);
  return std::equal(words.begin(), words.end(), ids_.begin() + position);
}

void ForcedStacks::Make(uint32_t place, const Way& way, Yield yield) {
  if (places_[place].complete && yield.end != target_.size()) return;
  if (++edges_ > max_edges_) {
    too_large_ = true;
    return;
  }
  ++statistics_.pops;
  const uint32_t state = yield.begin << 16 | yield.end;
  if (Insert(MixHash(place, state), {way, way.score, place, 0}, [&](uint32_t id) { return made_yields_[id] == state; }))
    made_yields_.push_back(state);
}

void ForcedStacks::MakeFromTarget(uint32_t match, uint32_t option_id) {
  const RuleMatch& rule = rules_[match];
  const ScoredTargets& targets = *rule.targets;
  const TargetOption& option = targets.options[option_id];
  const float own = option.estimate - model_.weights()[kLanguageModel] * option.lm_inside + rule.step;
  // The words before, between and after the non-terminals.
  std::array<std::span<const TargetSymbol>, kMostNonterminals + 1> segments;
  const std::span<const TargetSymbol> symbols = targets.Symbols(option);
  size_t begin = 0, segment = 0;
  for (size_t i = 0; i < symbols.size(); ++i) {
    if (IsTargetWord(symbols[i])) continue;
    segments[segment++] = symbols.subspan(begin, i - begin);
    begin = i + 1;
  }
  segments[segment] = symbols.subspan(begin);

  if (targets.nonterminals == 0) {
    for (uint32_t at = 0; at + symbols.size() <= target_.size() && !too_large_; ++at)
      if (StandsAt(rule, symbols, at))
        Make(rule.place, {own, 0, match, option_id, {kNone, kNone}, 0},
             {at, at + static_cast<uint32_t>(symbols.size())});
    return;
  }
  const size_t first_tail = option.swapped ? 1 : 0;
  const Place first = places_[rule.tails[first_tail]];
  for (uint32_t a = first.first_item; a < first.first_item + first.item_count && !too_large_; ++a) {
    const Yield left = YieldOf(items_[a].state);
    const auto before = static_cast<uint32_t>(segments[0].size());
    if (left.begin < before || !StandsAt(rule, segments[0], left.begin - before)) continue;
    if (!StandsAt(rule, segments[1], left.end)) continue;
    const uint32_t next = left.end + static_cast<uint32_t>(segments[1].size());
    std::array<uint32_t, 2> tails = {kNone, kNone};
    tails[first_tail] = a;
    if (targets.nonterminals == 1) {
      Make(rule.place, {items_[a].way.score + own, 0, match, option_id, tails, 0}, {left.begin - before, next});
      continue;
    }
    const Place second = places_[rule.tails[1 - first_tail]];
    for (uint32_t b = second.first_item; b < second.first_item + second.item_count && !too_large_; ++b) {
      const Yield right = YieldOf(items_[b].state);
      if (right.begin != next || !StandsAt(rule, segments[2], right.end)) continue;
      tails[1 - first_tail] = b;
      Make(rule.place, {items_[a].way.score + items_[b].way.score + own, 0, match, option_id, tails, 0},
           {left.begin - before, right.end + static_cast<uint32_t>(segments[2].size())});
    }
  }
}

void ForcedStacks::MakeFromRule(uint32_t match) {
  for (uint32_t o = 0; o < rules_[match].targets->size() && !too_large_; ++o) MakeFromTarget(match, o);
}

void ForcedStacks::MakeFromGlue(uint32_t match) {
  const GlueMatch& glue = glue_[match];
  const Place x = places_[glue.x];
  for (uint32_t b = x.first_item; b < x.first_item + x.item_count && !too_large_; ++b) {
    const Yield right = YieldOf(items_[b].state);
    if (glue.s == kNoPlace) {
      if (right.begin == 0)
        Make(glue.place, {items_[b].way.score + glue.step, 0, match | kGlueBit, 0, {b, kNone}, 0}, right);
      continue;
    }
    const Place s = places_[glue.s];
    for (uint32_t a = s.first_item; a < s.first_item + s.item_count && !too_large_; ++a)
      if (YieldOf(items_[a].state).end == right.begin)
        Make(glue.place, {items_[a].way.score + items_[b].way.score + glue.step, 0, match | kGlueBit, 0, {a, b}, 0},
             {0, right.end});
  }
}

std::span<const uint32_t> ForcedStacks::Fill(std::span<const RuleMatch> rules, std::span<const GlueMatch> glue,
                                             const StackLimits&) {
  made_yields_.clear();
  // Matches are kept like edges, whether or not they lead to one.
  edges_ += rules.size() + glue.size();
  if (edges_ > max_edges_) {
    too_large_ = true;
    rules = {};
    glue = {};
  }
  Open(rules, glue);
  for (uint32_t m = first_rule_; m < rules_.size() && !too_large_; ++m) MakeFromRule(m);
  for (uint32_t g = first_glue_; g < glue_.size() && !too_large_; ++g) MakeFromGlue(g);
  const std::span<const uint32_t> survivors = Close({});
  size_t item = items_.size() - survivors.size();
  for (const uint32_t id : survivors) items_[item++].state = made_yields_[id];
  return finished();
}

}  // namespace graft
