#include "search/bottom_up_matcher.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <string>

#include "graft/error.h"
#include "search/packed_key.h"
#include "search/search_bound.h"
#include "table/matcher.h"

namespace graft::engine {
namespace {

// Bits first..last.
uint64_t Run(int first, int last) {
  return (last - first == 63 ? ~uint64_t{0} : (uint64_t{1} << (last - first + 1)) - 1) << first;
}

SymbolRows<uint64_t> Window(const SymbolRows<NodeSet>& rows, int from) {
  return {rows.words.Window(from), rows.out.Window(from), rows.in.Window(from), rows.dep_out.Window(from),
          rows.dep_in.Window(from)};
}

}  // namespace

BottomUpMatcher::BottomUpMatcher(const RuleTable& table) : table_(table), kind_(table.spec().signature()) {}

void BottomUpMatcher::Start(std::span<const WordId> words, const DependencyGraph& graph, const BottomUpLimits& limits,
                            const StopCheck& stop) {
  if (limits.max_span < 1 || limits.max_span > kMaxUnitSpan)
    throw Error("a match may span 1 to " + std::to_string(kMaxUnitSpan) + " words, not " +
                std::to_string(limits.max_span));
  if (graph.size() != static_cast<int>(words.size()))
    throw Error("a sentence of " + std::to_string(words.size()) + " words has a graph of " +
                std::to_string(graph.size()));
  stop_ = StopCounter(stop);
  words_ = words;
  graph_ = &graph;
  limits_ = limits;
  limits_.max_words = std::min(limits.max_words, limits.max_span);
  future_ = nullptr;
  memo_.Forget();
  partials_.clear();
  groups_.clear();
  const size_t sizes = static_cast<size_t>(limits_.max_words) + 1;
  for (auto* before : {&before_words_, &before_groups_}) {
    if (before->size() < sizes) before->resize(sizes);
    for (std::vector<uint32_t>& partials : *before) partials.clear();
  }
  for (std::vector<ShiftedGroup>& groups : shifted_) groups.clear();
  if (shifted_.size() < sizes * words.size()) shifted_.resize(sizes * words.size());
  for (std::vector<BottomUpMatch>& matches : word_matches_) matches.clear();

  const int n = graph.size();
  word_rows_.resize(words.size() * static_cast<size_t>(limits_.max_span));
  for (int word = 0; word < n; ++word) {
    const SymbolRows<NodeSet> rows = RowsOf(graph, word);
    for (int start = std::max(0, word - limits_.max_span + 1); start <= word; ++start)
      word_rows_[static_cast<size_t>(start) * static_cast<size_t>(limits_.max_span) +
                 static_cast<size_t>(word - start)] = Window(rows, start);
  }

  if (word_matches_.empty()) word_matches_.resize(1);
  for (int word = 0; word < n && limits_.max_words >= 1; ++word) {
    const WordId id = words[static_cast<size_t>(word)];
    if (id == kNoWord) continue;
    if (const TrieStep step = Step(RuleTable::kRoot, id, 0); step.found())
      Enter(kNone, word, {step, WordRows(word, 0), 1}, 1, &word_matches_[0]);
  }
  for (size_t size = 1; size + 1 < sizes && !before_words_[size].empty(); ++size) {
    if (word_matches_.size() <= size) word_matches_.resize(size + 1);
    for (const uint32_t id : before_words_[size]) AddWords(id, static_cast<int>(size) + 1, &word_matches_[size]);
    before_words_[size].clear();
  }
}

std::span<const BottomUpMatch> BottomUpMatcher::WordMatches(int size) const {
  if (size < 1 || static_cast<size_t>(size) > word_matches_.size()) return {};
  return word_matches_[static_cast<size_t>(size) - 1];
}

TrieStep BottomUpMatcher::Step(TrieNode node, SourceSymbolId symbol, uint32_t signature) {
  const uint64_t key = table_.Key(symbol, signature);
  if (key == RuleTable::kNoKey) return {};
  return memo_.Step(node, key, [&] {
    ++steps_;
    return AskTable(table_, node, key);
  });
}

// The words of each symbol of a partial match, first to last.
std::span<const uint64_t> BottomUpMatcher::SymbolsOf(uint32_t id) {
  const size_t count = partials_[id].symbols;
  for (size_t k = count; k-- > 0; id = partials_[id].parent) symbols_[k] = partials_[id].symbol;
  return {symbols_.data(), count};
}

void BottomUpMatcher::AddMatch(const Partial& partial, std::vector<BottomUpMatch>* matches) const {
  BottomUpMatch match;
  match.node = {partial.symbols - 1, partial.node};
  match.mask = match.terminals = partial.used;
  match.start = partial.start;
  const int length = 64 - std::countl_zero(partial.used);
  match.end = static_cast<uint16_t>(partial.start + length - 1);
  match.gap = static_cast<uint16_t>(length - std::popcount(partial.spans));
  for (size_t k = 0; k < partial.nonterminals; ++k) {
    const BottomUpGroup& filled = groups_[partial.groups[k]];
    match.cells[k] = filled.cell;
    match.terminals &= ~(filled.mask << (filled.start - partial.start));
  }
  matches->push_back(match);
}

void BottomUpMatcher::Enter(uint32_t parent, int start, const Extension& by, int size,
                            std::vector<BottomUpMatch>* matches) {
  const uint64_t words = by.rows.words;
  Partial made{.used = words,
               .symbol = words,
               .spans = by.span,
               .parent = parent,
               .node = by.step.index,
               .groups = {kNoGroup, kNoGroup},
               .start = static_cast<uint16_t>(start),
               .last = static_cast<uint8_t>(std::countr_zero(words)),
               .symbols = 1,
               .nonterminals = 0};
  if (parent != kNone) {
    const Partial& from = partials_[parent];
    made.used |= from.used;
    made.spans |= from.spans;
    made.groups = from.groups;
    made.symbols = static_cast<uint8_t>(from.symbols + 1) & 63;
    made.nonterminals = from.nonterminals;
  }
  if (by.group != kNoGroup) {
    made.groups[made.nonterminals] = by.group;
    made.nonterminals = static_cast<uint8_t>(made.nonterminals + 1) & 3;
  }
  if (matches != nullptr && by.step.rules) AddMatch(made, matches);
  if (size == limits_.max_words || made.symbols == kMaxSourceSymbols) return;
  const bool takes_groups = by.step.children.labels && made.nonterminals < made.groups.size();
  const auto id = static_cast<uint32_t>(partials_.size());
  if (by.step.children.words) before_words_[static_cast<size_t>(size)].push_back(id);
  if (takes_groups) before_groups_[static_cast<size_t>(size)].push_back(id);
  RequireRoom(id);
  if (by.step.children.words || takes_groups) partials_.push_back(made);
}

void BottomUpMatcher::AddWords(uint32_t id, int size, std::vector<BottomUpMatch>* matches) {
  stop_.Step();
  const Partial partial = partials_[id];
  const TrieNode node{partial.symbols - 1, partial.node};
  const std::span<const uint64_t> earlier = SymbolsOf(id);
  const int beyond = std::min(limits_.max_span, graph_->size() - partial.start);
  for (int offset = partial.last + 1; offset < beyond; ++offset) {
    const WordId word = words_[static_cast<size_t>(partial.start + offset)];
    if ((partial.used >> offset & 1) != 0 || word == kNoWord) continue;
    const Rows& rows = WordRows(partial.start, offset);
    if (const TrieStep step = Step(node, word, Signature(kind_, earlier, rows)); step.found())
      Enter(id, partial.start, {step, rows, rows.words}, size, matches);
  }
}

void BottomUpMatcher::AddGroupsTo(uint32_t id, int group_size, int size, std::vector<BottomUpMatch>* matches) {
  const Partial partial = partials_[id];
  const std::vector<ShiftedGroup>& shifted = shifted_[static_cast<size_t>(group_size) * words_.size() + partial.start];
  if (shifted.empty()) return;
  const TrieNode node{partial.symbols - 1, partial.node};
  const std::span<const uint64_t> earlier = SymbolsOf(id);
  for (size_t i = shifted.size(); i-- > 0 && shifted[i].first > partial.last;) {
    stop_.Step();
    const ShiftedGroup& group = shifted[i];
    if ((group.rows.words & partial.used) != 0) continue;
    if (const TrieStep step = Step(node, group.symbol, Signature(kind_, earlier, group.rows)); step.found())
      Enter(id, partial.start, {step, group.rows, group.span, group.group}, size, matches);
  }
}

float BottomUpMatcher::Estimate(const Partial& partial) const {
  float estimate = future_->Of(partial.start, partial.used);
  uint64_t terminals = partial.used;
  for (size_t k = 0; k < partial.nonterminals; ++k) {
    const BottomUpGroup& group = groups_[partial.groups[k]];
    estimate += group.score;
    terminals &= ~(group.mask << (group.start - partial.start));
  }
  for (; terminals != 0; terminals &= terminals - 1) {
    const int word = partial.start + std::countr_zero(terminals);
    estimate += future_->Span(word, word);
  }
  return estimate;
}

void BottomUpMatcher::Limit(int size) {
  const auto limit = static_cast<size_t>(limits_.active_limit);
  std::vector<uint32_t>& words = before_words_[static_cast<size_t>(size)];
  std::vector<uint32_t>& groups = before_groups_[static_cast<size_t>(size)];
  if (limit == 0 || future_ == nullptr || words.size() + groups.size() <= limit) return;
  active_.clear();
  std::set_union(words.begin(), words.end(), groups.begin(), groups.end(), std::back_inserter(active_));
  if (active_.size() <= limit) return;
  keys_.clear();
  for (const uint32_t id : active_) keys_.push_back(PackedKey(Estimate(partials_[id]), id));
  const auto last = keys_.begin() + static_cast<ptrdiff_t>(limit) - 1;
  std::nth_element(keys_.begin(), last, keys_.end(), std::greater<>());
  const uint64_t worst = *last;
  for (std::vector<uint32_t>* ids : {&words, &groups})
    std::erase_if(*ids, [&](uint32_t id) { return PackedKey(Estimate(partials_[id]), id) < worst; });
}

std::span<const BottomUpMatch> BottomUpMatcher::Advance(int size) {
  matches_.assign(WordMatches(size).begin(), WordMatches(size).end());
  if (size > limits_.max_words) return matches_;
  for (const uint32_t id : before_words_[static_cast<size_t>(size) - 1]) AddWords(id, size, &matches_);
  for (int group_size = 1; group_size < size; ++group_size)
    for (const uint32_t id : before_groups_[static_cast<size_t>(size - group_size)])
      AddGroupsTo(id, group_size, size, &matches_);
  return matches_;
}

void BottomUpMatcher::AddGroups(int size, std::span<const BottomUpGroup> groups) {
  if (size >= limits_.max_words) return;
  const auto first = static_cast<uint32_t>(groups_.size());
  groups_.insert(groups_.end(), groups.begin(), groups.end());
  std::stable_sort(groups_.begin() + first, groups_.end(),
                   [](const BottomUpGroup& a, const BottomUpGroup& b) { return a.start < b.start; });
  for (uint32_t g = first; g < groups_.size(); ++g) {
    stop_.Step();
    const BottomUpGroup group = groups_[g];
    if (group.label >= table_.labels().size()) continue;
    NodeSet words;
    for (uint64_t rest = group.mask; rest != 0; rest &= rest - 1) words.Add(group.start + std::countr_zero(rest));
    const SymbolRows<NodeSet> rows = RowsOf(*graph_, words);
    const SourceSymbolId symbol = group.label | kLabelBit;
    const int length = group.end - group.start + 1;
    for (int start = std::max(0, group.end - limits_.max_span + 1); start < group.start; ++start) {
      const int offset = group.start - start;
      shifted_[static_cast<size_t>(size) * words_.size() + static_cast<size_t>(start)].push_back(
          {Window(rows, start), Run(offset, offset + length - 1), g, symbol, static_cast<uint8_t>(offset)});
    }
    if (const TrieStep step = Step(RuleTable::kRoot, symbol, 0); step.found())
      Enter(kNone, group.start, {step, Window(rows, group.start), Run(0, length - 1), g}, size, nullptr);
  }
  Limit(size);
}

}  // namespace graft::engine
