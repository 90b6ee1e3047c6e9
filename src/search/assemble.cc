#include "search/assemble.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <string>

#include "rules/rule_text.h"
#include "rules/source_side.h"

namespace graft::engine {
namespace {

std::vector<int> PositionsOf(const Unit& unit) {
  std::vector<int> positions;
  for (uint64_t bits = unit.mask; bits != 0; bits &= bits - 1) positions.push_back(unit.start + std::countr_zero(bits));
  return positions;
}

// Link strings count SDTU's gap marks as symbols: the source position of each text position, -1 for a mark.
std::vector<int> TextPositions(SignatureKind kind, const std::vector<int>& positions) {
  if (kind != SignatureKind::kGap) return positions;
  std::vector<int> text;
  for (size_t k = 0; k < positions.size(); ++k) {
    if (k > 0 && positions[k] > positions[k - 1] + 1) text.push_back(-1);
    text.push_back(positions[k]);
  }
  return text;
}

// A rule's links as positions of the sentence and its translation; -1 where a symbol is no word.
void AddAlignment(std::span<const RuleLink> links, const std::vector<int>& source, const std::vector<int>& target,
                  std::vector<std::pair<int, int>>* alignment) {
  for (const RuleLink& link : links)
    if (link.source < source.size() && link.target < target.size() && source[link.source] >= 0 &&
        target[link.target] >= 0)
      alignment->emplace_back(source[link.source], target[link.target]);
}

// The edges that the symbols are, as in rule text.
std::vector<std::string> SymbolEdges(const DependencyEdgeGraph& graph, const std::vector<NodeSet>& symbols) {
  std::vector<std::string> edges;
  NodeNumbers nodes;
  for (size_t k = 0; k < symbols.size(); ++k) {
    const std::optional<EdgeEnds> edge = graph.OfSpan(symbols[k].first(), symbols[k].last());
    const EdgeEnds ends = NodeNumbers::EndsOf(k, nodes.Signature(edge.value()));
    edges.push_back(std::to_string(ends.start) + ">" + std::to_string(ends.end));
  }
  return edges;
}

// The edges between symbols, as `u>v`.
std::vector<std::string> EdgesOf(const SystemSpec& spec, const DependencyGraph& graph,
                                 const std::vector<NodeSet>& symbols) {
  std::vector<std::string> edges;
  if (!HasWordEdges(spec.signature())) return edges;
  for (size_t u = 0; u < symbols.size(); ++u) {
    const SymbolRows<NodeSet> rows = RowsOf(graph, symbols[u]);
    for (size_t v = 0; v < symbols.size(); ++v) {
      if (u == v || !rows.out.Intersects(symbols[v])) continue;
      std::string edge = std::to_string(u) + ">" + std::to_string(v);
      if (spec.edge_labels) edge += rows.dep_out.Intersects(symbols[v]) ? ":dep" : ":seq";
      edges.push_back(std::move(edge));
    }
  }
  return edges;
}

// Those from a head to its dependents.
std::vector<std::string> EdgesFrom(int head, size_t symbols) {
  std::vector<std::string> edges;
  for (int v = 0; v < static_cast<int>(symbols); ++v)
    if (v != head) edges.push_back(std::to_string(head) + ">" + std::to_string(v));
  return edges;
}

FeatureVector FeaturesOf(const TargetOption& option, const HyperEdge& edge) {
  FeatureVector features{};
  features[kSourceGivenTarget] = option.scores.p_source_given_target;
  features[kLexSourceGivenTarget] = option.scores.lex_source_given_target;
  features[kTargetGivenSource] = option.scores.p_target_given_source;
  features[kLexTargetGivenSource] = option.scores.lex_target_given_source;
  features[kLanguageModel] = edge.lm;
  features[kRulePenalty] = -1;
  features[kWordPenalty] = -static_cast<float>(option.word_count);
  features[kGap] = -static_cast<float>(edge.gap);
  features[kUnknownWord] = option.alignment == kCopyAlignment ? kUnknownWordValue : 0;
  return features;
}

void Finish(Translation* translation) {
  for (const DerivationStep& step : translation->derivation)
    for (int f = 0; f < kFeatures; ++f) translation->features[f] += step.features[f];
  std::sort(translation->alignment.begin(), translation->alignment.end());
}

// What is on the way from the last step to the goal belongs to the last step.
void AddBorder(const HyperEdge& edge, Translation* translation) {
  if (translation->derivation.empty()) return;
  translation->derivation.back().features[kLanguageModel] += edge.lm;
  translation->derivation.back().score += edge.score;
}

// A word beside non-terminals; one that looks like a non-terminal is escaped as in rule text.
std::string WordSymbol(const std::string& word) {
  return word.starts_with('[') && word.ends_with(']') ? EscapeWord(word) : word;
}

// Turns the edges of a derivation with a grammar into steps and writes their words.
class RuleAssembler {
 public:
  RuleAssembler(const GrammarInput& input, const ItemStore& items) : input_(input), items_(items) {}

