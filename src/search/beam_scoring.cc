// The scores of combinations: of a rule's target with items in place of its non-terminals, and of glue.
#include "search/beam_stacks.h"

namespace graft::engine {

// What the language model adds where the parts of a combination meet. Makes its prefix if it has none.
float BeamStacks::Join(Combination* combination, LmPhrase* joined) {
  const ScoredTargets& targets = *store_.rule(combination->match).targets;
  const uint32_t option = combination->option;
  const uint32_t* const tails = candidate_items_.data() + combination->tails;
  const int last = targets.nonterminals - 1;
  if (parts_.size() < 2 * static_cast<size_t>(last) + 3) parts_.resize(2 * static_cast<size_t>(last) + 3);
  const LmPhrase** const parts = parts_.data();
  size_t count = 0;
  const auto add_segment = [&](int k) {
    if (targets.options[option].HasSegment(k)) parts[count++] = &targets.Segment(option, k);
  };
  const auto add_item = [&](int k) { parts[count++] = &phrases_[tails[targets.NonterminalAt(option, k)]]; };
  float lm = 0;
  if (combination->prefix == kNone) {
    add_segment(0);
    for (int k = 0; k < last; ++k) {
      add_item(k);
      add_segment(k + 1);
    }
    if (count > 1) {
      statistics_.lm_calls += count - 1;
      combination->prefix = static_cast<uint32_t>(prefixes_.size());
      Prefix& made = prefixes_.emplace_back();
      made.lm = model_.lm().Join({parts, count}, &made.phrase);
    }
  }
  if (combination->prefix != kNone) {
    parts[0] = &prefixes_[combination->prefix].phrase;
    count = 1;
    lm = prefixes_[combination->prefix].lm;
  }
  add_item(last);
  add_segment(last + 1);
  statistics_.lm_calls += count - 1;
  return lm + model_.lm().Join({parts, count}, joined);
}

void BeamStacks::ScoreRule(Combination combination) {
  const RuleMatch& rule = store_.rule(combination.match);
  const ScoredTargets& targets = *rule.targets;
  const uint32_t option = combination.option;
  const uint32_t* const tails = candidate_items_.data() + combination.tails;
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
    lm = Join(&combination, &strings_[string].phrase);
    strings_[string].inside = inside + lm;
    strings_.Seal(string);
  } else {
    lm = strings_[string].inside - inside;
  }
  score = score + targets.estimates[option] + rule.step + lm_weight_ * lm;
  candidates_.push_back({combination, score, score + store_.cell(rule.cell).future, lm, string});
}

void BeamStacks::ScoreGlue(const Combination& combination) {
  const GlueMatch& glue = store_.glue(combination.match);
  const Cell& cell = store_.cell(glue.cell);
  const Item& sentence = store_.item(candidate_items_[combination.tails]);
  const uint32_t item = candidate_items_[combination.tails + 1];
  const LmStates::Joined joined = states_.Append(sentence.state, item, phrases_[item]);
  ++statistics_.evaluations;
  const float score = sentence.best.score + yields_[item].score + glue.step + lm_weight_ * joined.delta;
  float rank = score + cell.future;
  if (cell.complete) rank += lm_weight_ * states_.End(joined.state);
  candidates_.push_back({combination, score, rank, joined.delta, joined.state});
}

}  // namespace graft::engine
