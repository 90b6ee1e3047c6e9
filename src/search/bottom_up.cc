#include "search/bottom_up.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <utility>

#include "search/mix_hash.h"

namespace graft::engine {

static_assert(kNoGroup == kNoCell);  // matches name the cells of their non-terminals as they are

BottomUpSearch::BottomUpSearch(const DecodingModel& model) : model_(model), matcher_(model.table()) {}

void BottomUpSearch::BuildFutureCost() {
  units_.clear();
  unit_scores_.clear();
  for (int size = 1; size <= matcher_.largest_word_match(); ++size)
    for (const BottomUpMatch& match : matcher_.WordMatches(size)) {
      Unit unit;
      unit.mask = match.mask;
      unit.start = match.start;
      unit.end = match.end;
      unit.size = static_cast<uint16_t>(size);
      unit.gap = match.gap;
      units_.push_back(unit);
      float best = -std::numeric_limits<float>::infinity();
      for (const ScoredTargets& targets : input_->Targets(match.node)) best = std::max(best, targets.estimates[0]);
      unit_scores_.push_back(best);
    }
  for (int word = 0; word < words_; ++word) {
    const ScoredTargets* copy = input_->Copy(word);
    if (copy == nullptr) continue;
    Unit unit;
    unit.mask = unit.size = 1;
    unit.start = unit.end = static_cast<uint16_t>(word);
    units_.push_back(unit);
    unit_scores_.push_back(copy->estimates[0]);
  }
  future_.Build(words_, units_, unit_scores_, model_.weights()[kGap]);
}

uint32_t BottomUpSearch::CellOfX(uint32_t label, const BottomUpMatch& match, int size) {
  const uint64_t hash = MixHash(match.mask, static_cast<uint64_t>(label) << 16 | match.start);
  const auto [number, fresh] = index_.Insert(hash, [&](uint32_t id) {
    const BottomUpGroup& known = x_cells_[id];
    return known.mask == match.mask && known.start == match.start && known.label == label;
  });
  if (fresh) {
    Cell cell;
    cell.label = label;
    cell.position = match.start;
    cell.future = future_.Of(match.start, match.mask);
    if (size == 1) cell.guard = match.start;
    x_cells_.push_back({label, store_->AddCell(cell), 0, match.start, match.end, match.mask});
  }
  return first_cell_ + number;
}

uint32_t BottomUpSearch::CellOfS(const NodeSet& covered, int next, int size) {
  uint64_t hash = static_cast<uint64_t>(next);
  for (int w = 0; w < 4; ++w) hash = MixHash(hash, covered.word(w));
  const auto [number, fresh] =
      index_.Insert(hash, [&](uint32_t id) { return s_cells_[id].next == next && s_cells_[id].covered == covered; });
  if (fresh) {
    int first_uncovered = 0;
    while (first_uncovered < words_ && covered.Contains(first_uncovered)) ++first_uncovered;
    Cell cell;
    cell.sentence = true;
    cell.complete = size == words_;
    cell.future = future_.Of(covered);
    if (first_uncovered == size) cell.guard = 0;
    s_cells_.push_back(
        {covered, store_->AddCell(cell), static_cast<uint16_t>(first_uncovered), static_cast<uint16_t>(next)});
  }
  return first_cell_ + number;
}

RuleMatch BottomUpSearch::SymbolsOf(const BottomUpMatch& match) {
  std::array<uint16_t, kMaxSourceSymbols> words;
  std::array<Tail, 2> tails;
  RuleMatch rule;
  for (uint64_t rest = match.terminals; rest != 0; rest &= rest - 1)
    words[rule.word_count++] = static_cast<uint16_t>(match.start + std::countr_zero(rest));
  for (const uint32_t cell : match.cells)
    if (cell != kNoGroup) tails[rule.tail_count++] = {cell, store_->cell(cell).label};
  rule.first_word = store_->AddWords({words.data(), rule.word_count});
  rule.first_tail = store_->AddTails({tails.data(), rule.tail_count});
  rule.step = -model_.weights()[kGap] * static_cast<float>(match.gap);
  rule.gap = static_cast<int16_t>(match.gap);
  return rule;
}

void BottomUpSearch::AddRule(const ScoredTargets& targets, const BottomUpMatch& match, RuleMatch rule) {
  rule.targets = &targets;
  rule.cell = CellOfX(targets.lhs, match, std::popcount(match.mask));
  rules_.push_back(rule);
  ++statistics_.units;
  statistics_.options += targets.size();
}

void BottomUpSearch::FillX(int size) {
  rules_.clear();
  x_cells_.clear();
  index_.Clear();
  first_cell_ = store_->cells();
  for (const BottomUpMatch& match : matcher_.Advance(size)) {
    input_->stop()->Step();
    const RuleMatch rule = SymbolsOf(match);
    for (const ScoredTargets& targets : input_->Targets(match.node)) AddRule(targets, match, rule);
  }
  for (int word = 0; size == 1 && word < words_; ++word) {
    const ScoredTargets* copy = input_->Copy(word);
    if (copy == nullptr) continue;
    BottomUpMatch match;
    match.mask = match.terminals = 1;
    match.start = match.end = static_cast<uint16_t>(word);
    AddRule(*copy, match, SymbolsOf(match));
  }

  x_final_.clear();
  for (const uint32_t cell : stacks_->Fill(rules_, {}, limits_)) {
    x_final_.push_back(x_cells_[cell - first_cell_]);
    x_final_.back().score = store_->cell(cell).best;
  }
  matcher_.AddGroups(size, x_final_);
  std::stable_sort(x_final_.begin(), x_final_.end(),
                   [](const BottomUpGroup& a, const BottomUpGroup& b) { return a.start < b.start; });
  std::vector<XGroup>& groups = x_groups_[static_cast<size_t>(size)];
  std::vector<uint32_t>& first = x_first_[static_cast<size_t>(size)];
  for (const BottomUpGroup& group : x_final_) {
    while (first.size() <= group.start) first.push_back(static_cast<uint32_t>(groups.size()));
    XGroup& made = groups.emplace_back();
    made.group = group;
    for (uint64_t rest = group.mask; rest != 0; rest &= rest - 1)
      made.covered.Add(group.start + std::countr_zero(rest));
  }
  first.resize(static_cast<size_t>(words_) + 1, static_cast<uint32_t>(groups.size()));
}

std::span<const BottomUpSearch::XGroup> BottomUpSearch::XGroups(int size, int first, int last) const {
  const std::vector<uint32_t>& begin = x_first_[static_cast<size_t>(size)];
  const std::vector<XGroup>& groups = x_groups_[static_cast<size_t>(size)];
  return {groups.data() + begin[static_cast<size_t>(first)], groups.data() + begin[static_cast<size_t>(last) + 1]};
}

// S → X without `s`, else S → S X.
void BottomUpSearch::AddGlue(const SGroup* s, const XGroup& x, int size) {
  const FeatureVector& w = model_.weights();
  const BottomUpGroup& group = x.group;
  input_->stop()->Step();
  int distortion = std::abs(group.start - (s == nullptr ? 0 : s->next));
  if (model_.search().glue_distortion == GlueDistortion::kFull)
    distortion += group.end - group.start + 1 - std::popcount(group.mask);
  GlueMatch glue;
  glue.x = group.cell;
  glue.distortion = static_cast<int16_t>(distortion);
  glue.step = -w[kGlue] - w[kGlueDistortion] * static_cast<float>(distortion);
  NodeSet covered = x.covered;
  if (s != nullptr) {
    glue.s = s->cell;
    covered |= s->covered;
    if (!guaranteed_ && s->first_uncovered == size - 1 && group.start == size - 1) glue.guaranteed = guaranteed_ = true;
  }
  glue.cell = CellOfS(covered, group.end + 1, size);
  glue_.push_back(glue);
}

void BottomUpSearch::FillS(int size) {
  const SearchOptions& options = model_.search();
  glue_.clear();
  s_cells_.clear();
  index_.Clear();
  first_cell_ = store_->cells();
  guaranteed_ = false;
  auto last_start = [&](int first_uncovered) {
    return options.glue_limit < 0 ? words_ - 1 : std::min(words_ - 1, first_uncovered + options.glue_limit);
  };
  const int largest = std::min(options.max_words, words_);
  if (size <= largest)
    for (const XGroup& x : XGroups(size, 0, options.glue_order == GlueOrder::kLeft ? 0 : last_start(0)))
      AddGlue(nullptr, x, size);
  // In left order every S covers the first word, so that each X appended starts after it.
  for (int x_size = 1; x_size <= std::min(size - 1, largest); ++x_size)
    for (const SGroup& s : s_groups_[static_cast<size_t>(size - x_size)]) {
      input_->stop()->Step();
      for (const XGroup& x : XGroups(x_size, s.first_uncovered, last_start(s.first_uncovered)))
        if (!s.covered.Intersects(x.covered)) AddGlue(&s, x, size);
    }

  std::vector<SGroup>& groups = s_groups_[static_cast<size_t>(size)];
  for (const uint32_t cell : stacks_->Fill({}, glue_, limits_)) groups.push_back(s_cells_[cell - first_cell_]);
}

std::span<const uint32_t> BottomUpSearch::Run(GrammarInput* input, const StackLimits& limits, ItemStore* store,
                                              ItemStacks* stacks) {
  const SearchOptions& options = model_.search();
  input_ = input;
  store_ = store;
  stacks_ = stacks;
  limits_ = limits;
  limits_.stop_rule = false;  // a fifth faster, but estimates of items with gaps are too rough: it costs model score
  words_ = input->size();
  statistics_ = {};
  const uint64_t steps_before = matcher_.steps();
  matcher_.Start(input->words(), input->graph(), {options.max_span, options.max_words, limits.active},
                 input->stop()->check());
  BuildFutureCost();
  matcher_.set_future(&future_);
  const size_t sizes = static_cast<size_t>(words_) + 1;
  x_groups_.resize(std::max(sizes, x_groups_.size()));
  x_first_.resize(x_groups_.size());
  s_groups_.resize(x_groups_.size());
  for (size_t size = 0; size < sizes; ++size) {
    x_groups_[size].clear();
    x_first_[size].clear();
    s_groups_[size].clear();
  }
  for (int size = 1; size <= words_ && !stacks->too_large(); ++size) {
    if (size <= options.max_words) FillX(size);
    FillS(size);
  }
  statistics_.table_steps = matcher_.steps() - steps_before;
  goals_.clear();
  if (!stacks->too_large())
    for (const SGroup& s : s_groups_[static_cast<size_t>(words_)]) goals_.push_back(s.cell);
  return goals_;
}

}  // namespace graft::engine
