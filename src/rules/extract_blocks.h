// Extraction of the rules of heads with their dependents (Xie et al. 2011) and of parts of these (Li et al. 2014).
//
// The elements of a word with dependents are the word itself, the head, and its dependents in surface order; a
// dependent stands for its whole subtree. A block is a run of at least two elements that has the head in it; the full
// block is all of them. A structure is a block, in which a smaller block (an inner block) may be one symbol. In
// training: every block as it is, of at most max_symbols unless full; and the full block with any inner block, of at
// most max_symbols. Without spec.blocks.parts there are full blocks only, as they are; with spec.blocks.floating blocks
// and inner blocks may also lack the head. Structures of more than kMaxNonTerminals symbols give no rules.
//
// Symbols have a class: head (also an inner block with it), leaf (a dependent without dependents) or internal (other
// dependents, inner blocks without the head). A form of a structure makes each class lexical or general as a whole.
// Lexical leaves and heads are words, all other symbols are variables, constrained by their word or, where general, by
// its tag; an inner block by those of the head, or, without it, by those of its elements, joined by `_`.
//
// Target words linked to a source word are consistent if no other word is linked to one of them. The span of a symbol
// reaches from the first to the last of the consistent target words of the words under it. All symbols must have one,
// spans must be disjoint, and no target word from the first to the last of a block that is not full may be linked to
// a word outside. In a full block such words may stand in a rule as if they were unaligned.
//
// Besides: phrases, the pairs of PBMT whose source is one word or, with spec.blocks.parts, the words of a block.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "rules/extract_units.h"
#include "rules/labels.h"
#include "rules/rule.h"
#include "rules/rule_buffer.h"
#include "rules/span_variants.h"
#include "rules/system_spec.h"
#include "rules/unit_pairs.h"

namespace graft::engine {

// Keep one per thread: it owns scratch memory.
class BlockExtractor {
 public:
  // `labels` is shared by all threads and must outlive this.
  BlockExtractor(const SystemSpec& spec, LabelNumbers* labels, uint64_t max_rules = kMaxPairRulesOfSystem);

  // Every phrase, and every form of a structure, reaches the sink as one occurrence. With spec.blocks.extend a form has
  // m variants (span_variants.h), which reach it one by one and count 1/m each, rounded half up to a multiple of 10^-9.
  // Equal rules reach it separately. If there are more than max_rules, only those of up to so many symbols (words, of a
  // phrase) reach it as keep within; returns whether all did.
  bool Extract(const IndexedPair& pair, const RuleSink& sink);

 private:
  enum Class : uint32_t { kHead = 1, kInternal = 2, kLeaf = 4 };
  // Of elements_, `end` not included.
  struct Run {
    size_t first, end;
    size_t size() const { return end - first; }
    bool Holds(size_t element) const { return element >= first && element < end; }
  };
  struct Symbol {
    Run run;
    int word;  // that names it: the head or the dependent; -1 for an inner block without the head
    Class cls;
    TargetSpan target;
  };
  struct Element {
    int word;
    Class cls;
    NodeSet words;  // it stands for
    TargetSpan target;
  };

  bool ExtractUpTo(size_t symbols);
  void ReadTree();
  void ReadElements(int head);
  void ExtractBlocks();
  void MarkPhrase(const NodeSet& words);
  size_t PhraseIndex(int first, int size) const {
    return static_cast<size_t>(first) * (static_cast<size_t>(spec_.max_length) + 1) + static_cast<size_t>(size);
  }
  void ExtractStructure(const Run& block, const Run* inner, const NodeSet& words);
  Symbol SymbolOf(const Run& run) const;
  bool OrderSymbols();
  bool IsPhraseOfItsOwn(const NodeSet& words) const;
  void EmitForm(uint32_t general, const NodeSet& words);
  void EmitVariant(const TargetSpan* spans, const NodeSet& words, RuleCount count);
  uint32_t LabelOf(const Symbol& symbol, bool general);
  uint32_t NumberOf(std::string text);

  SystemSpec spec_;
  LabelNumbers* labels_;
  uint64_t max_rules_;
  UnitExtractor phrases_;
  SpanVariants variants_;
  std::unordered_map<std::string, uint32_t> known_labels_;  // saves asking labels_, which locks

  // Of the sentence pair at work:
  const IndexedPair* pair_ = nullptr;
  size_t max_symbols_ = 0;                      // of the rules listed now
  RuleBuffer rules_, kept_;                     // listed now, and known to fit
  std::vector<size_t> links_begin_;             // by source word: where its links start; one more at the end
  std::vector<NodeSet> sources_of_;             // by target word
  std::vector<TargetSpan> own_;                 // by source word: its consistent target words
  std::vector<NodeSet> subtree_;                // by source word
  std::vector<TargetSpan> subtree_target_;      // by source word
  std::array<std::vector<uint32_t>, 2> named_;  // by source word: labels of its text and of its tag, X = not asked yet
  std::vector<bool> is_phrase_;                 // by PhraseIndex: the words of a block, or one word

  // Of the head at work:
  std::vector<Element> elements_;
  size_t head_at_ = 0;

  // Of the structure at work:
  std::vector<Symbol> symbols_;
  std::vector<size_t> target_order_;  // of symbols
  std::vector<TargetSpan> spans_;
  std::vector<bool> is_variable_;
  std::vector<TargetSymbol> number_;  // of each variable among the symbols
  std::vector<SourceSymbol> source_;
  std::vector<TargetSymbol> target_;
  std::vector<size_t> place_;  // by symbol: where it begins in the target
  std::vector<RuleLink> rule_links_;
};

}  // namespace graft::engine
