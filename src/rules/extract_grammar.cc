// Initial pairs come in order of their target spans, so those inside a target span are a few stretches of the list. The
// words of an initial pair are few (max_length): they are numbered anew, and all that is asked of sub-pairs (disjoint,
// what remains, edges between symbols) is a matter of bits.
//
// A sub-pair is consistent: no link leads from it to the rest. So one remaining aligned word is one remaining link.
//
// Sub-pairs are tried largest first: a rule of few symbols replaces many words, and the search stops where two
// sub-pairs no longer can.
#include "rules/extract_grammar.h"

#include <bit>
#include <utility>

#include "graft/error.h"

namespace graft::engine {
namespace {

uint32_t LowestBit(uint32_t mask) { return mask & (~mask + 1); }
uint32_t LowestBits(int count) { return (uint32_t{1} << count) - 1; }

}  // namespace

GrammarExtractor::GrammarExtractor(const SystemSpec& spec, LabelNumbers* labels)
    : spec_(spec), kind_(spec.signature()), labels_(labels), finder_(spec) {
  if (spec.grammar.max_nonterminals < 1 || spec.grammar.max_nonterminals > 2)
    throw Error("rules with " + std::to_string(spec.grammar.max_nonterminals) + " non-terminals cannot be extracted");
  if (spec.grammar.pos && labels == nullptr) throw Error("labels need a place for their numbers");
}

void GrammarExtractor::Extract(const IndexedPair& pair, const RuleSink& sink) {
  pair_ = &pair;
  sink_ = &sink;
  ListInitialPairs();
  for (const InitialPair& whole : initial_pairs_) {
    ReadInitialPair(whole);
    ListSubPairs(whole);
    Choose();
    if (choices_.empty()) continue;
    const RuleCount choices = choices_.size();
    const RuleCount count = (2 * kOneOccurrence + choices) / (2 * choices);
    for (const Choice& choice : choices_) Emit(whole, choice, count);
  }
}

void GrammarExtractor::ListInitialPairs() {
  if (spec_.grammar.pos && pair_->tags.size() != pair_->source.size())
    throw Error(spec_.name + " with labels needs the part of speech of every source word; give the source as CoNLL-U");
  initial_pairs_.clear();
  begin_.clear();
  finder_.Find(*pair_, [&](const UnitPair& where) {
    while (begin_.size() <= static_cast<size_t>(where.target_first)) begin_.push_back(initial_pairs_.size());
    const bool same_unit = !initial_pairs_.empty() && initial_pairs_.back().where.unit == where.unit;
    initial_pairs_.push_back({where, where.unit.first(), where.unit.size(),
                              same_unit ? initial_pairs_.back().label : LabelOf(where.unit),
                              same_unit ? initial_pairs_.back().edge : EdgeOf(where.unit)});
  });
  begin_.resize(pair_->target.size() + 1, initial_pairs_.size());
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

void GrammarExtractor::ListSubPairs(const InitialPair& whole) {
  found_.clear();
  std::array<size_t, kMaxSourceSymbols + 1> of_size{};
  const int first = whole.where.target_first, last = whole.where.target_last;
  for (int start = first; start <= last; ++start) {
    for (size_t k = begin_[static_cast<size_t>(start)]; k < begin_[static_cast<size_t>(start) + 1]; ++k) {
      const InitialPair& inner = initial_pairs_[k];
      if (inner.where.target_last > last) break;
      if (inner.size < spec_.grammar.mgs || inner.size >= size_ || !inner.where.unit.IsSubsetOf(whole.where.unit))
        continue;
      SubPair sub_pair{.rows = {.words = Renumbered(inner)},
                       .target = LowestBits(inner.where.target_last - start + 1) << (start - first),
                       .size = inner.size,
                       .label = inner.label,
                       .edge = inner.edge};
      if (HasWordEdges(kind_))
        for (Mask words = sub_pair.rows.words; words != 0; words &= words - 1)
          sub_pair.rows |= rows_[static_cast<size_t>(std::countr_zero(words))];
      found_.push_back(sub_pair);
      ++of_size[static_cast<size_t>(inner.size)];
    }
  }
  size_t place = 0;
  for (size_t size = of_size.size(); size-- > 0;) place += std::exchange(of_size[size], place);
  sub_pairs_.resize(found_.size());
  for (const SubPair& sub_pair : found_) sub_pairs_[of_size[static_cast<size_t>(sub_pair.size)]++] = sub_pair;
}

GrammarExtractor::Mask GrammarExtractor::Renumbered(const InitialPair& inner) const {
  if (spec_.contiguous()) return LowestBits(inner.size) << (inner.first - position_[0]);
  Mask mask = 0;
  inner.where.unit.ForEach([&](int position) { mask |= Mask{1} << number_at_[static_cast<size_t>(position)]; });
  return mask;
}

void GrammarExtractor::Choose() {
  choices_.clear();
  if (size_ <= spec_.grammar.max_symbols) choices_.push_back({});
  const bool two = spec_.grammar.max_nonterminals == 2;
  const int least_one = size_ + 1 - spec_.grammar.max_symbols;  // words that one, or two, sub-pairs must replace
  const int least_two = size_ + 2 - spec_.grammar.max_symbols;
  const auto count = static_cast<uint32_t>(sub_pairs_.size());
  for (uint32_t i = 0; i < count; ++i) {
    const SubPair& one = sub_pairs_[i];
    if (one.size < least_one && (!two || 2 * one.size < least_two)) break;
    const Mask without_one = words_ & ~one.rows.words;
    if ((without_one & aligned_) == 0) continue;
    if (one.size >= least_one) choices_.push_back({i, kNoSubPair});
    if (!two) continue;
    for (uint32_t j = i + 1; j < count; ++j) {
      const SubPair& other = sub_pairs_[j];
      if (one.size + other.size < least_two) break;
      if ((one.rows.words & other.rows.words) != 0 || (one.target & other.target) != 0) continue;
      const Mask rest = without_one & ~other.rows.words;
      if ((rest & aligned_) == 0) continue;
      const Mask one_start = LowestBit(one.rows.words), other_start = LowestBit(other.rows.words);
      if (!spec_.grammar.adjacent_nt && Adjacent(rest, one_start, other_start)) continue;
      choices_.push_back(one_start < other_start ? Choice{i, j} : Choice{j, i});
    }
  }
}

bool GrammarExtractor::Adjacent(Mask rest, Mask a, Mask b) const {
  const Mask before_later = (a > b ? a : b) - 1, up_to_earlier = ((a < b ? a : b) << 1) - 1;
  return (rest & before_later & ~up_to_earlier) == 0;
}

GrammarExtractor::Parts GrammarExtractor::PartsOf(const Choice& choice) const {
  Parts parts;
  size_t count = 0;
  for (uint32_t number : {choice.first, choice.second})
    if (number != kNoSubPair) parts.replaced[count++] = &sub_pairs_[number];
  parts.words = words_;
  parts.target_words = target_words_;
  for (size_t k = 0; k < count; ++k) {
    parts.words &= ~parts.replaced[k]->rows.words;
    parts.symbols |= LowestBit(parts.replaced[k]->rows.words);
    parts.target_words &= ~parts.replaced[k]->target;
    parts.target_symbols |= LowestBit(parts.replaced[k]->target);
  }
  parts.symbols |= parts.words;
  parts.target_symbols |= parts.target_words;
  return parts;
}

void GrammarExtractor::MakeTarget(const InitialPair& whole, const Parts& parts) {
  target_size_ = 0;
  for (Mask symbols = parts.target_symbols; symbols != 0; symbols &= symbols - 1) {
    const auto number = static_cast<size_t>(std::countr_zero(symbols));
    if ((parts.target_words >> number & 1) != 0) {
      target_[target_size_] = TargetWord(pair_->target[static_cast<size_t>(whole.where.target_first) + number]);
      target_place_[number] = static_cast<uint8_t>(target_size_);
    } else {
      target_[target_size_] = (parts.replaced[0]->target >> number & 1) != 0 ? 1 : 2;
    }
    ++target_size_;
  }
}

void GrammarExtractor::Emit(const InitialPair& whole, const Choice& choice, RuleCount count) {
  const Parts parts = PartsOf(choice);
  MakeTarget(whole, parts);
  std::array<SourceSymbol, kMaxSourceSymbols> source;
  std::array<Mask, kMaxSourceSymbols> earlier;
  NodeNumbers nodes;
  size_t size = 0, nonterminals = 0;
  links_.clear();
  for (Mask symbols = parts.symbols; symbols != 0; symbols &= symbols - 1) {
    const auto number = static_cast<size_t>(std::countr_zero(symbols));
    const bool is_word = (parts.words >> number & 1) != 0;
    const SymbolRows<Mask>* rows;
    EdgeEnds edge;
    if (is_word) {
      rows = &rows_[number];
      const int position = position_[number];
      source[size].symbol = pair_->source[static_cast<size_t>(position)];
      if (kind_ == SignatureKind::kNodes) edge = finder_.edge_graph().OfWord(position);
      for (const WordLink& link : finder_.LinksOf(position))
        links_.push_back(
            {static_cast<uint8_t>(size), target_place_[static_cast<size_t>(link.target - whole.where.target_first)]});
    } else {
      const SubPair& sub_pair = *parts.replaced[nonterminals++];
      rows = &sub_pair.rows;
      edge = sub_pair.edge;
      source[size].symbol = sub_pair.label | kLabelBit;
    }
    source[size].signature = kind_ == SignatureKind::kNodes
                                 ? nodes.Signature(edge)
                                 : Signature(kind_, std::span<const Mask>(earlier.data(), size), *rows);
    earlier[size++] = rows->words;
  }
  (*sink_)({whole.label, {source.data(), size}, {target_.data(), target_size_}, links_, count}, whole.where);
}

}  // namespace graft::engine
