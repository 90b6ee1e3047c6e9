#include "search/translator.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <set>

#include "graft/error.h"
#include "search/assemble.h"
#include "search/beam_stacks.h"
#include "search/forced_stacks.h"
#include "search/grammar_search.h"
#include "search/kbest.h"
#include "search/left_to_right.h"
#include "util/utf8.h"

namespace graft::engine {
namespace {

bool IsPunctuation(const std::string& token) {
  const auto length = static_cast<int32_t>(token.size());
  for (int32_t i = 0; i < length;) {
    UChar32 c = 0;
    U8_NEXT(token.data(), i, length, c);
    if (c < 0 || u_ispunct(c) == 0) return false;
  }
  return length > 0;
}

// Joins a piece's translation to what stands before it.
void Append(const Translation& piece, int source_offset, Translation* whole) {
  const auto target_offset = static_cast<int>(whole->tokens.size());
  const auto step_offset = static_cast<int>(whole->derivation.size());
  whole->tokens.insert(whole->tokens.end(), piece.tokens.begin(), piece.tokens.end());
  whole->score += piece.score;
  for (int f = 0; f < kFeatures; ++f) whole->features[f] += piece.features[f];
  for (const auto& [s, t] : piece.alignment) whole->alignment.emplace_back(s + source_offset, t + target_offset);
  for (DerivationStep step : piece.derivation) {
    for (int& position : step.positions) position += source_offset;
    step.target_begin += target_offset;
    step.target_end += target_offset;
    for (int& child : step.children) child += step_offset;
    whole->derivation.push_back(std::move(step));
  }
}

// The best derivation of a graph that has one.
std::vector<const HyperEdge*> BestEdges(const Hypergraph& graph, float* score) {
  std::vector<const HyperEdge*> edges;
  KBest(graph).Get(0, &edges, score);
  return edges;
}

}  // namespace

std::vector<Sentence> SplitLongSentence(const Sentence& sentence, int limit) {
  std::vector<Sentence> pieces;
  for (int begin = 0; begin < sentence.size();) {
    int end = sentence.size();
    if (end - begin > limit) {
      end = begin + limit;
      for (int i = begin + limit - 1; i >= begin; --i)
        if (IsPunctuation(sentence.tokens[i])) {
          end = i + 1;
          break;
        }
    }
    Sentence piece;
    auto part = [&](const auto& all, auto* to) {
      if (!all.empty()) to->assign(all.begin() + begin, all.begin() + end);
    };
    part(sentence.tokens, &piece.tokens);
    part(sentence.tags, &piece.tags);
    part(sentence.heads, &piece.heads);
    part(sentence.relations, &piece.relations);
    for (int& head : piece.heads) head = head > begin && head <= end ? head - begin : 0;
    pieces.push_back(std::move(piece));
    begin = end;
  }
  return pieces;
}

// What the two families of systems need: units joined left to right, or rules of a grammar.
struct Translator::UnitSearch {
  explicit UnitSearch(const Model& model) : options(model), search(model) {}

  OptionSet options;
  LeftToRightSearch search;
};
struct Translator::RuleSearch {
  explicit RuleSearch(const Model& model) : input(model), search(MakeGrammarSearch(model)), stacks(model) {}

