#include "search/option_set.h"

#include <algorithm>
#include <bit>

namespace graft {
namespace {

constexpr size_t kCachedOptionsLimit = 400'000;  // about 60 MB a thread

uint64_t NodeKey(TrieNode node) { return static_cast<uint64_t>(node.level) << 32 | node.index; }

}  // namespace

OptionSet::OptionSet(const Model& model) : model_(model), matcher_(model.table()), cached_weights_(model.weights()) {}

// Scores every target of a source side and keeps the best. Without the language model (never positive) a score is an
// upper bound of the estimate, so targets are tried by falling bound until the bound cannot reach the last one kept.
const OptionSet::CachedList& OptionSet::Prescored(TrieNode node) {
  auto [found, inserted] = cache_.try_emplace(NodeKey(node));
  CachedList& cached = found->second;
  if (!inserted) return cached;

  model_.table().ReadTargets(node, &list_);
  const FeatureVector& w = model_.weights();
  const auto count = static_cast<uint32_t>(list_.entries.size());
  const int wanted = model_.search().table_limit == 0 ? kMostOptions : model_.search().table_limit;
  const uint32_t limit = std::min(count, static_cast<uint32_t>(wanted));
  std::vector<TargetOption> scored(count);
  std::vector<float> bound(count);
  ranking_.clear();
  for (uint32_t i = 0; i < count; ++i) {
    const TargetList::Entry& entry = list_.entries[i];
    const auto length = static_cast<float>(entry.end - entry.begin);
    const RuleScores& s = entry.scores;
    bound[i] = w[kSourceGivenTarget] * s.p_source_given_target + w[kLexSourceGivenTarget] * s.lex_source_given_target +
               w[kTargetGivenSource] * s.p_target_given_source + w[kLexTargetGivenSource] * s.lex_target_given_source -
               w[kRulePenalty] - w[kWordPenalty] * length;
    ranking_.emplace_back(bound[i], i);
  }
  auto better = [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  };
  const bool bounded = w[kLanguageModel] >= 0;
  if (limit < count) std::sort(ranking_.begin(), ranking_.end(), better);
  std::vector<std::pair<float, uint32_t>> kept;  // (estimate, entry), best first once sorted
  std::vector<LmPhrase> phrases(count);
  auto worse_on_top = [&](const auto& a, const auto& b) { return better(a, b); };
  for (const auto& [score, i] : ranking_) {
    if (bounded && kept.size() == limit && limit < count && score < kept.front().first) break;
    const TargetList::Entry& entry = list_.entries[i];
    lm_words_.clear();
    for (uint32_t k = entry.begin; k < entry.end; ++k)
      lm_words_.push_back(model_.LmWordOf(TargetWordId(list_.symbols[k])));
    TargetOption& option = scored[i];
    option.lm_inside = model_.lm().ScorePhrase(lm_words_, &phrases[i]);
    option.estimate = score + w[kLanguageModel] * option.lm_inside;
    option.scores = entry.scores;
    option.alignment = entry.alignment;
    kept.emplace_back(option.estimate, i);
    std::push_heap(kept.begin(), kept.end(), worse_on_top);
    if (kept.size() > limit) {
      std::pop_heap(kept.begin(), kept.end(), worse_on_top);
      kept.pop_back();
    }
  }
  std::sort(kept.begin(), kept.end(), better);
  for (const auto& [estimate, i] : kept) {
    TargetOption option = scored[i];
    option.first_word = static_cast<uint32_t>(cached.words.size());
    const TargetList::Entry& entry = list_.entries[i];
    for (uint32_t k = entry.begin; k < entry.end; ++k) cached.words.push_back(TargetWordId(list_.symbols[k]));
    option.word_count = entry.end - entry.begin;
    cached.options.push_back(option);
    cached.phrases.push_back(phrases[i]);
  }
  cached_options_ += kept.size();
  return cached;
}

void OptionSet::AddTableUnit(const UnitMatch& match) {
  Unit unit;
  unit.mask = match.mask;
  unit.start = match.start;
  unit.end = match.end;
  unit.size = static_cast<uint16_t>(std::popcount(match.mask));
  unit.gap = static_cast<uint16_t>(match.end - match.start + 1 - unit.size);
  auto [place, fresh] = placed_.try_emplace(NodeKey(match.node));
  if (fresh) {
    const CachedList& list = Prescored(match.node);
    const auto shift = static_cast<uint32_t>(words_.size());
    place->second = {static_cast<uint32_t>(options_.size()), static_cast<uint32_t>(list.options.size())};
    options_.insert(options_.end(), list.options.begin(), list.options.end());
    for (size_t i = place->second.first; i < options_.size(); ++i) options_[i].first_word += shift;
    phrases_.insert(phrases_.end(), list.phrases.begin(), list.phrases.end());
    words_.insert(words_.end(), list.words.begin(), list.words.end());
  }
  unit.first_option = place->second.first;
  unit.option_count = place->second.second;
  if (unit.option_count > 0) units_.push_back(unit);
}

void OptionSet::AddCopy(int position) {
  Unit unit;
  unit.mask = 1;
  unit.start = unit.end = static_cast<uint16_t>(position);
  unit.size = 1;
  unit.first_option = static_cast<uint32_t>(options_.size());
  unit.option_count = 1;
  unit.copied = true;
  const LmWord word = model_.lm().Word((model_.config().text.lowercase ? looked_up_ : sentence_->tokens)[position]);
  LmPhrase phrase;
  TargetOption option;
  option.lm_inside = model_.lm().ScorePhrase({&word, 1}, &phrase);
  const FeatureVector& w = model_.weights();
  option.estimate =
      w[kUnknownWord] * kUnknownWordValue - w[kRulePenalty] - w[kWordPenalty] + w[kLanguageModel] * option.lm_inside;
  option.word_count = 1;
  option.first_word = static_cast<uint32_t>(words_.size());
  words_.push_back(kNoWord);
  option.alignment = kCopyAlignment;
  options_.push_back(option);
  phrases_.push_back(phrase);
  units_.push_back(unit);
}

void OptionSet::Build(const Sentence& sentence) {
  sentence_ = &sentence;
  words_in_sentence_ = sentence.size();
  if (cached_options_ > kCachedOptionsLimit || cached_weights_ != model_.weights()) {
    cache_.clear();
    cached_options_ = 0;
    cached_weights_ = model_.weights();
  }
  units_.clear();
  options_.clear();
  phrases_.clear();
  words_.clear();
  placed_.clear();
  source_ids_.clear();
  looked_up_ = sentence.tokens;
  model_.text().Normalise(Side::kSource, &looked_up_);
  for (const std::string& token : looked_up_) source_ids_.push_back(model_.table().FindSource(token));
  graph_ = DependencyGraph(model_.system().graph, sentence.size(), sentence.heads);
  matcher_.Match(source_ids_, graph_, model_.search().max_span, &matches_);

  // Matches come by start; copies go where no one-word rule stands, keeping units sorted by start.
  size_t next = 0;
  first_unit_.assign(static_cast<size_t>(sentence.size()) + 1, 0);
  for (int position = 0; position < sentence.size(); ++position) {
    first_unit_[position] = static_cast<uint32_t>(units_.size());
    bool has_word_rule = false;
    for (; next < matches_.size() && matches_[next].start == position; ++next) {
      AddTableUnit(matches_[next]);
      has_word_rule |= matches_[next].mask == 1;
    }
    if (!has_word_rule && model_.search().copy_unknown) AddCopy(position);
  }
  first_unit_[sentence.size()] = static_cast<uint32_t>(units_.size());
  estimates_.clear();
  for (const TargetOption& option : options_) estimates_.push_back(option.estimate);
}

std::string_view OptionSet::TargetToken(const Unit& unit, const TargetOption& option, uint32_t index) const {
  if (option.alignment == kCopyAlignment) return sentence_->tokens[unit.start];
  return model_.table().TargetWord(words_[option.first_word + index]);
}

}  // namespace graft
