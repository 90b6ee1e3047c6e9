#include "search/translator.h"

#include <fmt/format.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <exception>
#include <set>

#include "graft/error.h"
#include "search/kbest.h"
#include "search/search_bound.h"
#include "util/quantities.h"
#include "util/utf8.h"

namespace graft::engine {
namespace {

bool IsPunctuation(const std::string& token) {
  const auto length = IcuLength(token);
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

// Of an n-best list, `fit` is how many of its translations would not be too many.
[[noreturn]] void FailListed(uint32_t nbest, int words, size_t fit) {
  throw Error(
      fmt::format("the list of the {} best translations of a sentence of {} words has more than {} words and steps; "
                  "ask for at most {} (--nbest; `alternatives` in the library)",
                  nbest, words, GroupDigits(kMostListed), fit));
}

size_t Listed(const Translation& translation) { return translation.derivation.size() + translation.tokens.size(); }

// Throws Error if a list of the first `done` of so many words would be too long once `part` is joined to it: before
// that.
void RequireListable(const std::vector<Translation>& joined, const std::vector<Translation>& part, int done, int words,
                     uint32_t nbest) {
  const size_t count = std::max(joined.size(), part.size());
  if (count == 1) return;
  size_t listed = 0;
  for (size_t k = 0; k < count; ++k) {
    if (!joined.empty()) listed += Listed(joined[std::min(k, joined.size() - 1)]);
    listed += Listed(part[std::min(k, part.size() - 1)]);
  }
  if (listed <= kMostListed) return;
  const auto of_all = static_cast<double>(listed) / static_cast<double>(count) * words / done;  // of one translation
  const size_t fit = static_cast<size_t>(static_cast<double>(kMostListed) / of_all);
  FailListed(nbest, words, std::clamp<size_t>(fit, 1, count - 1));
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

Translator::Translator(const DecodingModel& model) : table_(&model.table()), decoder_(MakeDecoder(model)) {}
Translator::Translator(const Model& model, const SearchOptions& search, const FeatureVector& weights)
    : Translator(DecodingModel(model, search, weights)) {}
Translator::~Translator() = default;
Translator::Translator(Translator&&) noexcept = default;

std::vector<Translation> Translator::TranslatePiece(const Sentence& sentence, const TranslateOptions& options) {
  decoder_->Prepare(sentence, options.stop);
  const Hypergraph& graph = decoder_->Search(options.nbest > 1 ? std::max<uint32_t>(100, options.nbest) : 1);
  statistics_.Add(decoder_->statistics());

  std::vector<Translation> translations;
  KBest kbest(graph, options.stop);
  std::vector<const HyperEdge*> edges;
  std::set<std::vector<std::string>> seen;
  const uint64_t tries = options.distinct ? uint64_t{20} * options.nbest : options.nbest;
  float score = 0;
  size_t listed = 0;
  for (uint32_t rank = 0; rank < tries && translations.size() < options.nbest && kbest.Get(rank, &edges, &score);
       ++rank) {
    options.stop.Poll();
    Translation translation = decoder_->Assemble(edges, score);
    listed += edges.size() + translation.tokens.size();
    if (rank > 0 && listed > kMostListed) FailListed(options.nbest, sentence.size(), translations.size());
    if (options.distinct && !seen.insert(translation.tokens).second) continue;
    translations.push_back(std::move(translation));
  }
  if (translations.empty()) throw Error("no translation of \"" + JoinTokens(sentence.tokens) + "\": no rules cover it");
  return translations;
}

std::vector<Translation> Translator::Translate(const Sentence& sentence, const TranslateOptions& options) {
  if (sentence.size() == 0) return {Translation{}};
  return table_->Unchanged([&] { return TranslateAll(sentence, options); });
}

std::vector<Translation> Translator::TranslateAll(const Sentence& sentence, const TranslateOptions& options) {
  if (sentence.size() <= kMaxSentenceWords) return TranslatePiece(sentence, options);
  std::vector<Translation> joined;
  int offset = 0;
  for (const Sentence& piece : SplitLongSentence(sentence, kMaxSentenceWords)) {
    const std::vector<Translation> part = TranslatePiece(piece, options);
    RequireListable(joined, part, offset + piece.size(), sentence.size(), options.nbest);
    while (joined.size() < part.size()) joined.push_back(joined.empty() ? Translation{} : joined.back());
    for (size_t k = 0; k < joined.size(); ++k) Append(part[std::min(k, part.size() - 1)], offset, &joined[k]);
    offset += piece.size();
  }
  return joined;
}

std::vector<ForcedTranslation> Translator::Force(const Sentence& sentence,
                                                 const std::vector<std::vector<std::string>>& targets,
                                                 uint64_t max_edges, const StopCheck& stop) {
  std::vector<ForcedTranslation> results;
  ForceEach(sentence, targets, max_edges, stop,
            [&](ForcedTranslation&& forced) { results.push_back(std::move(forced)); });
  return results;
}

void Translator::ForceEach(const Sentence& sentence, const std::vector<std::vector<std::string>>& targets,
                           uint64_t max_edges, const StopCheck& stop,
                           const std::function<void(ForcedTranslation&&)>& found) {
  if (sentence.size() > kMaxSentenceWords) {
    for (size_t i = 0; i < targets.size(); ++i) found({.result = ForcedResult::kTooLong, .best = {}});
    return;
  }
  if (sentence.size() == 0) {
    for (const std::vector<std::string>& target : targets)
      found({.result = target.empty() ? ForcedResult::kDerived : ForcedResult::kNotDerivable, .best = {}});
    return;
  }
  table_->Unchanged([&] {
    decoder_->Prepare(sentence, stop);
    for (const std::vector<std::string>& target : targets) found(ForceOne(target, max_edges, stop));
  });
}

ForcedTranslation Translator::ForceOne(const std::vector<std::string>& target, uint64_t max_edges,
                                       const StopCheck& stop) {
  stop.Poll();
  ForcedTranslation forced;
  const Hypergraph* graph = nullptr;
  forced.result = decoder_->Force({target, max_edges}, &graph);
  if (forced.result != ForcedResult::kDerived) return forced;
  std::vector<const HyperEdge*> edges;
  float score = 0;
  KBest(*graph, stop).Get(0, &edges, &score);
  forced.best = decoder_->Assemble(edges, score);
  return forced;
}

}  // namespace graft::engine
