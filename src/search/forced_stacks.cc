#include "search/forced_stacks.h"

#include <algorithm>
#include <array>

#include "search/mix_hash.h"
#include "util/utf8.h"

namespace graft::engine {

ForcedStacks::ForcedStacks(GrammarInput* input, const ForcedTarget& target, ItemStore* store)
    : input_(*input),
      model_(input->model()),
      target_(target.words),
      store_(*store),
      stack_(store),
      stop_(input->stop()->check()),
      max_edges_(target.max_edges) {
  LmState state = model_.lm().BeginState();
  for (const std::string& token : target_) {
    const WordId id = model_.table().FindTarget(token);
    ids_.push_back(id == kNoWord ? 0 : TargetWord(id));
    LmState next;
    const std::string word = model_.lowercase() ? Lowercase(token) : token;
    lm_ += model_.lm().Score(state, model_.lm().Word(word), &next);
    state = next;
  }
  lm_ += model_.lm().ScoreEnd(state);
  store_.Reset();
  stack_.Reset(/*keep_arcs=*/true, input->stop()->check());
}

bool ForcedStacks::SameAsCopy(int source, uint32_t position) const {
  const std::string& token = input_.sentence().tokens[static_cast<size_t>(source)];
  const std::string& wanted = target_[position];
  return token == wanted || (model_.lowercase() && Lowercase(token) == wanted);
}

bool ForcedStacks::StandsAt(const RuleMatch& match, std::span<const TargetSymbol> words, uint32_t position) const {
  if (position + words.size() > target_.size()) return false;
  if (match.targets->copied()) return SameAsCopy(store_.Words(match)[0], position);
  return std::equal(words.begin(), words.end(), ids_.begin() + position);
}

void ForcedStacks::Insert(uint32_t cell, const Application& application, std::span<const uint32_t> tails, Yield yield) {
  if (store_.cell(cell).complete && yield.end != target_.size()) return;
  if (!Count()) return;
  const OpenItem item{
      .best = application, .rank = application.score, .cell = cell, .state = yield.begin << 16 | yield.end};
  stack_.Insert(MixHash(cell, item.state), item, tails, [&](uint32_t state) { return state == item.state; });
}

bool ForcedStacks::Count() {
  if (++edges_ > max_edges_) too_large_ = true;
  return !too_large_;
}

// Fills the non-terminals from the k-th in target order on; the words up to it stand at partial_.begin .. next - 1.
void ForcedStacks::FillNonterminals(int k, float score, uint32_t next) {
  const RuleMatch& rule = store_.rule(partial_.match);
  const size_t tail = rule.targets->NonterminalAt(partial_.option, k);
  const std::span<const TargetSymbol> after = partial_.segments[static_cast<size_t>(k) + 1];
  const Cell group = store_.TailCell(rule, tail);
  for (uint32_t item = group.first_item; item < group.first_item + group.item_count && !too_large_; ++item) {
    stop_.Step();
    const Yield yield = YieldOf(store_.item(item).state);
    if (k == 0) {
      const auto before = static_cast<uint32_t>(partial_.segments[0].size());
      if (yield.begin < before || !StandsAt(rule, partial_.segments[0], yield.begin - before)) continue;
      partial_.begin = yield.begin - before;
    } else if (yield.begin != next) {
      continue;
    }
    if (!StandsAt(rule, after, yield.end)) continue;
    partial_.items[tail] = item;
    const float sum = score + store_.item(item).best.score;
    const uint32_t end = yield.end + static_cast<uint32_t>(after.size());
    if (k + 1 == rule.targets->nonterminals)
      Insert(rule.cell, {.score = sum + partial_.own, .match = partial_.match, .option = partial_.option},
             partial_.items, {partial_.begin, end});
    else if (k == 0 || Count())  // from two on what leads nowhere counts too: there may be too much of it
      FillNonterminals(k + 1, sum, end);
  }
}

void ForcedStacks::ApplyTarget(MatchId match, uint32_t option_id) {
  const RuleMatch& rule = store_.rule(match);
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
        Insert(rule.cell, {.score = partial_.own, .match = match, .option = option_id}, {},
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
  FillNonterminals(0, 0, 0);
}

void ForcedStacks::ApplyRule(MatchId match) {
  for (uint32_t o = 0; o < store_.rule(match).targets->size() && !too_large_; ++o) ApplyTarget(match, o);
}

void ForcedStacks::ApplyGlue(MatchId match) {
  const GlueMatch& glue = store_.glue(match);
  const Cell x = store_.cell(glue.x);
  for (uint32_t b = x.first_item; b < x.first_item + x.item_count && !too_large_; ++b) {
    const Yield right = YieldOf(store_.item(b).state);
    const float x_score = store_.item(b).best.score;
    if (glue.s == kNoCell) {
      if (right.begin == 0) Insert(glue.cell, {.score = x_score + glue.step, .match = match}, {&b, 1}, right);
      continue;
    }
    const Cell s = store_.cell(glue.s);
    for (uint32_t a = s.first_item; a < s.first_item + s.item_count && !too_large_; ++a) {
      stop_.Step();
      if (YieldOf(store_.item(a).state).end != right.begin) continue;
      const std::array<uint32_t, 2> tails = {a, b};
      const float score = store_.item(a).best.score + x_score + glue.step;
      Insert(glue.cell, {.score = score, .match = match}, tails, {0, right.end});
    }
  }
}

std::span<const uint32_t> ForcedStacks::Fill(std::span<const RuleMatch> rules, std::span<const GlueMatch> glue,
                                             const StackLimits&) {
  // Matches are kept like edges, whether or not they lead to one.
  edges_ += rules.size() + glue.size();
  if (edges_ > max_edges_) {
    too_large_ = true;
    rules = {};
    glue = {};
  }
  CheckMatches(model_.table(), rules);
  const MatchId first_rule = store_.rules(), first_glue = store_.glues();
  store_.AddMatches(rules, glue);
  stack_.Open();
  for (MatchId match = first_rule; match < store_.rules() && !too_large_; ++match) ApplyRule(match);
  for (MatchId match = first_glue; match < store_.glues() && !too_large_; ++match) ApplyGlue(match);
  stack_.Close({});
  return stack_.finished();
}

}  // namespace graft::engine
