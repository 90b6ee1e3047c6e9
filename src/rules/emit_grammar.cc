// The rule that a choice of sub-pairs makes of an initial pair.
#include <bit>

#include "rules/extract_grammar.h"

namespace graft::engine {

inline GrammarExtractor::Parts GrammarExtractor::PartsOf(const Choice& choice) const {
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

inline void GrammarExtractor::MakeTarget(const InitialPair& whole, const Parts& parts) {
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
