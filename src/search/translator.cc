#include "search/translator.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <set>

#include "search/kbest.h"
#include "text/error.h"
#include "text/utf8.h"

namespace graft {
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

void AddAlignment(std::string_view links, const std::vector<int>& source, int target_begin,
                  std::vector<std::pair<int, int>>* alignment) {
  for (std::string_view link : SplitTokens(links)) {
    const size_t dash = link.find('-');
    const int s = std::stoi(std::string(link.substr(0, dash)));
    const int t = std::stoi(std::string(link.substr(dash + 1)));
    if (s < static_cast<int>(source.size()) && source[s] >= 0) alignment->emplace_back(source[s], target_begin + t);
  }
}

std::vector<std::string> EdgesOf(const SystemSpec& spec, const DependencyGraph& graph,
                                 const std::vector<int>& positions) {
  std::vector<std::string> edges;
  if (spec.signature() != SignatureKind::kEdges && spec.signature() != SignatureKind::kLabelledEdges) return edges;
  for (size_t u = 0; u < positions.size(); ++u)
    for (size_t v = 0; v < positions.size(); ++v) {
      if (u == v || !graph.HasEdge(positions[u], positions[v])) continue;
      std::string edge = std::to_string(u) + ">" + std::to_string(v);
      if (spec.edge_labels) edge += graph.dep_out(positions[u]).Contains(positions[v]) ? ":dep" : ":seq";
      edges.push_back(std::move(edge));
    }
  return edges;
}

// Joins a piece's translation to what stands before it.
void Append(const Translation& piece, int source_offset, Translation* whole) {
  const auto target_offset = static_cast<int>(whole->tokens.size());
  whole->tokens.insert(whole->tokens.end(), piece.tokens.begin(), piece.tokens.end());
  whole->score += piece.score;
  for (int f = 0; f < kFeatures; ++f) whole->features[f] += piece.features[f];
  for (const auto& [s, t] : piece.alignment) whole->alignment.emplace_back(s + source_offset, t + target_offset);
  for (DerivationStep step : piece.derivation) {
    for (int& position : step.positions) position += source_offset;
    step.target_begin += target_offset;
    step.target_end += target_offset;
    whole->derivation.push_back(std::move(step));
  }
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

Translator::Translator(const Model& model) : model_(model), options_(model), search_(model) {}

Translation Translator::Assemble(const std::vector<const HyperEdge*>& edges, float score) const {
  Translation translation;
  translation.score = score;
  for (const HyperEdge* edge : edges) {
    if (edge->unit == kNoUnit) {  // the empty hypothesis, or the goal with </s>
      if (translation.derivation.empty()) continue;
      translation.derivation.back().features[kLanguageModel] += edge->lm;
      translation.derivation.back().score += edge->score;
      continue;
    }
    const Unit& unit = options_.units()[edge->unit];
    const TargetOption& option = options_.option(edge->option);
    DerivationStep step;
    step.positions = PositionsOf(unit);
    step.edges = EdgesOf(model_.system(), options_.graph(), step.positions);
    step.copied = unit.copied;
    step.target_begin = static_cast<int>(translation.tokens.size());
    step.target_end = step.target_begin + static_cast<int>(option.word_count);
    for (uint32_t k = 0; k < option.word_count; ++k)
      translation.tokens.emplace_back(options_.TargetToken(unit, option, k));
    step.features = {option.scores.p_source_given_target,
                     option.scores.lex_source_given_target,
                     option.scores.p_target_given_source,
                     option.scores.lex_target_given_source,
                     edge->lm,
                     -1.0f,
                     -static_cast<float>(option.word_count),
                     -static_cast<float>(edge->jump),
                     -static_cast<float>(edge->gap),
                     0.0f,
                     0.0f,
                     unit.copied ? kUnknownWordValue : 0.0f};
    step.score = edge->score;
    if (unit.copied)
      translation.alignment.emplace_back(unit.start, step.target_begin);
    else
      AddAlignment(model_.table().alignments()[option.alignment],
                   TextPositions(model_.system().signature(), step.positions), step.target_begin,
                   &translation.alignment);
    translation.derivation.push_back(std::move(step));
  }
  for (const DerivationStep& step : translation.derivation)
    for (int f = 0; f < kFeatures; ++f) translation.features[f] += step.features[f];
  std::sort(translation.alignment.begin(), translation.alignment.end());
  return translation;
}

std::vector<Translation> Translator::TranslatePiece(const Sentence& sentence, const TranslateOptions& options) {
  const uint64_t steps_before = options_.table_steps();
  options_.Build(sentence);
  const Hypergraph& graph = search_.Run(options_, options.nbest > 1 ? std::max<uint32_t>(100, options.nbest) : 1);
  statistics_.Add(search_.statistics());
  statistics_.table_steps += options_.table_steps() - steps_before;

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
  if (translations.empty()) throw Error("no translation of \"" + JoinTokens(sentence.tokens) + "\": no units cover it");
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
  if (sentence.size() > 0) options_.Build(sentence);
  for (size_t i = 0; i < targets.size(); ++i) {
    if (sentence.size() == 0) {
      results[i].result = targets[i].empty() ? ForcedResult::kDerived : ForcedResult::kNotDerivable;
      continue;
    }
    Hypergraph graph;
    results[i].result = ForceDecode(model_, options_, targets[i], max_edges, &graph);
    if (results[i].result != ForcedResult::kDerived) continue;
    KBest kbest(graph);
    std::vector<const HyperEdge*> edges;
    float score = 0;
    kbest.Get(0, &edges, &score);
    results[i].best = Assemble(edges, score);
  }
  return results;
}

}  // namespace graft
