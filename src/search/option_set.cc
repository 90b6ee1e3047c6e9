#include "search/option_set.h"

#include <bit>

#include "rules/labels.h"

namespace graft::engine {

OptionSet::OptionSet(const DecodingModel& model) : model_(model), matcher_(model.table()), lists_(model) {}

void OptionSet::AddOptions(const ScoredTargets& list) {
  const auto shift = static_cast<uint32_t>(symbols_.size());
  for (const TargetOption& option : list.options) options_.emplace_back(option).first_symbol += shift;
  estimates_.insert(estimates_.end(), list.estimates.begin(), list.estimates.end());
  phrases_.insert(phrases_.end(), list.phrases.begin(), list.phrases.end());
  symbols_.insert(symbols_.end(), list.symbols.begin(), list.symbols.end());
}

void OptionSet::AddTableUnit(const UnitMatch& match) {
  Unit unit;
  unit.mask = match.mask;
  unit.start = match.start;
  unit.end = match.end;
  unit.size = static_cast<uint16_t>(std::popcount(match.mask));
  unit.gap = static_cast<uint16_t>(match.end - match.start + 1 - unit.size);
  auto [place, fresh] = placed_.try_emplace(static_cast<uint64_t>(match.node.level) << 32 | match.node.index);
  if (fresh) {
    place->second.first = static_cast<uint32_t>(options_.size());
    for (const ScoredTargets& list : lists_.Of(match.node)) AddOptions(list);
    place->second.second = static_cast<uint32_t>(options_.size()) - place->second.first;
  }
  unit.first_option = place->second.first;
  unit.option_count = place->second.second;
  if (unit.option_count > 0) units_.push_back(unit);
}

void OptionSet::AddCopy(int position) {
  Unit unit;
  unit.mask = 1;
  unit.start = unit.end = static_cast<uint16_t>(position);
  unit.size = 1;
  unit.first_option = static_cast<uint32_t>(options_.size());
  unit.option_count = 1;
  unit.copied = true;
  AddOptions(lists_.Copy(input_.CopiedWord(position), kLabelX));
  units_.push_back(unit);
}

void OptionSet::Build(const Sentence& sentence, const StopCheck& stop) {
  lists_.NextSentence(stop);
  input_.Build(model_, sentence);
  units_.clear();
  options_.clear();
  phrases_.clear();
  estimates_.clear();
  symbols_.clear();
  placed_.clear();
  matcher_.Match(input_.words(), input_.graph(), model_.search().max_span, &matches_, stop);

  // Matches come by start; copies go where no one-word rule stands, keeping units sorted by start.
  size_t next = 0;
  first_unit_.assign(static_cast<size_t>(sentence.size()) + 1, 0);
  for (int position = 0; position < sentence.size(); ++position) {
    first_unit_[position] = static_cast<uint32_t>(units_.size());
    bool has_word_rule = false;
    for (; next < matches_.size() && matches_[next].start == position; ++next) {
      AddTableUnit(matches_[next]);
      has_word_rule |= matches_[next].mask == 1;
    }
    if (!has_word_rule && model_.search().copy_unknown) AddCopy(position);
  }
  first_unit_[sentence.size()] = static_cast<uint32_t>(units_.size());
}

std::string_view OptionSet::TargetToken(const Unit& unit, const TargetOption& option, uint32_t index) const {
  if (option.alignment == kCopyAlignment) return sentence().tokens[unit.start];
  return model_.table().TargetWord(TargetWordId(symbols_[option.first_symbol + index]));
}

}  // namespace graft::engine
