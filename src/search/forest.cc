#include "search/forest.h"

#include <algorithm>
#include <tuple>

#include "graft/error.h"
#include "rules/labels.h"

namespace graft::engine {
namespace {

constexpr SourceSymbolId kNoSymbol = UINT32_MAX;

}  // namespace

ForestSearch::ForestSearch(const DecodingModel& model) : model_(model), spec_(model.system()), table_(model.table()) {}

SourceSymbolId ForestSearch::LabelSymbol(std::string_view prefix, const std::string& text) {
  const uint32_t label = input_->FindLabel(std::string(prefix) + text);
  return label == GrammarInput::kNoLabel ? kNoSymbol : label | kLabelBit;
}

void ForestSearch::BuildForest() {
  const Sentence& sentence = input_->sentence();
  const auto size = static_cast<size_t>(input_->size());
  if (sentence.heads.size() != size)
    throw Error("a model of the system " + spec_.name + " needs the heads of its input: give it CoNLL-U");
  subtrees_.assign(size, {});
  heads_.resize(size);
  roots_.clear();
  blocks_.clear();
  word_cells_.assign(size, kNoCell);
  word_labels_.clear();
  tag_labels_.clear();
  for (Head& head : heads_) head.elements.clear();
  for (int word = 0; word < static_cast<int>(size); ++word) {
    const auto at = static_cast<size_t>(word);
    const int parent = sentence.heads[at] - 1;
    (parent < 0 ? roots_ : heads_[static_cast<size_t>(parent)].elements).push_back(word);
    heads_[at].elements.push_back(word);
    size_t steps = 0;
    for (int above = word; above >= 0 && steps <= size; above = sentence.heads[static_cast<size_t>(above)] - 1, ++steps)
      subtrees_[static_cast<size_t>(above)].Add(word);
    word_labels_.push_back(LabelSymbol(kWordLabelPrefix, input_->LookedUp(word)));
    tag_labels_.push_back(LabelSymbol(kTagLabelPrefix, sentence.tags[at]));
  }
  for (int word = 0; word < static_cast<int>(size); ++word)
    if (!heads_[static_cast<size_t>(word)].leaf()) AddBlocks(word);
  std::sort(blocks_.begin(), blocks_.end(), [](const Block& a, const Block& b) {
    return std::tie(a.words, a.first_word, a.head, a.begin) < std::tie(b.words, b.first_word, b.head, b.begin);
  });
}

void ForestSearch::AddBlocks(int word) {
  Head& head = heads_[static_cast<size_t>(word)];
  const int count = head.count();
  head.own = static_cast<int>(std::find(head.elements.begin(), head.elements.end(), word) - head.elements.begin());
  head.cells.assign(static_cast<size_t>(count + 1) * static_cast<size_t>(count + 1), kNoCell);
  for (int begin = 0; begin + 1 < count; ++begin) {
    NodeSet words;
    for (int end = begin + 1; end <= count; ++end) {
      const int element = head.elements[static_cast<size_t>(end) - 1];
      words |= element == word ? NodeSet::Of(word) : subtrees_[static_cast<size_t>(element)];
      const bool full = begin == 0 && end == count;
      const bool headed = begin <= head.own && head.own < end;
      if (end - begin < 2 || !(full || (spec_.blocks.parts && (headed || spec_.blocks.floating)))) continue;
      blocks_.push_back({word, begin, end, words.size(), words.first()});
    }
  }
}

uint32_t ForestSearch::CellOfSubtree(int word) {
  Head& head = heads_[static_cast<size_t>(word)];
  return head.leaf() ? word_cells_[static_cast<size_t>(word)] : head.CellOf(0, head.count());
}

ForestSearch::Symbol ForestSearch::ElementSymbol(int element) {
  const int position = head_->elements[static_cast<size_t>(element)];
  const auto at = static_cast<size_t>(position);
  const bool own = element == head_->own;
  const bool leaf = own || heads_[at].leaf();
  Symbol symbol;
  symbol.symbol_class = own ? kHeadClass : leaf ? kLeafClass : kInternalClass;
  symbol.role = !Headed(block_.begin, block_.end) ? kNoRole
                : own                             ? kHeadPosition
                : element < head_->own            ? kBeforeHead
                                                  : kAfterHead;
  symbol.position = position;
  symbol.filler = own ? word_cells_[at] : CellOfSubtree(position);
  symbol.variable = !leaf;
  symbol.by_word = !leaf ? word_labels_[at] : input_->words()[at] == kNoWord ? kNoSymbol : input_->words()[at];
  symbol.by_tag = tag_labels_[at];
  return symbol;
}

// Without the head an inner block is named by all of its elements.
ForestSearch::Symbol ForestSearch::InnerSymbol(int begin, int end) {
  if (Headed(begin, end)) {
    Symbol symbol = ElementSymbol(head_->own);
    symbol.filler = head_->CellOf(begin, end);
    symbol.variable = true;
    symbol.by_word = word_labels_[static_cast<size_t>(symbol.position)];
    return symbol;
  }
  Symbol symbol = ElementSymbol(begin);
  std::string words = input_->LookedUp(symbol.position);
  std::string tags = input_->sentence().tags[static_cast<size_t>(symbol.position)];
  for (int element = begin + 1; element < end; ++element) {
    const int position = head_->elements[static_cast<size_t>(element)];
    words += "_" + input_->LookedUp(position);
    tags += "_" + input_->sentence().tags[static_cast<size_t>(position)];
  }
  symbol.symbol_class = kInternalClass;
  symbol.filler = head_->CellOf(begin, end);
  symbol.variable = true;
  symbol.by_word = LabelSymbol(kWordLabelPrefix, words);
  symbol.by_tag = LabelSymbol(kTagLabelPrefix, tags);
  return symbol;
}

void ForestSearch::Complete(std::span<const ScoredTargets> lists) {
  RuleMatch match;
  match.first_word = store_->AddWords({partial_.words.data(), static_cast<size_t>(partial_.word_count)});
  match.word_count = static_cast<uint16_t>(partial_.word_count);
  match.first_tail = store_->AddTails({partial_.tails.data(), static_cast<size_t>(partial_.tail_count)});
  match.tail_count = static_cast<uint16_t>(partial_.tail_count);
  for (const ScoredTargets& targets : lists) {
    match.targets = &targets;
    matches_.push_back(match);
    ++statistics_.units;
    statistics_.options += targets.size();
  }
}

void ForestSearch::TakeAs(TrieNode node, const Symbol& symbol, Form form, int next) {
  const SourceSymbolId id = form == Form::kWords ? symbol.by_word : symbol.by_tag;
  const bool variable = symbol.variable || form == Form::kTags;
  if (id == kNoSymbol || (variable && symbol.filler == kNoCell)) return;
  const uint64_t key = table_.Key(id, partial_.symbol_count == 0 ? 0 : symbol.role);
  if (key == RuleTable::kNoKey) return;
  input_->stop()->Step();
  const std::optional<TrieNode> child = memo_.Child(node, key, [&] {
    ++statistics_.table_steps;
    return table_.Child(node, key);
  });
  if (!child) return;
  const Partial before = partial_;
  partial_.forms[symbol.symbol_class] = form;
  ++partial_.symbol_count;
  if (variable)
    partial_.tails[static_cast<size_t>(partial_.tail_count++)] = {symbol.filler, id & ~kLabelBit};
  else
    partial_.words[static_cast<size_t>(partial_.word_count++)] = static_cast<uint16_t>(symbol.position);
  Extend(*child, next);
  partial_ = before;
}

void ForestSearch::Take(TrieNode node, const Symbol& symbol, int next) {
  for (const Form form : {Form::kWords, Form::kTags}) {
    const Form chosen = partial_.forms[symbol.symbol_class];
    if (chosen == Form::kOpen || chosen == form) TakeAs(node, symbol, form, next);
  }
}

// Goes on from element `next` of the block.
void ForestSearch::Extend(TrieNode node, int next) {
  if (next == block_.end) {
    if (table_.HasRules(node)) Complete(input_->Targets(node));
    return;
  }
  if (partial_.symbol_count == kMaxSourceSymbols || (partial_.symbol_count > 0 && !table_.HasChildren(node))) return;
  Take(node, ElementSymbol(next), next + 1);
  if (partial_.inner || !spec_.blocks.parts || (!spec_.blocks.floating && next > head_->own)) return;
  // The elements after the inner block are symbols each.
  const int first_end = block_.end - (spec_.grammar.max_symbols - partial_.symbol_count - 1);
  for (int end = std::max(next + 2, first_end); end <= block_.end; ++end) {
    if (next == block_.begin && end == block_.end) continue;
    if (!spec_.blocks.floating && !Headed(next, end)) continue;
    partial_.inner = true;
    Take(node, InnerSymbol(next, end), end);
    partial_.inner = false;
  }
}

void ForestSearch::MatchPhrase(const Block& block) {
  // A string of dependents alone is a structure, too, with the same symbols: matched already.
  if (!spec_.blocks.parts || block.words > spec_.max_length) return;
  if (!Headed(block.begin, block.end) && block.words == block.end - block.begin) return;
  NodeSet words;
  for (int e = block.begin; e < block.end; ++e) {
    const int element = head_->elements[static_cast<size_t>(e)];
    words |= element == block.head ? NodeSet::Of(element) : subtrees_[static_cast<size_t>(element)];
  }
  std::optional<TrieNode> node = RuleTable::kRoot;
  words.ForEach([&](int position) {
    const WordId word = input_->words()[static_cast<size_t>(position)];
    if (node) node = word == kNoWord ? std::nullopt : table_.Child(*node, word, kNoRole);
    partial_.words[static_cast<size_t>(partial_.word_count++)] = static_cast<uint16_t>(position);
  });
  if (node && table_.HasRules(*node)) Complete(input_->Targets(*node));
}

void ForestSearch::MatchBlock(const Block& block) {
  block_ = block;
  head_ = &heads_[static_cast<size_t>(block.head)];
  partial_ = {};
  Extend(RuleTable::kRoot, block.begin);
  if (Headed(block.begin, block.end))
    for (RuleMatch& match : matches_) match.head_position = static_cast<int16_t>(block.head);
  partial_ = {};
  MatchPhrase(block);
}

// The pseudo rule over the subtrees of words, none of which may be missing; of `block_.head` the word alone.
void ForestSearch::JoinSubtrees(std::span<const int> words) {
  if (!model_.search().pseudo_rules) return;
  std::vector<Tail> tails;
  for (const int word : words) {
    const uint32_t cell = word == block_.head ? word_cells_[static_cast<size_t>(word)] : CellOfSubtree(word);
    if (cell == kNoCell) return;
    tails.push_back({cell, kLabelX});
  }
  RuleMatch match;
  match.targets = input_->PseudoRule(static_cast<int>(tails.size()));
  match.first_tail = store_->AddTails(tails);
  match.tail_count = static_cast<uint16_t>(tails.size());
  matches_.push_back(match);
}

// Makes a node of the matches found, if there are any.
uint32_t ForestSearch::FillCell(int position) {
  if (matches_.empty() || stacks_->too_large()) return kNoCell;
  const uint32_t cell = store_->AddCell({.position = static_cast<uint32_t>(position)});
  for (RuleMatch& match : matches_) match.cell = cell;
  stacks_->Fill(matches_, {}, limits_);
  matches_.clear();
  return cell;
}

void ForestSearch::FillWords() {
  for (int word = 0; word < input_->size(); ++word) {
    const auto at = static_cast<size_t>(word);
    partial_ = {};
    partial_.words[0] = static_cast<uint16_t>(word);
    partial_.word_count = 1;
    const ScoredTargets* copy = input_->Copy(word);
    std::optional<TrieNode> node;
    if (input_->words()[at] != kNoWord) node = table_.Child(RuleTable::kRoot, input_->words()[at], kNoRole);
    if (copy != nullptr)
      Complete({copy, 1});
    else if (node && table_.HasRules(*node))
      Complete(input_->Targets(*node));
    word_cells_[at] = FillCell(word);
  }
}

void ForestSearch::FillBlock(const Block& block) {
  MatchBlock(block);
  const bool full = block.begin == 0 && block.end == head_->count();
  if (matches_.empty() && full) JoinSubtrees(head_->elements);
  const bool headed = Headed(block.begin, block.end);
  head_->CellOf(block.begin, block.end) =
      FillCell(headed ? block.head : head_->elements[static_cast<size_t>(block.begin)]);
}

void ForestSearch::FillGoal() {
  if (roots_.empty()) return;
  uint32_t top = kNoCell;
  if (roots_.size() == 1) {
    top = CellOfSubtree(roots_[0]);
  } else {
    block_.head = -1;
    JoinSubtrees(roots_);
    top = FillCell(0);
  }
  if (top == kNoCell) return;
  GlueMatch start;
  start.x = top;
  start.cell = store_->AddCell({.sentence = true, .complete = true});
  start.border = true;
  if (!stacks_->Fill({}, {&start, 1}, limits_).empty()) goals_.push_back(start.cell);
}

std::span<const uint32_t> ForestSearch::Run(GrammarInput* input, const StackLimits& limits, ItemStore* store,
                                            ItemStacks* stacks) {
  input_ = input;
  store_ = store;
  stacks_ = stacks;
  limits_ = limits;
  statistics_ = {};
  goals_.clear();
  matches_.clear();
  memo_.Forget();
  BuildForest();
  FillWords();
  for (const Block& block : blocks_) {
    if (stacks->too_large()) return {};
    FillBlock(block);
  }
  FillGoal();
  if (stacks->too_large()) return {};
  return goals_;
}

}  // namespace graft::engine
