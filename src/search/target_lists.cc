#include "search/target_lists.h"

#include <algorithm>

#include "graft/error.h"

namespace graft::engine {
namespace {

constexpr size_t kCachedPhrasesLimit = 500'000;  // with what belongs to them about 100 MB a thread

bool Better(const std::pair<float, uint32_t>& a, const std::pair<float, uint32_t>& b) {
  return a.first != b.first ? a.first > b.first : a.second < b.second;
}

}  // namespace

TargetLists::TargetLists(const DecodingModel& model) : model_(model) {}

void TargetLists::NextSentence(const StopCheck& stop) {
  stop_ = StopCounter(stop);
  if (cached_phrases_ <= kCachedPhrasesLimit) return;
  cache_.clear();
  cached_phrases_ = 0;
}

std::vector<ScoredTargets> TargetLists::Read(TrieNode node) {
  std::vector<ScoredTargets> lists;
  model_.table().ReadTargets(node, &list_);
  const std::vector<TargetList::Entry>& entries = list_.entries;  // a left-hand side after the other
  for (size_t begin = 0; begin < entries.size();) {
    size_t end = begin;
    while (end < entries.size() && entries[end].lhs == entries[begin].lhs) ++end;
    Score(std::span(entries).subspan(begin, end - begin), &lists.emplace_back());
    begin = end;
  }
  return lists;
}

// Scores the words between non-terminals.
void TargetLists::ScoreSegments(std::span<const TargetSymbol> symbols, TargetOption* option, LmPhrase* phrases,
                                StringKey* keys) {
  option->lm_inside = 0;
  option->segments = 0;
  int segment = 0;
  auto finish = [&] {
    if (!words_.empty()) option->segments = static_cast<uint16_t>(option->segments | 1u << segment);
    keys[segment] = StringKey::Of(words_);
    option->lm_inside += model_.lm().ScorePhrase(words_, &phrases[segment++]);
    words_.clear();
  };
  words_.clear();
  for (const TargetSymbol symbol : symbols) {
    if (IsTargetWord(symbol))
      words_.push_back(model_.LmWordOf(TargetWordId(symbol)));
    else
      finish();
  }
  finish();
}

// A target without what the language model says; throws unless it has each of the non-terminals once.
TargetOption TargetLists::Describe(const TargetList::Entry& entry, int nonterminals) const {
  const std::span<const TargetSymbol> symbols = list_.Target(entry);
  int seen = 0;
  uint32_t used = 0;
  for (const TargetSymbol symbol : symbols) {
    if (IsTargetWord(symbol)) continue;
    ++seen;
    used |= 1u << symbol;
  }
  if (seen != nonterminals || seen > kMaxNonTerminals || used != (1u << (seen + 1)) - 2)
    throw Error(model_.table().path() + ": a rule's target does not have each non-terminal of its source once");
  TargetOption option;
  option.scores = entry.scores;
  option.alignment = entry.alignment;
  option.symbol_count = static_cast<uint16_t>(symbols.size());
  option.word_count = static_cast<uint16_t>(symbols.size() - static_cast<size_t>(seen));
  return option;
}

// The score of a target but for the language model, which is never positive: an upper bound of its estimate.
float TargetLists::Bound(const TargetOption& option) const {
  const FeatureVector& w = model_.weights();
  const RuleScores& s = option.scores;
  return w[kSourceGivenTarget] * s.p_source_given_target + w[kLexSourceGivenTarget] * s.lex_source_given_target +
         w[kTargetGivenSource] * s.p_target_given_source + w[kLexTargetGivenSource] * s.lex_target_given_source -
         w[kRulePenalty] - w[kWordPenalty] * static_cast<float>(option.word_count);
}

// Tries targets by falling bound until the bound cannot reach the last one kept. Leaves the best in kept_.
void TargetLists::KeepBest(std::span<const TargetList::Entry> entries, size_t segments) {
  const auto count = static_cast<uint32_t>(entries.size());
  const int wanted = model_.search().table_limit == 0 ? kMostOptions : model_.search().table_limit;
  const uint32_t limit = std::min(count, static_cast<uint32_t>(wanted));
  const float lm_weight = model_.weights()[kLanguageModel];
  const bool bounded = lm_weight >= 0;
  if (limit < count) std::sort(ranking_.begin(), ranking_.end(), Better);
  kept_.clear();  // (estimate, entry), best first once sorted; until then a heap with the worst on top
  phrases_.resize(count * segments);
  keys_.resize(count * segments);
  for (const auto& [bound, i] : ranking_) {
    if (bounded && kept_.size() == limit && limit < count && bound < kept_.front().first) break;
    stop_.Step();
    TargetOption& option = scored_[i];
    ScoreSegments(list_.Target(entries[i]), &option, &phrases_[i * segments], &keys_[i * segments]);
    option.estimate = bound + lm_weight * option.lm_inside;
    kept_.emplace_back(option.estimate, i);
    std::push_heap(kept_.begin(), kept_.end(), Better);
    if (kept_.size() > limit) {
      std::pop_heap(kept_.begin(), kept_.end(), Better);
      kept_.pop_back();
    }
  }
  std::sort(kept_.begin(), kept_.end(), Better);
}

// Room for those in kept_: lists stay as long as the translator, and there are many short ones.
void TargetLists::Reserve(std::span<const TargetList::Entry> entries, ScoredTargets* targets) const {
  const auto segments = static_cast<size_t>(targets->nonterminals) + 1;
  size_t symbols = 0;
  for (const auto& [estimate, i] : kept_) symbols += list_.Target(entries[i]).size();
  targets->options.reserve(kept_.size());
  targets->estimates.reserve(kept_.size());
  targets->symbols.reserve(symbols);
  targets->order.reserve(kept_.size() * (segments - 1));
  targets->phrases.reserve(kept_.size() * segments);
  targets->keys.reserve(kept_.size() * segments);
}

void TargetLists::Append(const TargetList::Entry& entry, uint32_t i, ScoredTargets* targets) const {
  const auto segments = static_cast<size_t>(targets->nonterminals) + 1;
  const std::span<const TargetSymbol> symbols = list_.Target(entry);
  targets->options.push_back(scored_[i]);
  targets->options.back().first_symbol = static_cast<uint32_t>(targets->symbols.size());
  targets->estimates.push_back(scored_[i].estimate);
  targets->symbols.insert(targets->symbols.end(), symbols.begin(), symbols.end());
  for (const TargetSymbol symbol : symbols)
    if (!IsTargetWord(symbol)) targets->order.push_back(static_cast<uint8_t>(symbol - 1));
  const auto phrase = phrases_.begin() + static_cast<ptrdiff_t>(i * segments);
  targets->phrases.insert(targets->phrases.end(), phrase, phrase + static_cast<ptrdiff_t>(segments));
  const auto key = keys_.begin() + static_cast<ptrdiff_t>(i * segments);
  targets->keys.insert(targets->keys.end(), key, key + static_cast<ptrdiff_t>(segments));
}

void TargetLists::Score(std::span<const TargetList::Entry> entries, ScoredTargets* targets) {
  targets->lhs = entries[0].lhs;
  const auto first_target = list_.Target(entries[0]);
  targets->nonterminals = static_cast<int>(
      std::count_if(first_target.begin(), first_target.end(), [](auto s) { return !IsTargetWord(s); }));
  scored_.clear();
  ranking_.clear();
  for (uint32_t i = 0; i < entries.size(); ++i) {
    stop_.Step();
    scored_.push_back(Describe(entries[i], targets->nonterminals));
    ranking_.emplace_back(Bound(scored_[i]), i);
  }
  KeepBest(entries, static_cast<size_t>(targets->nonterminals) + 1);
  Reserve(entries, targets);
  for (const auto& [estimate, i] : kept_) Append(entries[i], i, targets);
  cached_phrases_ += targets->phrases.size();
}

ScoredTargets TargetLists::Copy(LmWord word, uint32_t label) const {
  const FeatureVector& w = model_.weights();
  ScoredTargets targets;
  targets.lhs = label;
  targets.phrases.resize(1);
  targets.keys.push_back(StringKey::Of({&word, 1}));
  TargetOption option;
  option.lm_inside = model_.lm().ScorePhrase({&word, 1}, targets.phrases.data());
  option.estimate =
      w[kUnknownWord] * kUnknownWordValue - w[kRulePenalty] - w[kWordPenalty] + w[kLanguageModel] * option.lm_inside;
  option.symbol_count = option.word_count = 1;
  option.segments = 1;
  option.alignment = kCopyAlignment;
  targets.options.push_back(option);
  targets.estimates.push_back(option.estimate);
  targets.symbols.push_back(kCopiedSymbol);
  return targets;
}

ScoredTargets TargetLists::Pseudo(int nonterminals) const {
  ScoredTargets targets;
  targets.nonterminals = nonterminals;
  targets.pseudo = true;
  TargetOption option;
  option.estimate = -model_.weights()[kGlue];
  targets.options.push_back(option);
  targets.estimates.push_back(option.estimate);
  targets.phrases.resize(static_cast<size_t>(nonterminals) + 1);
  targets.keys.resize(static_cast<size_t>(nonterminals) + 1);
  for (int k = 0; k < nonterminals; ++k) targets.order.push_back(static_cast<uint8_t>(k));
  return targets;
}

}  // namespace graft::engine