  Translation Run(const std::vector<const HyperEdge*>& edges, float score) {
    translation_.score = score;
    std::vector<int> open;  // steps that fill nothing yet
    for (const HyperEdge* edge : edges) {
      if (edge->kind == EdgeKind::kBorder) {
        AddBorder(*edge, &translation_);
        continue;
      }
      const std::vector<int> children(open.end() - edge->tail_count, open.end());
      open.resize(open.size() - edge->tail_count);
      open.push_back(static_cast<int>(parts_.size()));
      AddStep(*edge, children);
    }
    Write(static_cast<int>(parts_.size()) - 1);
    Finish(&translation_);
    return std::move(translation_);
  }

 private:
  struct Part {
    const HyperEdge* edge;
    NodeSet covered;
    std::vector<int> source;  // sentence position of each source symbol, -1 for a non-terminal
  };

  DerivationStep& step(int index) { return translation_.derivation[static_cast<size_t>(index)]; }
  const NodeSet& covered(int index) const { return parts_[static_cast<size_t>(index)].covered; }

  void AddStep(const HyperEdge& edge, const std::vector<int>& children) {
    Part part{&edge, {}, {}};
    DerivationStep made;
    made.children = children;
    made.score = edge.score;
    for (const int child : children) part.covered |= covered(child);
    if (edge.kind == EdgeKind::kGlue)
      DescribeGlue(edge, &made);
    else if (items_.rule(edge.unit).targets->pseudo)
      DescribePseudoRule(edge, &made);
    else
      DescribeRule(edge, &part, &made);
    part.covered.ForEach([&](int position) { made.positions.push_back(position); });
    parts_.push_back(std::move(part));
    translation_.derivation.push_back(std::move(made));
  }

  void DescribeGlue(const HyperEdge& edge, DerivationStep* made) {
    made->glue = true;
    made->lhs = "S";
    for (size_t k = 0; k < made->children.size(); ++k) {
      const bool sentence = k + 1 < made->children.size();
      made->source_symbols.push_back("[" + (sentence ? std::string("S") : step(made->children[k]).lhs) + "," +
                                     std::to_string(k + 1) + "]");
      made->target_symbols.push_back((sentence ? "[S," : "[X,") + std::to_string(k + 1) + "]");
    }
    made->features[kLanguageModel] = edge.lm;
    made->features[kGlue] = -1;
    made->features[kGlueDistortion] = -static_cast<float>(edge.jump);
  }

  // Joins what it covers, as glue does, under the label of an X.
  void DescribePseudoRule(const HyperEdge& edge, DerivationStep* made) {
    made->glue = true;
    made->lhs = input_.LabelText(items_.rule(edge.unit).targets->lhs);
    for (size_t k = 0; k < made->children.size(); ++k) {
      const std::string number = "," + std::to_string(k + 1) + "]";
      made->source_symbols.push_back("[" + step(made->children[k]).lhs + number);
      made->target_symbols.push_back("[X" + number);
    }
    made->features[kLanguageModel] = edge.lm;
    made->features[kGlue] = -1;
  }