  GrammarInput input;
  std::unique_ptr<GrammarSearch> search;
  BeamStacks stacks;
};

Translator::Translator(const Model& model) : model_(model) {
  if (model.system().has_grammar())
    rules_ = std::make_unique<RuleSearch>(model);
  else
    units_ = std::make_unique<UnitSearch>(model);
}
Translator::~Translator() = default;
Translator::Translator(Translator&&) noexcept = default;

const Hypergraph& Translator::Search(const Sentence& sentence, uint32_t alternatives) {
  if (units_) {
    const uint64_t steps_before = units_->options.table_steps();
    units_->options.Build(sentence);
    const Hypergraph& graph = units_->search.Run(units_->options, alternatives);
    statistics_.Add(units_->search.statistics());
    statistics_.table_steps += units_->options.table_steps() - steps_before;
    return graph;
  }
  rules_->input.Build(sentence);
  rules_->stacks.Reset(alternatives > 1);
  const auto goals = rules_->search->Run(&rules_->input, StackLimits(model_.search()), &rules_->stacks);
  statistics_.Add(rules_->stacks.statistics());
  statistics_.Add(rules_->search->statistics());
  ++statistics_.sentences;
  statistics_.words += static_cast<uint64_t>(sentence.size());
  return rules_->stacks.WriteGraph(goals, alternatives);
}

Translation Translator::Assemble(const std::vector<const HyperEdge*>& edges, float score) const {
  return units_ ? AssembleUnits(model_, units_->options, edges, score)
                : AssembleRules(rules_->input, rules_->stacks, edges, score);
}

std::vector<Translation> Translator::TranslatePiece(const Sentence& sentence, const TranslateOptions& options) {
  const Hypergraph& graph = Search(sentence, options.nbest > 1 ? std::max<uint32_t>(100, options.nbest) : 1);

  std::vector<Translation> translations;
  KBest kbest(graph);
  std::vector<const HyperEdge*> edges;
  std::set<std::vector<std::string>> seen;
  const uint64_t tries = options.distinct ? uint64_t{20} * options.nbest : options.nbest;
  float score = 0;
  for (uint32_t rank = 0; rank < tries && translations.size() < options.nbest && kbest.Get(rank, &edges, &score);
       ++rank) {
    Translation translation = Assemble(edges, score);
    if (options.distinct && !seen.insert(translation.tokens).second) continue;
    translations.push_back(std::move(translation));
  }
  if (translations.empty()) throw Error("no translation of \"" + JoinTokens(sentence.tokens) + "\": no rules cover it");
  return translations;
}

std::vector<Translation> Translator::Translate(const Sentence& sentence, const TranslateOptions& options) {
  if (sentence.size() == 0) return {Translation{}};
  if (sentence.size() <= kMaxSentenceWords) return TranslatePiece(sentence, options);
  std::vector<Translation> joined;
  int offset = 0;
  for (const Sentence& piece : SplitLongSentence(sentence, kMaxSentenceWords)) {
    const std::vector<Translation> part = TranslatePiece(piece, options);
    while (joined.size() < part.size()) joined.push_back(joined.empty() ? Translation{} : joined.back());
    for (size_t k = 0; k < joined.size(); ++k) Append(part[std::min(k, part.size() - 1)], offset, &joined[k]);
    offset += piece.size();
  }
  return joined;
}

std::vector<ForcedTranslation> Translator::Force(const Sentence& sentence,
                                                 const std::vector<std::vector<std::string>>& targets,
                                                 uint64_t max_edges) {
  std::vector<ForcedTranslation> results(targets.size());
  if (sentence.size() > kMaxSentenceWords) {
    for (ForcedTranslation& forced : results) forced.result = ForcedResult::kTooLong;
    return results;
  }
  if (sentence.size() > 0 && units_) units_->options.Build(sentence);
  if (sentence.size() > 0 && rules_) rules_->input.Build(sentence);
  for (size_t i = 0; i < targets.size(); ++i) {
    if (sentence.size() == 0)
      results[i].result = targets[i].empty() ? ForcedResult::kDerived : ForcedResult::kNotDerivable;
    else if (units_)
      results[i] = ForceUnits(targets[i], max_edges);
    else
      results[i] = ForceRules(targets[i], max_edges);
  }
  return results;
}

ForcedTranslation Translator::ForceUnits(const std::vector<std::string>& target, uint64_t max_edges) {
  ForcedTranslation forced;
  Hypergraph graph;
  forced.result = ForceDecode(model_, units_->options, target, max_edges, &graph);
  if (forced.result != ForcedResult::kDerived) return forced;
  float score = 0;
  const std::vector<const HyperEdge*> edges = BestEdges(graph, &score);
  forced.best = AssembleUnits(model_, units_->options, edges, score);
  return forced;
}

ForcedTranslation Translator::ForceRules(const std::vector<std::string>& target, uint64_t max_edges) {
  ForcedTranslation forced;
  if (target.size() > kMostForcedWords) {
    forced.result = ForcedResult::kTooLarge;
    return forced;
  }
  ForcedStacks stacks(rules_->input, target, max_edges);
  const auto goals = rules_->search->Run(&rules_->input, StackLimits(), &stacks);
  if (stacks.too_large()) {
    forced.result = ForcedResult::kTooLarge;
    return forced;
  }
  const Hypergraph& graph = stacks.WriteGraph(goals, UINT32_MAX);
  if (graph.empty()) return forced;
  forced.result = ForcedResult::kDerived;
  float score = 0;
  const std::vector<const HyperEdge*> edges = BestEdges(graph, &score);
  forced.best = AssembleRules(rules_->input, stacks, edges, score);
  return forced;
}

}  // namespace graft::engine
