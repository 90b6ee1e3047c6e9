#include "search/forced_stacks.h"

#include <algorithm>
#include <array>

#include "search/place_index.h"
#include "util/utf8.h"

namespace graft::engine {

ForcedStacks::ForcedStacks(GrammarInput* input, const std::vector<std::string>& target, uint64_t max_edges)
    : ItemStacks(input->model()), input_(*input), target_(target), max_edges_(max_edges) {
  LmState state = model_.lm().BeginState();
  for (const std::string& token : target) {
    const WordId id = model_.table().FindTarget(token);
    ids_.push_back(id == kNoWord ? 0 : TargetWord(id));
    LmState next;
    const std::string word = model_.lowercase() ? Lowercase(token) : token;
    lm_ += model_.lm().Score(state, model_.lm().Word(word), &next);
    state = next;
  }
  lm_ += model_.lm().ScoreEnd(state);
  Reset(true, input->stop()->check());
}

bool ForcedStacks::SameAsCopy(int source, uint32_t position) const {
  const std::string& token = input_.sentence().tokens[static_cast<size_t>(source)];
  const std::string& wanted = target_[position];
  return token == wanted || (model_.lowercase() && Lowercase(token) == wanted);
}

bool ForcedStacks::StandsAt(const RuleMatch& match, std::span<const TargetSymbol> words, uint32_t position) const {
  if (position + words.size() > target_.size()) return false;
  if (match.targets->copied()) return SameAsCopy(Words(match)[0], position);
  return std::equal(words.begin(), words.end(), ids_.begin() + position);
}

void ForcedStacks::Make(uint32_t place, Way way, std::span<const uint32_t> tails, Yield yield) {
  if (places_[place].complete && yield.end != target_.size()) return;
  if (!Count()) return;
  ++statistics_.pops;
  way.first_tail = AddItems(tails);
  const uint32_t state = yield.begin << 16 | yield.end;
  if (Insert(MixHash(place, state), {way, way.score, place, 0}, [&](uint32_t id) { return made_yields_[id] == state; }))
    made_yields_.push_back(state);
}

bool ForcedStacks::Count() {
  if (++edges_ > max_edges_) too_large_ = true;
  return !too_large_;
}

// Fills the non-terminals from the k-th in target order on; the words up to it stand at partial_.begin .. next - 1.
void ForcedStacks::Extend(int k, float score, uint32_t next) {
  const RuleMatch& rule = rules_[partial_.match];
  const size_t tail = rule.targets->NonterminalAt(partial_.option, k);
  const std::span<const TargetSymbol> after = partial_.segments[static_cast<size_t>(k) + 1];
  const Place group = TailPlace(rule, tail);
  for (uint32_t item = group.first_item; item < group.first_item + group.item_count && !too_large_; ++item) {
    stop_.Step();
    const Yield yield = YieldOf(items_[item].state);
    if (k == 0) {
      const auto before = static_cast<uint32_t>(partial_.segments[0].size());
      if (yield.begin < before || !StandsAt(rule, partial_.segments[0], yield.begin - before)) continue;
      partial_.begin = yield.begin - before;
    } else if (yield.begin != next) {
      continue;
    }
    if (!StandsAt(rule, after, yield.end)) continue;
    partial_.items[tail] = item;
    const float sum = score + items_[item].way.score;
    const uint32_t end = yield.end + static_cast<uint32_t>(after.size());
    if (k + 1 == rule.targets->nonterminals)
      Make(rule.place, {sum + partial_.own, 0, partial_.match, partial_.option, 0, 0}, partial_.items,
           {partial_.begin, end});
    else if (k == 0 || Count())  // from two on what leads nowhere counts too: there may be too much of it
      Extend(k + 1, sum, end);
  }
}

void ForcedStacks::MakeFromTarget(uint32_t match, uint32_t option_id) {
  const RuleMatch& rule = rules_[match];
  const ScoredTargets& targets = *rule.targets;
  const TargetOption& option = targets.options[option_id];
  const std::span<const TargetSymbol> symbols = targets.Symbols(option);
  partial_.match = match;
  partial_.option = option_id;
  partial_.own = option.estimate - model_.weights()[kLanguageModel] * option.lm_inside + rule.step;
  if (targets.nonterminals == 0) {
    stop_.Step();
    for (uint32_t at = 0; at + symbols.size() <= target_.size() && !too_large_; ++at)
      if (StandsAt(rule, symbols, at))
        Make(rule.place, {partial_.own, 0, match, option_id, 0, 0}, {},
             {at, at + static_cast<uint32_t>(symbols.size())});
    return;
  }
  partial_.items.resize(static_cast<size_t>(targets.nonterminals));
  partial_.segments.assign(static_cast<size_t>(targets.nonterminals) + 1, {});
  size_t begin = 0, segment = 0;
  for (size_t i = 0; i < symbols.size(); ++i) {
    if (IsTargetWord(symbols[i])) continue;
    partial_.segments[segment++] = symbols.subspan(begin, i - begin);
    begin = i + 1;
  }
  partial_.segments[segment] = symbols.subspan(begin);
  Extend(0, 0, 0);
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
        Make(glue.place, {items_[b].way.score + glue.step, 0, match | kGlueBit, 0, 0, 0}, {&b, 1}, right);
      continue;
    }
    const Place s = places_[glue.s];
    for (uint32_t a = s.first_item; a < s.first_item + s.item_count && !too_large_; ++a) {
      stop_.Step();
      if (YieldOf(items_[a].state).end != right.begin) continue;
      const std::array<uint32_t, 2> tails = {a, b};
      const float score = items_[a].way.score + items_[b].way.score + glue.step;
      Make(glue.place, {score, 0, match | kGlueBit, 0, 0, 0}, tails, {0, right.end});
    }
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

}  // namespace graft::engine