  void DescribeRule(const HyperEdge& edge, Part* part, DerivationStep* made) {
    const RuleMatch& match = items_.rule(edge.unit);
    const TargetOption& option = match.targets->options[edge.option];
    const std::span<const Tail> tails = items_.Tails(match);
    std::vector<std::pair<int, int>> order;  // (position, -1 for a word or the index of the non-terminal)
    for (const uint16_t word : items_.Words(match)) order.emplace_back(word, -1);
    for (size_t k = 0; k < tails.size(); ++k)
      order.emplace_back(items_.cell(tails[k].cell).position, static_cast<int>(k));
    std::sort(order.begin(), order.end());
    std::vector<NodeSet> symbols;
    int head = -1;
    for (const auto& [position, k] : order) {
      symbols.push_back(k < 0 ? NodeSet::Of(position) : covered(made->children[static_cast<size_t>(k)]));
      part->source.push_back(k < 0 ? position : -1);
      part->covered |= symbols.back();
      made->source_symbols.push_back(k < 0 ? WordSymbol(input_.sentence().tokens[static_cast<size_t>(position)])
                                           : "[" + input_.LabelText(tails[static_cast<size_t>(k)].label) + "," +
                                                 std::to_string(k + 1) + "]");
      if (match.head_position >= 0 && position == match.head_position) head = static_cast<int>(symbols.size()) - 1;
    }
    for (const TargetSymbol symbol : match.targets->Symbols(option))
      made->target_symbols.push_back(IsTargetWord(symbol) ? WordSymbol(Token(match, symbol))
                                                          : "[X," + std::to_string(symbol) + "]");
    made->lhs = input_.LabelText(match.targets->lhs);
    const SystemSpec& system = input_.model().system();
    if (head >= 0)
      made->edges = EdgesFrom(head, symbols.size());
    else if (system.words_on_edges())
      made->edges = SymbolEdges(input_.edge_graph(), symbols);
    else
      made->edges = EdgesOf(system, input_.graph(), symbols);
    made->copied = match.targets->copied();
    made->features = FeaturesOf(option, edge);
  }

  std::string Token(const RuleMatch& match, TargetSymbol symbol) const {
    if (match.targets->copied()) return input_.sentence().tokens[items_.Words(match)[0]];
    return std::string(input_.model().table().TargetWord(TargetWordId(symbol)));
  }

  // Writes the words of a step and of all below it, left to right.
  void Write(int index) {
    step(index).target_begin = static_cast<int>(translation_.tokens.size());
    const Part& part = parts_[static_cast<size_t>(index)];
    if (step(index).glue) {
      for (const int child : step(index).children) Write(child);
    } else {
      const RuleMatch& match = items_.rule(part.edge->unit);
      const TargetOption& option = match.targets->options[part.edge->option];
      std::vector<int> target;
      for (const TargetSymbol symbol : match.targets->Symbols(option)) {
        target.push_back(IsTargetWord(symbol) ? static_cast<int>(translation_.tokens.size()) : -1);
        if (IsTargetWord(symbol))
          translation_.tokens.push_back(Token(match, symbol));
        else
          Write(step(index).children[symbol - 1]);
      }
      if (match.targets->copied())
        translation_.alignment.emplace_back(part.source[0], target[0]);
      else
        AddAlignment(input_.model().table().Links(option.alignment), part.source, target, &translation_.alignment);
    }
    step(index).target_end = static_cast<int>(translation_.tokens.size());
  }

  const GrammarInput& input_;
  const ItemStore& items_;
  std::vector<Part> parts_;  // as the steps of the derivation
  Translation translation_;
};

}  // namespace

Translation AssembleUnits(const DecodingModel& model, const OptionSet& options,
                          const std::vector<const HyperEdge*>& edges, float score) {
  Translation translation;
  translation.score = score;
  for (const HyperEdge* edge : edges) {
    if (edge->kind == EdgeKind::kBorder) {  // the empty hypothesis, or the goal with </s>
      AddBorder(*edge, &translation);
      continue;
    }
    const Unit& unit = options.units()[edge->unit];
    const TargetOption& option = options.option(edge->option);
    DerivationStep step;
    step.positions = PositionsOf(unit);
    std::vector<NodeSet> symbols;
    for (const int position : step.positions) symbols.push_back(NodeSet::Of(position));
    step.edges = EdgesOf(model.system(), options.graph(), symbols);
    step.copied = unit.copied;
    step.target_begin = static_cast<int>(translation.tokens.size());
    step.target_end = step.target_begin + static_cast<int>(option.word_count);
    std::vector<int> target;
    for (uint32_t k = 0; k < option.word_count; ++k) {
      target.push_back(static_cast<int>(translation.tokens.size()));
      translation.tokens.emplace_back(options.TargetToken(unit, option, k));
    }
    step.features = FeaturesOf(option, *edge);
    step.features[kJump] = -static_cast<float>(edge->jump);
    step.score = edge->score;
    if (unit.copied)
      translation.alignment.emplace_back(unit.start, step.target_begin);
    else
      AddAlignment(model.table().Links(option.alignment), TextPositions(model.system().signature(), step.positions),
                   target, &translation.alignment);
    translation.derivation.push_back(std::move(step));
  }
  Finish(&translation);
  return translation;
}

Translation AssembleRules(const GrammarInput& input, const ItemStore& items, const std::vector<const HyperEdge*>& edges,
                          float score) {
  return RuleAssembler(input, items).Run(edges, score);
}

}  // namespace graft::engine
