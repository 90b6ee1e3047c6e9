#include "search/chart.h"

#include <algorithm>

namespace graft::engine {

ChartSearch::ChartSearch(const DecodingModel& model)
    : model_(model), table_(model.table()), kind_(model.system().signature()) {}

ChartSearch::Symbol ChartSearch::SymbolOf(int first, int last, const EdgeEnds& edge) const {
  if (kind_ == SignatureKind::kNone) return {};
  if (kind_ == SignatureKind::kNodes) return {{}, edge};
  return {RowsOf(input_->graph(), NodeSet::Range(first, last)), {}};
}

std::optional<TrieNode> ChartSearch::Step(TrieNode node, SourceSymbolId id, const Symbol& symbol) {
  if (partial_.symbol_count == kMaxSourceSymbols) return std::nullopt;
  input_->stop()->Step();
  const std::span<const NodeSet> earlier(partial_.symbols.data(), static_cast<size_t>(partial_.symbol_count));
  const uint32_t signature =
      kind_ == SignatureKind::kNodes ? partial_.nodes.Signature(symbol.edge) : Signature(kind_, earlier, symbol.rows);
  const uint64_t key = table_.Key(id, signature);
  if (key == RuleTable::kNoKey) return std::nullopt;
  return memo_.Child(node, key, [&] {
    ++statistics_.table_steps;
    return table_.Child(node, key);
  });
}

void ChartSearch::ExtendByWord(TrieNode node, int position) {
  const auto at = static_cast<size_t>(position);
  if (input_->words()[at] == kNoWord) return;
  const int nodes = partial_.nodes.count();
  if (const std::optional<TrieNode> child = Step(node, input_->words()[at], word_symbols_[at])) {
    partial_.symbols[static_cast<size_t>(partial_.symbol_count++)] = word_symbols_[at].rows.words;
    partial_.words[static_cast<size_t>(partial_.word_count++)] = static_cast<uint16_t>(position);
    Extend(*child, position + 1);
    --partial_.symbol_count;
    --partial_.word_count;
  }
  partial_.nodes.Forget(nodes);
}

void ChartSearch::ExtendByCell(TrieNode node, const XCell& x) {
  const int nodes = partial_.nodes.count();
  if (const std::optional<TrieNode> child = Step(node, x.label | kLabelBit, x.symbol)) {
    partial_.symbols[static_cast<size_t>(partial_.symbol_count++)] = x.symbol.rows.words;
    partial_.tails[static_cast<size_t>(partial_.tail_count++)] = {x.cell, x.label};
    Extend(*child, x.end);
    --partial_.symbol_count;
    --partial_.tail_count;
  }
  partial_.nodes.Forget(nodes);
}

void ChartSearch::ExtendByCells(TrieNode node, int start) {
  if (partial_.tail_count == model_.system().grammar.max_nonterminals) return;
  for (const XCell& x : cells_[static_cast<size_t>(start)])
    if (x.end <= last_end_) ExtendByCell(node, x);
}

void ChartSearch::Extend(TrieNode node, int end) {
  if (table_.HasRules(node)) Complete(input_->Targets(node), end);
  if (end == last_end_ || !table_.HasChildren(node)) return;
  ExtendByWord(node, end);
  ExtendByCells(node, end);
}

void ChartSearch::Complete(std::span<const ScoredTargets> lists, int end) {
  RuleMatch match;
  match.first_word = store_->AddWords({partial_.words.data(), static_cast<size_t>(partial_.word_count)});
  match.word_count = static_cast<uint16_t>(partial_.word_count);
  match.first_tail = store_->AddTails({partial_.tails.data(), static_cast<size_t>(partial_.tail_count)});
  match.tail_count = static_cast<uint16_t>(partial_.tail_count);
  for (const ScoredTargets& targets : lists) {
    match.targets = &targets;
    pending_[static_cast<size_t>(end)].push_back(match);
    ++statistics_.units;
    statistics_.options += targets.size();
  }
}

// Fills the cells of one span, a stack each.
void ChartSearch::FillCells(int start, int end, const StackLimits& limits) {
  std::vector<RuleMatch>& matches = pending_[static_cast<size_t>(end)];
  if (matches.empty()) return;
  EdgeEnds edge;
  if (model_.system().unit == UnitTest::kOneOpenNode) {
    const std::optional<EdgeEnds> found = input_->edge_graph().OfSpan(start, end - 1);
    if (!found) return;
    edge = *found;
  } else if (model_.system().connected() && !input_->graph().IsConnected(NodeSet::Range(start, end - 1))) {
    return;
  }
  const auto by_label = [](const RuleMatch& a, const RuleMatch& b) { return a.targets->lhs < b.targets->lhs; };
  if (!std::is_sorted(matches.begin(), matches.end(), by_label))  // a sort takes memory: only with several labels
    std::stable_sort(matches.begin(), matches.end(), by_label);
  XCell x{kNoCell, 0, end, SymbolOf(start, end - 1, edge)};
  for (size_t begin = 0; begin < matches.size() && !stacks_->too_large();) {
    x.label = matches[begin].targets->lhs;
    x.cell = store_->AddCell({.label = x.label, .position = static_cast<uint32_t>(start)});
    size_t next = begin;
    for (; next < matches.size() && matches[next].targets->lhs == x.label; ++next) matches[next].cell = x.cell;
    const std::span<const RuleMatch> stack(matches.data() + begin, next - begin);
    if (!stacks_->Fill(stack, {}, limits).empty()) cells_[static_cast<size_t>(start)].push_back(x);
    begin = next;
  }
}

// An S cell that is finished is glued at once to every X cell that begins where it ends.
void ChartSearch::FillSentenceCells(const StackLimits& limits) {
  const auto size = static_cast<size_t>(input_->size());
  const float step = -model_.weights()[kGlue];
  auto glue_from = [&](uint32_t sentence, size_t start) {
    for (const XCell& x : cells_[start]) {
      GlueMatch match;
      match.s = sentence;
      match.x = x.cell;
      match.step = step;
      glue_[static_cast<size_t>(x.end)].push_back(match);
    }
  };
  goals_.clear();
  glue_from(kNoCell, 0);
  for (size_t end = 1; end <= size && !stacks_->too_large(); ++end) {
    if (glue_[end].empty()) continue;
    const uint32_t cell = store_->AddCell({.sentence = true, .complete = end == size});
    for (GlueMatch& match : glue_[end]) match.cell = cell;
    if (stacks_->Fill({}, glue_[end], limits).empty()) continue;
    if (end < size)
      glue_from(cell, end);
    else
      goals_.push_back(cell);
  }
}

std::span<const uint32_t> ChartSearch::Run(GrammarInput* input, const StackLimits& limits, ItemStore* store,
                                           ItemStacks* stacks) {
  input_ = input;
  store_ = store;
  stacks_ = stacks;
  statistics_ = {};
  const int size = input->size();
  const auto ends = static_cast<size_t>(size) + 1;
  if (pending_.size() < ends) {
    pending_.resize(ends);
    cells_.resize(ends);
    glue_.resize(ends);
  }
  for (size_t i = 0; i < ends; ++i) {
    cells_[i].clear();
    glue_[i].clear();
  }
  word_symbols_.clear();
  for (int i = 0; i < size; ++i)
    word_symbols_.push_back(
        SymbolOf(i, i, kind_ == SignatureKind::kNodes ? input->edge_graph().OfWord(i) : EdgeEnds{}));
  memo_.Forget();
  partial_ = {};

  for (int start = size - 1; start >= 0; --start) {
    last_end_ = std::min(size, start + model_.search().max_span);
    for (int end = start + 1; end <= last_end_; ++end) pending_[static_cast<size_t>(end)].clear();
    ExtendByWord(RuleTable::kRoot, start);
    if (const ScoredTargets* copy = input->Copy(start)) {
      partial_.words[0] = static_cast<uint16_t>(start);
      partial_.word_count = 1;
      Complete({copy, 1}, start + 1);
      partial_.word_count = 0;
    }
    for (int end = start + 1; end <= last_end_; ++end) {
      const size_t first = cells_[static_cast<size_t>(start)].size();
      FillCells(start, end, limits);
      if (stacks->too_large()) return {};
      for (size_t c = first; c < cells_[static_cast<size_t>(start)].size(); ++c)
        ExtendByCell(RuleTable::kRoot, cells_[static_cast<size_t>(start)][c]);
    }
  }
  FillSentenceCells(limits);
  if (stacks->too_large()) return {};
  return goals_;
}

}  // namespace graft::engine
