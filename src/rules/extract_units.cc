#include "rules/extract_units.h"

namespace graft::engine {

bool UnitExtractor::Extract(const IndexedPair& pair, const RuleSink& sink) {
  const bool all = finder_.Find(pair, &found_);
  for (const UnitPair& where : found_) Emit(pair, where, sink);
  return all;
}

void UnitExtractor::Emit(const IndexedPair& pair, const UnitPair& where, const RuleSink& sink) {
  int positions[kMaxSourceSymbols];
  size_t size = 0;
  source_.clear();
  links_.clear();
  where.unit.ForEach([&](int position) {
    source_.push_back({pair.source[position], Signature(kind_, finder_.graph(), {positions, size}, position)});
    for (const WordLink& link : finder_.LinksOf(position))
      links_.push_back({static_cast<uint8_t>(size), static_cast<uint8_t>(link.target - where.target_first)});
    positions[size++] = position;
  });
  target_.clear();
  for (int j = where.target_first; j <= where.target_last; ++j) target_.push_back(TargetWord(pair.target[j]));
  RuleOccurrence rule;
  rule.source = source_;
  rule.target = target_;
  rule.links = links_;
  sink(rule, where);
}

}  // namespace graft::engine
