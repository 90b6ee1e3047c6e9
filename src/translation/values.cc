#include "translation/values.h"

#include <string>

#include "graph/dependency_graph.h"
#include "model/features.h"
#include "search/translator.h"
#include "text/token_ranges.h"

namespace graft::engine {
namespace {

Step ToValue(const SystemSpec& system, const DerivationStep& step) {
  return {.positions = step.positions,
          .edges = step.edges,
          .target_begin = step.target_begin,
          .target_end = step.target_end,
          .copied = step.copied,
          .features = NamedFeatures(system, step.features),
          .score = step.score,
          .glue = step.glue,
          .lhs = step.lhs,
          .rule_source = step.source_symbols,
          .rule_target = step.target_symbols,
          .children = step.children};
}

// The edges of the graphs that search worked on: one for each piece of a sentence that is cut.
std::vector<GraphEdge> GraphOf(const SystemSpec& system, const Sentence& source) {
  // Where words are edges, their nodes hang together as the tree does.
  const GraphKind kind = system.words_on_edges() ? GraphKind::kTree : system.graph;
  std::vector<GraphEdge> edges;
  int offset = 0;
  for (const Sentence& piece : SplitLongSentence(source, kMaxSentenceWords)) {
    const DependencyGraph graph(kind, piece.size(), piece.heads);
    for (int from = 0; from < piece.size(); ++from)
      for (int to = 0; to < piece.size(); ++to)
        if (graph.HasEdge(from, to))
          edges.push_back({.from = offset + from, .to = offset + to, .dependency = graph.dep_out(from).Contains(to)});
    offset += piece.size();
  }
  return edges;
}

std::string JoinWritten(const TextProcessor& text, Writing writing, const std::vector<std::string>& written) {
  return writing == Writing::kTokens ? JoinTokens(written) : text.Join(written);
}

}  // namespace

std::vector<graft::Feature> NamedFeatures(const SystemSpec& system, const FeatureVector& features) {
  std::vector<graft::Feature> named;
  for (const FeatureGroup& group : kFeatureGroups) {
    if (!HasFeature(system, group.first) || (group.first == kUnknownWord && features[kUnknownWord] == 0)) continue;
    const float* first = &features[static_cast<size_t>(group.first)];
    named.push_back({std::string(group.name), {first, first + group.size}});
  }
  return named;
}

graft::Translation ToValue(const SystemSpec& system, const Translation& translation, bool derivation) {
  graft::Translation value;
  for (const std::string& token : translation.tokens) value.tokens.push_back({.text = token});
  value.score = translation.score;
  value.features = NamedFeatures(system, translation.features);
  value.alignment = translation.alignment;
  if (derivation)
    for (const DerivationStep& step : translation.derivation) value.derivation.push_back(ToValue(system, step));
  return value;
}

graft::Sentence ToValue(const SystemSpec& system, const Sentence& source, const std::vector<Translation>& translations,
                        bool derivation) {
  graft::Sentence value;
  for (size_t i = 0; i < source.tokens.size(); ++i) {
    SourceToken& token = value.tokens.emplace_back();
    token.text = source.tokens[i];
    if (!source.tags.empty()) token.tag = source.tags[i];
    if (!source.heads.empty()) token.head = source.heads[i];
    if (!source.relations.empty()) token.relation = source.relations[i];
  }
  if (derivation) value.graph = GraphOf(system, source);
  value.best = ToValue(system, translations.front(), derivation);
  for (size_t k = 1; k < translations.size(); ++k)
    value.alternatives.push_back(ToValue(system, translations[k], derivation));
  return value;
}

std::string Presented(const TextProcessor& text, Writing writing, std::vector<std::string> tokens) {
  return JoinWritten(text, writing, text.WrittenTokens(std::move(tokens)));
}

void Present(const TextProcessor& text, Writing writing, graft::Translation* translation) {
  std::vector<std::string> tokens;
  for (const Token& token : translation->tokens) tokens.push_back(token.text);
  const std::vector<std::string> written = text.WrittenTokens(std::move(tokens));
  translation->text = JoinWritten(text, writing, written);
  const std::vector<TextRange> ranges = RangesOf(translation->text, written);
  for (size_t i = 0; i < ranges.size(); ++i) {
    translation->tokens[i].begin = ranges[i].begin;
    translation->tokens[i].end = ranges[i].end;
  }
}

}  // namespace graft::engine
