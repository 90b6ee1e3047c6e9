// Initial pairs come in order of their target spans, so those inside a target span are a few stretches of the list. The
// words of an initial pair are few (max_length): they are numbered anew, and all that is asked of sub-pairs (disjoint,
// what remains, edges between symbols) is a matter of bits.
//
// A sub-pair is consistent: no link leads from it to the rest. So one remaining aligned word is one remaining link.
//
// Sub-pairs are tried largest first: a rule of few symbols replaces many words, and the search stops where two
// sub-pairs no longer can.
//
// Where the choices of a size may be too many, they are made once to count them, and again as rules: so a bound needs
// no rule taken back, and no more than the choices of one initial pair are kept.
#include "rules/extract_grammar.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "graft/error.h"

namespace graft::engine {
namespace {

bool SameTarget(const UnitPair& a, const UnitPair& b) {
  return a.target_first == b.target_first && a.target_last == b.target_last;
}

}  // namespace

GrammarExtractor::GrammarExtractor(const SystemSpec& spec, LabelNumbers* labels, uint64_t max_rules)
    : spec_(spec),
      kind_(spec.signature()),
      labels_(labels),
      max_rules_(MaxPairRules(spec, max_rules)),
      finder_(spec, MaxInitialPairs(max_rules_)) {
  if (spec.grammar.max_nonterminals < 1 || spec.grammar.max_nonterminals > 2)
    throw Error("rules with " + std::to_string(spec.grammar.max_nonterminals) + " non-terminals cannot be extracted");
  if (spec.grammar.pos && labels == nullptr) throw Error("labels need a place for their numbers");
}

bool GrammarExtractor::Extract(const IndexedPair& pair, const RuleSink& sink) {
  pair_ = &pair;
  sink_ = &sink;
  rules_left_ = max_rules_;
  steps_left_ = MaxSubPairSteps(max_rules_);
  const bool all_listed = ListInitialPairs();
  OrderBySize();
  for (size_t begin = 0, end; begin < by_size_.size(); begin = end) {
    const int size = LongerSide(initial_pairs_[by_size_[begin]]);
    for (end = begin; end < by_size_.size() && LongerSide(initial_pairs_[by_size_[end]]) == size;) ++end;
    const std::span<const uint32_t> numbers = std::span(by_size_).subspan(begin, end - begin);
    if (!AllFit(numbers)) return false;
    for (uint32_t number : numbers) {
      const InitialPair& whole = initial_pairs_[number];
      MakeChoices(whole);
      if (choices_.empty()) continue;
      const RuleCount choices = choices_.size();
      const RuleCount count = (2 * kOneOccurrence + choices) / (2 * choices);
      for (const Choice& choice : choices_) Emit(whole, choice, count);
    }
  }
  return all_listed;
}

bool GrammarExtractor::AllFit(std::span<const uint32_t> numbers) {
  uint64_t most = 0;  // rules and steps, however sub-pairs lie
  for (uint32_t number : numbers) {
    const uint64_t sub_pairs = PairsWithin(initial_pairs_[number]);
    most += 1 + 2 * sub_pairs + sub_pairs * (sub_pairs + 1) / 2;
  }
  if (most <= std::min(rules_left_, steps_left_)) return true;
  const uint64_t rules = rules_left_, steps = steps_left_;
  for (uint32_t number : numbers)
    if (!MakeChoices(initial_pairs_[number])) return false;
  rules_left_ = rules;
  steps_left_ = steps;
  return true;
}

bool GrammarExtractor::MakeChoices(const InitialPair& whole) {
  ReadInitialPair(whole);
  if (!ListSubPairs(whole) || !Choose()) return false;
  rules_left_ -= choices_.size();
  return true;
}

bool GrammarExtractor::ListInitialPairs() {
  if (spec_.grammar.pos && pair_->tags.size() != pair_->source.size())
    throw Error(spec_.name + " with labels needs the part of speech of every source word; give the source as CoNLL-U");
  initial_pairs_.clear();
  begin_.clear();
  const bool all = finder_.Find(*pair_, &found_pairs_);
  for (const UnitPair& where : found_pairs_) {
    while (begin_.size() <= static_cast<size_t>(where.target_first)) begin_.push_back(initial_pairs_.size());
    const bool same_unit = !initial_pairs_.empty() && initial_pairs_.back().where.unit == where.unit;
    initial_pairs_.push_back({where, where.unit.first(), where.unit.size(), finder_.CountAligned(where.unit),
                              same_unit ? initial_pairs_.back().label : LabelOf(where.unit),
                              same_unit ? initial_pairs_.back().edge : EdgeOf(where.unit)});
  }
  begin_.resize(pair_->target.size() + 1, initial_pairs_.size());
  for (size_t k = initial_pairs_.size(); k-- > 0;) {
    const bool last =
        k + 1 == initial_pairs_.size() || !SameTarget(initial_pairs_[k].where, initial_pairs_[k + 1].where);
    initial_pairs_[k].span_end = last ? static_cast<uint32_t>(k + 1) : initial_pairs_[k + 1].span_end;
  }
  return all;
}

void GrammarExtractor::OrderBySize() {
  std::array<size_t, kMaxSourceSymbols + 1> of_size{};
  const auto size_of = [](const InitialPair& pair) { return static_cast<size_t>(LongerSide(pair)); };
  for (const InitialPair& pair : initial_pairs_) ++of_size[size_of(pair)];
  size_t place = 0;
  for (size_t& count : of_size) place += std::exchange(count, place);
  by_size_.resize(initial_pairs_.size());
  for (uint32_t number = 0; number < initial_pairs_.size(); ++number)
    by_size_[of_size[size_of(initial_pairs_[number])]++] = number;
}

uint32_t GrammarExtractor::LabelOf(const NodeSet& unit) {
  if (!spec_.grammar.pos) return kLabelX;
  const auto [found, fresh] = known_labels_.try_emplace(UnitLabel(unit, pair_->heads, pair_->tags), kLabelX);
  if (fresh) found->second = labels_->Number(found->first);
  return found->second;
}

EdgeEnds GrammarExtractor::EdgeOf(const NodeSet& unit) const {
  if (kind_ != SignatureKind::kNodes) return {};
  return finder_.edge_graph().OfSpan(unit.first(), unit.last()).value();
}

void GrammarExtractor::ReadInitialPair(const InitialPair& whole) {
  const NodeSet& unit = whole.where.unit;
  size_ = 0;
  aligned_ = 0;
  unit.ForEach([&](int position) {
    if (finder_.IsAligned(position)) aligned_ |= Mask{1} << size_;
    position_[static_cast<size_t>(size_)] = position;
    number_at_[static_cast<size_t>(position)] = static_cast<uint8_t>(size_);
    rows_[static_cast<size_t>(size_)] = {.words = Mask{1} << size_};
    ++size_;
  });
  words_ = LowestBits(size_);
  target_words_ = LowestBits(whole.where.target_last - whole.where.target_first + 1);
  if (!HasWordEdges(kind_)) return;
  const DependencyGraph& graph = finder_.graph();
  for (int from = 0; from < size_; ++from) {
    SymbolRows<Mask>& rows = rows_[static_cast<size_t>(from)];
    const int position = position_[static_cast<size_t>(from)];
    (graph.out(position) & unit).ForEach([&](int to) {
      const size_t number = number_at_[static_cast<size_t>(to)];
      rows.out |= Mask{1} << number;
      rows_[number].in |= rows.words;
      if (!graph.dep_out(position).Contains(to)) return;
      rows.dep_out |= Mask{1} << number;
      rows_[number].dep_in |= rows.words;
    });
  }
}

// Of the same target span all initial pairs have the same aligned words. One that has all of the whole leaves none
// over.
inline void GrammarExtractor::ListInnerSpans(const InitialPair& whole) {
  inner_spans_.clear();
  for (int start = whole.where.target_first; start <= whole.where.target_last; ++start) {
    const size_t end = begin_[static_cast<size_t>(start) + 1];
    for (size_t k = begin_[static_cast<size_t>(start)], next; k < end; k = next) {
      const InitialPair& inner = initial_pairs_[k];
      if (inner.where.target_last > whole.where.target_last || inner.aligned == whole.aligned) break;
      next = inner.span_end;
      inner_spans_.emplace_back(k, next);
    }
  }
}

inline GrammarExtractor::SubPair GrammarExtractor::SubPairOf(const InitialPair& whole, const InitialPair& inner) const {
  const int start = inner.where.target_first;
  SubPair sub_pair{.rows = {.words = Renumbered(inner)},
                   .target = LowestBits(inner.where.target_last - start + 1) << (start - whole.where.target_first),
                   .size = inner.size,
                   .label = inner.label,
                   .edge = inner.edge};
  if (HasWordEdges(kind_))
    for (Mask words = sub_pair.rows.words; words != 0; words &= words - 1)
      sub_pair.rows |= rows_[static_cast<size_t>(std::countr_zero(words))];
  return sub_pair;
}

bool GrammarExtractor::ListSubPairs(const InitialPair& whole) {
  found_.clear();
  ListInnerSpans(whole);
  uint64_t looked_at = 0;
  for (const auto& [begin, end] : inner_spans_) looked_at += end - begin;
  if (looked_at > steps_left_) return false;
  steps_left_ -= looked_at;
  std::array<size_t, kMaxSourceSymbols + 1> of_size{};
  for (const auto& [begin, end] : inner_spans_) {
    for (size_t k = begin; k < end; ++k) {
      const InitialPair& inner = initial_pairs_[k];
      if (inner.size < spec_.grammar.mgs || inner.size >= size_ || !inner.where.unit.IsSubsetOf(whole.where.unit))
        continue;
      found_.push_back(SubPairOf(whole, inner));
      ++of_size[static_cast<size_t>(inner.size)];
    }
  }
  size_t place = 0;
  for (size_t size = of_size.size(); size-- > 0;) place += std::exchange(of_size[size], place);
  sub_pairs_.resize(found_.size());
  for (const SubPair& sub_pair : found_) sub_pairs_[of_size[static_cast<size_t>(sub_pair.size)]++] = sub_pair;
  return true;
}

GrammarExtractor::Mask GrammarExtractor::Renumbered(const InitialPair& inner) const {
  if (spec_.contiguous()) return LowestBits(inner.size) << (inner.first - position_[0]);
  Mask mask = 0;
  inner.where.unit.ForEach([&](int position) { mask |= Mask{1} << number_at_[static_cast<size_t>(position)]; });
  return mask;
}

bool GrammarExtractor::Choose() {
  choices_.clear();
  if (size_ <= spec_.grammar.max_symbols) choices_.push_back({});
  const bool two = spec_.grammar.max_nonterminals == 2, may_touch = spec_.grammar.adjacent_nt;
  const int least_one = size_ + 1 - spec_.grammar.max_symbols;  // words that one, or two, sub-pairs must replace
  const int least_two = size_ + 2 - spec_.grammar.max_symbols;
  const auto count = static_cast<uint32_t>(sub_pairs_.size());
  for (uint32_t i = 0; i < count; ++i) {
    const SubPair& one = sub_pairs_[i];
    if (one.size < least_one && (!two || 2 * one.size < least_two)) break;
    const Mask without_one = words_ & ~one.rows.words;
    if ((without_one & aligned_) == 0) continue;
    if (one.size >= least_one) choices_.push_back({i, kNoSubPair});
    if (choices_.size() > rules_left_) return false;
    if (!two) continue;
    if (count > steps_left_) return false;
    uint32_t j = i + 1;
    for (; j < count; ++j) {
      const SubPair& other = sub_pairs_[j];
      if (one.size + other.size < least_two) break;
      if ((one.rows.words & other.rows.words) != 0 || (one.target & other.target) != 0) continue;
      const Mask rest = without_one & ~other.rows.words;
      if ((rest & aligned_) == 0) continue;
      const Mask one_start = LowestBit(one.rows.words), other_start = LowestBit(other.rows.words);
      if (!may_touch && Adjacent(rest, one_start, other_start)) continue;
      choices_.push_back(one_start < other_start ? Choice{i, j} : Choice{j, i});
    }
    steps_left_ -= j - i;
  }
  return choices_.size() <= rules_left_;
}

bool GrammarExtractor::Adjacent(Mask rest, Mask a, Mask b) const {
  const Mask before_later = (a > b ? a : b) - 1, up_to_earlier = ((a < b ? a : b) << 1) - 1;
  return (rest & before_later & ~up_to_earlier) == 0;
}

}  // namespace graft::engine
