// Chart search (paper, Algorithm 3): items over spans, bottom up, with glue from the first word on.
//
// Matching is CYK+ without a dot chart (Sennrich 2014). Starts go from right to left; from a start, a depth-first walk
// over the table's trie takes the next word or any finished X cell that begins where the match ends so far. A match
// that begins with an X cell is extended as soon as that cell is finished, so cells of one start are filled by
// growing length. The signature of a trie step is that of the contracted graph; a rule whose edges are not those of the
// input is never reached. Cells are one per (label, span) of at most max_span words, in graph systems only of spans
// that are units there; S cells begin at the first word and have no limit.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rules/source_side.h"
#include "search/grammar_search.h"
#include "table/step_memo.h"

namespace graft::engine {

class ChartSearch final : public GrammarSearch {
 public:
  explicit ChartSearch(const DecodingModel& model);

  std::span<const uint32_t> Run(GrammarInput* input, const StackLimits& limits, ItemStore* store,
                                ItemStacks* stacks) override;
  SearchStatistics statistics() const override { return statistics_; }

 private:
  // What signatures are made of: the one or the other, or neither.
  struct Symbol {
    SymbolRows<NodeSet> rows;  // where words are nodes
    EdgeEnds edge;             // where they are edges
  };
  struct XCell {  // a finished X cell
    uint32_t cell;
    uint32_t label;
    int end;
    Symbol symbol;
  };
  // The match under construction.
  struct Partial {
    std::array<NodeSet, kMaxSourceSymbols> symbols;  // words under each symbol
    NodeNumbers nodes;                               // of the edges that they are
    std::array<uint16_t, kMaxSourceSymbols> words;   // terminals
    std::array<Tail, kMaxSourceSymbols> tails;
    int symbol_count = 0, word_count = 0, tail_count = 0;
  };

  Symbol SymbolOf(int first, int last, const EdgeEnds& edge) const;
  std::optional<TrieNode> Step(TrieNode node, SourceSymbolId id, const Symbol& symbol);
  void ExtendByWord(TrieNode node, int position);
  void ExtendByCell(TrieNode node, const XCell& x);
  void ExtendByCells(TrieNode node, int start);
  void Extend(TrieNode node, int end);
  void Complete(std::span<const ScoredTargets> lists, int end);
  void FillCells(int start, int end, const StackLimits& limits);
  void FillSentenceCells(const StackLimits& limits);

  const DecodingModel model_;
  const RuleTable& table_;
  const SignatureKind kind_;
  StepMemo memo_;

  // The call of Run under way.
  GrammarInput* input_ = nullptr;
  ItemStore* store_ = nullptr;
  ItemStacks* stacks_ = nullptr;
  int last_end_ = 0;  // of matches from the current start
  Partial partial_;
  std::vector<std::vector<RuleMatch>> pending_;  // complete matches of the current start, by end
  std::vector<std::vector<XCell>> cells_;        // by start; ends grow
  std::vector<Symbol> word_symbols_;
  std::vector<std::vector<GlueMatch>> glue_;  // into S cells, by end
  std::vector<uint32_t> goals_;
  SearchStatistics statistics_;
};

}  // namespace graft::engine
