// Forest search (Dep2Str): items over the words and blocks of a dependency tree, the smaller ones first.
//
// The elements of a head are the head itself and its dependents in surface order, a dependent standing for its whole
// subtree. A block is a run of at least two elements that contains the head (with `floating` any run); the full block
// has all elements. Nodes of the forest are the words and the blocks. A block is translated
//   by a structure   its elements as symbols, or with an inner block (a proper sub-run that is a block) as one symbol,
//                    then at most max_symbols. Three classes of symbols, the head or inner block, dependents without
//                    dependents and dependents with, are each taken as words or as parts of speech as a whole
//   by a phrase      the string of its words
//   by neither       a full block that has no other way: the pseudo rule, which joins its elements in source order
// and a word by its own rules or a copy. What a symbol is called, and what fills it:
//
//   symbol                          by word     by part of speech   filled from
//   head, dependent without others  the word    p=TAG               its word
//   dependent with dependents       w=WORD      p=TAG               its full block
//   inner block                     w=HEAD      p=TAG of the head   the block
//
// A node exists if it has a match all of whose non-terminals exist. That does not depend on what items survive, so that
// forced decoding has pseudo rules exactly where search has them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "rules/source_side.h"
#include "search/grammar_search.h"
#include "table/step_memo.h"

namespace graft::engine {

class ForestSearch final : public GrammarSearch {
 public:
  explicit ForestSearch(const DecodingModel& model);

  std::span<const uint32_t> Run(GrammarInput* input, const StackLimits& limits, ItemStore* store,
                                ItemStacks* stacks) override;
  SearchStatistics statistics() const override { return statistics_; }

 private:
  // A word with its elements, if it has dependents. Runs of elements are given by the first and one past the last.
  struct Head {
    std::vector<int> elements;
    int own = 0;                  // which of them is the word itself
    std::vector<uint32_t> cells;  // of blocks: CellOf

    int count() const { return static_cast<int>(elements.size()); }
    bool leaf() const { return elements.size() == 1; }
    uint32_t& CellOf(int begin, int end) {
      return cells[static_cast<size_t>(begin) * (elements.size() + 1) + static_cast<size_t>(end)];
    }
  };
  struct Block {
    int head;
    int begin, end;
    int words, first_word;  // number of words, and the first
  };
  enum Class : uint8_t { kHeadClass, kLeafClass, kInternalClass };
  enum class Form : uint8_t { kOpen, kWords, kTags };
  // A symbol as the trie knows it.
  struct Symbol {
    Class symbol_class;
    uint32_t role;
    int position;     // of a word
    uint32_t filler;  // cell, kNoCell if there is none
    bool variable;    // also by words
    SourceSymbolId by_word, by_tag;
  };
  // The match under construction.
  struct Partial {
    std::array<uint16_t, kMaxSourceSymbols> words;
    std::array<Tail, kMaxSourceSymbols> tails;
    std::array<Form, 3> forms;  // of the classes
    int symbol_count = 0, word_count = 0, tail_count = 0;
    bool inner = false;
  };

  void BuildForest();
  void AddBlocks(int head);
  bool Headed(int begin, int end) const { return begin <= head_->own && head_->own < end; }
  uint32_t CellOfSubtree(int word);
  SourceSymbolId LabelSymbol(std::string_view prefix, const std::string& text);
  Symbol ElementSymbol(int element);
  Symbol InnerSymbol(int begin, int end);

  void MatchBlock(const Block& block);
  void MatchPhrase(const Block& block);
  void Extend(TrieNode node, int next);
  void Take(TrieNode node, const Symbol& symbol, int next);
  void TakeAs(TrieNode node, const Symbol& symbol, Form form, int next);
  void Complete(std::span<const ScoredTargets> lists);
  void JoinSubtrees(std::span<const int> words);
  uint32_t FillCell(int position);
  void FillWords();
  void FillBlock(const Block& block);
  void FillGoal();

  const DecodingModel model_;
  const SystemSpec& spec_;
  const RuleTable& table_;
  StepMemo memo_;

  // The call of Run under way.
  GrammarInput* input_ = nullptr;
  ItemStore* store_ = nullptr;
  ItemStacks* stacks_ = nullptr;
  StackLimits limits_;
  std::vector<NodeSet> subtrees_;
  std::vector<Head> heads_;  // by word
  std::vector<int> roots_;
  std::vector<Block> blocks_;
  std::vector<uint32_t> word_cells_;
  std::vector<SourceSymbolId> word_labels_,
      tag_labels_;  // symbols of variables, by word; kNoSymbol if the table has none

  Head* head_ = nullptr;  // of the block that is matched
  Block block_ = {};
  Partial partial_;
  std::vector<RuleMatch> matches_;  // of the next cell
  std::vector<uint32_t> goals_;
  SearchStatistics statistics_;
};

}  // namespace graft::engine
