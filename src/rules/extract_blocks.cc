#include "rules/extract_blocks.h"

#include <algorithm>
#include <utility>

#include "graft/error.h"

namespace graft::engine {
namespace {

// What finds the phrases.
SystemSpec PhraseSpec(SystemSpec spec) {
  spec.graph = GraphKind::kChain;
  spec.unit = UnitTest::kContiguous;
  spec.grammar.max_nonterminals = 0;
  return spec;
}

// Runs of words on both sides are few enough without a bound, and which of them are phrases is known afterwards.
constexpr uint64_t kAllPhrases = kMostMaxPairRules;  // 250 · 16 target spans with 136 runs around each

}  // namespace

BlockExtractor::BlockExtractor(const SystemSpec& spec, LabelNumbers* labels, uint64_t max_rules)
    : spec_(spec), labels_(labels), max_rules_(MaxPairRules(spec, max_rules)), phrases_(PhraseSpec(spec), kAllPhrases) {
  if (labels == nullptr) throw Error("labels need a place for their numbers");
}

bool BlockExtractor::Extract(const IndexedPair& pair, const RuleSink& sink) {
  const size_t words = pair.source.size();
  if (pair.links.empty() || std::max(words, pair.target.size()) > size_t{kMaxSentenceWords}) return true;
  if (pair.heads.size() != words || pair.tags.size() != words || pair.words.size() != words)
    throw Error(spec_.name + " needs the head and the part of speech of every source word; give the source as CoNLL-U");
  pair_ = &pair;
  ReadTree();
  constexpr size_t kAnySymbols = kMaxSourceSymbols;
  const bool all = ExtractUpTo(kAnySymbols);
  if (all) {
    rules_.Replay(sink);
    return true;
  }
  kept_.clear();
  for (size_t symbols = 1; ExtractUpTo(symbols); ++symbols) std::swap(kept_, rules_);
  kept_.Replay(sink);
  return false;
}

// Lists the rules of up to so many symbols; false if they do not fit.
bool BlockExtractor::ExtractUpTo(size_t symbols) {
  const size_t words = pair_->source.size();
  max_symbols_ = symbols;
  rules_.clear();
  is_phrase_.assign(PhraseIndex(static_cast<int>(words), 0), false);
  for (size_t word = 0; word < words; ++word) {
    is_phrase_[PhraseIndex(static_cast<int>(word), 1)] = true;
    ReadElements(static_cast<int>(word));
    if (elements_.size() > 1) ExtractBlocks();
    if (rules_.size() > max_rules_) return false;
  }
  phrases_.Extract(*pair_, [&](const RuleOccurrence& rule, const UnitPair& where) {
    if (std::max(rule.source.size(), rule.target.size()) > max_symbols_ || rules_.size() > max_rules_) return;
    if (is_phrase_[PhraseIndex(where.unit.first(), where.unit.size())]) rules_.Add(rule, where);
  });
  return rules_.size() <= max_rules_;
}

void BlockExtractor::ReadTree() {
  const size_t words = pair_->source.size();
  links_begin_.assign(words + 1, 0);
  sources_of_.assign(pair_->target.size(), NodeSet());
  std::vector<bool> aligned(pair_->target.size());
  for (const WordLink& link : pair_->links) {
    ++links_begin_[link.source + size_t{1}];
    sources_of_[link.target].Add(link.source);
    aligned[link.target] = true;
  }
  variants_.ReadTarget(aligned);
  for (size_t word = 0; word < words; ++word) links_begin_[word + 1] += links_begin_[word];

  own_.assign(words, {});
  subtree_.assign(words, NodeSet());
  subtree_target_.assign(words, {});
  for (auto& labels : named_) labels.assign(words, kLabelX);
  for (size_t word = 0; word < words; ++word) {
    bool consistent = true;
    for (size_t i = links_begin_[word]; i < links_begin_[word + 1]; ++i) {
      own_[word].Add(pair_->links[i].target);
      consistent &= sources_of_[pair_->links[i].target].size() == 1;
    }
    if (!consistent) own_[word] = {};
    for (int above = static_cast<int>(word); above >= 0; above = pair_->heads[static_cast<size_t>(above)] - 1) {
      subtree_[static_cast<size_t>(above)].Add(static_cast<int>(word));
      subtree_target_[static_cast<size_t>(above)] |= own_[word];
    }
  }
}

void BlockExtractor::ReadElements(int head) {
  elements_.clear();
  for (size_t word = 0; word < pair_->source.size(); ++word) {
    if (static_cast<int>(word) == head) {
      head_at_ = elements_.size();
      elements_.push_back({head, kHead, NodeSet::Of(head), own_[word]});
    } else if (pair_->heads[word] == head + 1) {
      const Class cls = subtree_[word].size() == 1 ? kLeaf : kInternal;
      elements_.push_back({static_cast<int>(word), cls, subtree_[word], subtree_target_[word]});
    }
  }
}

void BlockExtractor::ExtractBlocks() {
  const size_t most = std::min(static_cast<size_t>(spec_.grammar.max_symbols), max_symbols_);
  const size_t most_of_full = std::min(static_cast<size_t>(spec_.grammar.max_nonterminals), max_symbols_);
  const size_t count = elements_.size();
  const auto is_block = [&](const Run& run) {
    return spec_.blocks.parts && (spec_.blocks.floating || run.Holds(head_at_));
  };
  for (size_t first = 0; first + 1 < count; ++first) {
    NodeSet words = elements_[first].words;
    for (size_t end = first + 2; end <= count; ++end) {
      words |= elements_[end - 1].words;
      const Run run{first, end};
      if (run.size() == count) {
        if (count <= most_of_full) ExtractStructure(run, nullptr, words);
        if (spec_.blocks.parts) MarkPhrase(words);
      } else if (is_block(run)) {
        if (run.size() <= most) ExtractStructure(run, nullptr, words);
        MarkPhrase(words);
      }
    }
  }
  const Run full{0, count};
  const NodeSet& whole = subtree_[static_cast<size_t>(elements_[head_at_].word)];
  for (size_t first = 0; first + 1 < count; ++first) {
    for (size_t end = first + 2; end <= count; ++end) {
      const Run inner{first, end};
      const size_t symbols = count - inner.size() + 1;
      if (symbols > 1 && symbols <= most && is_block(inner)) ExtractStructure(full, &inner, whole);
    }
  }
}

void BlockExtractor::MarkPhrase(const NodeSet& words) {
  const int first = words.first(), size = words.size();
  if (size > spec_.max_length || words.last() - first + 1 != size) return;
  is_phrase_[PhraseIndex(first, size)] = true;
}

void BlockExtractor::ExtractStructure(const Run& block, const Run* inner, const NodeSet& words) {
  if (rules_.size() > max_rules_) return;
  symbols_.clear();
  for (size_t element = block.first; element < block.end;) {
    const Run run = inner != nullptr && element == inner->first ? *inner : Run{element, element + 1};
    symbols_.push_back(SymbolOf(run));
    if (symbols_.back().target.empty()) return;
    element = run.end;
  }
  if (!OrderSymbols()) return;
  if (block.size() < elements_.size() && !IsPhraseOfItsOwn(words)) return;
  uint32_t classes = 0;
  for (const Symbol& symbol : symbols_) classes |= symbol.cls;
  for (uint32_t general = classes;; general = (general - 1) & classes) {
    EmitForm(general, words);
    if (general == 0) break;
  }
}

BlockExtractor::Symbol BlockExtractor::SymbolOf(const Run& run) const {
  const Element& first = elements_[run.first];
  if (run.size() == 1) return {run, first.word, first.cls, first.target};
  Symbol symbol{run, -1, kInternal, {}};
  for (size_t element = run.first; element < run.end; ++element) symbol.target |= elements_[element].target;
  if (run.Holds(head_at_)) {
    symbol.word = elements_[head_at_].word;
    symbol.cls = kHead;
  }
  return symbol;
}

// Orders symbols by their spans; whether these are disjoint.
bool BlockExtractor::OrderSymbols() {
  target_order_.clear();
  for (size_t k = 0; k < symbols_.size(); ++k) {
    const TargetSpan& span = symbols_[k].target;
    size_t place = target_order_.size();
    while (place > 0 && symbols_[target_order_[place - 1]].target.first > span.first) --place;
    if (place > 0 && symbols_[target_order_[place - 1]].target.last >= span.first) return false;
    if (place < target_order_.size() && symbols_[target_order_[place]].target.first <= span.last) return false;
    target_order_.insert(target_order_.begin() + static_cast<std::ptrdiff_t>(place), k);
  }
  return true;
}

// Whether nothing outside is linked to a word from the first to the last of the spans.
bool BlockExtractor::IsPhraseOfItsOwn(const NodeSet& words) const {
  const int last = symbols_[target_order_.back()].target.last;
  for (int j = symbols_[target_order_.front()].target.first; j <= last; ++j)
    if (!sources_of_[static_cast<size_t>(j)].IsSubsetOf(words)) return false;
  return true;
}

void BlockExtractor::EmitForm(uint32_t general, const NodeSet& words) {
  source_.clear();
  number_.clear();
  spans_.clear();
  is_variable_.clear();
  TargetSymbol variables = 0;
  int head_symbol = kNoHeadSymbol;
  for (const Symbol& symbol : symbols_) {
    const bool is_general = (symbol.cls & general) != 0;
    const bool is_variable = is_general || symbol.cls == kInternal || symbol.run.size() > 1;
    if (symbol.cls == kHead) head_symbol = static_cast<int>(source_.size());
    source_.push_back({is_variable ? LabelOf(symbol, is_general) | kLabelBit
                                   : SourceSymbolId{pair_->source[static_cast<size_t>(symbol.word)]},
                       kNoRole});
    number_.push_back(is_variable ? ++variables : 0);
    is_variable_.push_back(is_variable);
    spans_.push_back(symbol.target);
  }
  SetRoles(head_symbol, source_);
  if (!spec_.blocks.extend) {
    EmitVariant(spans_.data(), words, kOneOccurrence);
    return;
  }
  const std::vector<TargetSpan>& variants = variants_.List(spans_, target_order_, is_variable_);
  const RuleCount count = variants.size() / symbols_.size();
  for (size_t first = 0; first < variants.size(); first += symbols_.size())
    EmitVariant(variants.data() + first, words, (2 * kOneOccurrence + count) / (2 * count));
}

void BlockExtractor::EmitVariant(const TargetSpan* spans, const NodeSet& words, RuleCount count) {
  target_.clear();
  place_.resize(symbols_.size());
  for (size_t k : target_order_) {
    place_[k] = target_.size();
    if (is_variable_[k]) {
      target_.push_back(number_[k]);
      continue;
    }
    for (int j = spans[k].first; j <= spans[k].last; ++j)
      target_.push_back(TargetWord(pair_->target[static_cast<size_t>(j)]));
  }
  rule_links_.clear();
  for (size_t k = 0; k < symbols_.size(); ++k) {
    if (is_variable_[k]) continue;
    const auto word = static_cast<size_t>(symbols_[k].word);
    for (size_t i = links_begin_[word]; i < links_begin_[word + 1]; ++i)
      rule_links_.push_back({static_cast<uint8_t>(k), static_cast<uint8_t>(place_[k] + pair_->links[i].target -
                                                                           static_cast<size_t>(spans[k].first))});
  }
  rules_.Add({kLabelX, source_, target_, rule_links_, count},
             {words, spans[target_order_.front()].first, spans[target_order_.back()].last});
}

uint32_t BlockExtractor::LabelOf(const Symbol& symbol, bool general) {
  const std::vector<std::string>& texts = general ? pair_->tags : pair_->words;
  std::string label(general ? kTagLabelPrefix : kWordLabelPrefix);
  if (symbol.word < 0) {
    for (size_t element = symbol.run.first; element < symbol.run.end; ++element) {
      if (element > symbol.run.first) label += '_';
      label += texts[static_cast<size_t>(elements_[element].word)];
    }
    return NumberOf(std::move(label));
  }
  const auto word = static_cast<size_t>(symbol.word);
  uint32_t& known = named_[general ? 1 : 0][word];
  if (known == kLabelX) known = NumberOf(std::move(label += texts[word]));
  return known;
}

uint32_t BlockExtractor::NumberOf(std::string text) {
  const auto [found, fresh] = known_labels_.try_emplace(std::move(text), kLabelX);
  if (fresh) found->second = labels_->Number(found->first);
  return found->second;
}

}  // namespace graft::engine
