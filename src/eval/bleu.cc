#include "eval/bleu.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

#include "eval/ngram_trie.h"
#include "eval/python_text.h"
#include "graft/error.h"
#include "text/vocabulary.h"
#include "util/suggest.h"

namespace graft::engine {

namespace {

constexpr size_t kOrders = 4;

constexpr std::array<std::pair<std::string_view, BleuSmoothing>, 4> kSmoothings = {{{"exp", BleuSmoothing::kExp},
                                                                                    {"floor", BleuSmoothing::kFloor},
                                                                                    {"add-k", BleuSmoothing::kAddK},
                                                                                    {"none", BleuSmoothing::kNone}}};

struct SentenceReferences {
  NgramTrie ngrams;
  std::vector<int64_t> lengths;
};

// False only if PythonSplit would leave the token as it is: bytes that begin no white space of Python's.
bool MayHoldSpace(const std::string& token) {
  return token.empty() || std::any_of(token.begin(), token.end(), [](char c) {
           const auto byte = static_cast<unsigned char>(c);
           return byte <= 0x20 || byte == 0xC2 || (byte >= 0xE1 && byte <= 0xE3);
         });
}

// id(word) of all words of `tokens`.
template <class Id>
std::vector<WordId> WordIds(const std::vector<std::string>& tokens, Id id) {
  std::vector<WordId> ids;
  ids.reserve(tokens.size());
  for (const std::string& token : tokens) {
    if (!MayHoldSpace(token)) {
      ids.push_back(id(token));
    } else {
      for (const std::string& word : PythonSplit(token)) ids.push_back(id(word));
    }
  }
  return ids;
}

SentenceReferences Compile(const std::vector<std::vector<std::string>>& references, Vocabulary* vocabulary) {
  std::vector<std::vector<WordId>> ids;
  size_t words = 0;
  for (const auto& tokens : references) {
    ids.push_back(WordIds(tokens, [&](const std::string& word) { return vocabulary->Add(word); }));
    words += ids.back().size();
  }
  SentenceReferences result{NgramTrie(kOrders, words), {}};
  for (const std::vector<WordId>& reference : ids) {
    result.ngrams.Add(reference);
    result.lengths.push_back(static_cast<int64_t>(reference.size()));
  }
  return result;
}

int64_t ClosestLength(const std::vector<int64_t>& lengths, int64_t length) {
  return *std::min_element(lengths.begin(), lengths.end(), [length](int64_t a, int64_t b) {
    const int64_t distance_a = std::abs(a - length);
    const int64_t distance_b = std::abs(b - length);
    return distance_a != distance_b ? distance_a < distance_b : a < b;
  });
}

}  // namespace

BleuStatistics& BleuStatistics::operator+=(const BleuStatistics& other) {
  for (size_t n = 0; n < kOrders; ++n) {
    match[n] += other.match[n];
    total[n] += other.total[n];
  }
  length += other.length;
  reference_length += other.reference_length;
  return *this;
}

BleuSmoothing BleuSmoothingByName(std::string_view name) {
  for (const auto& [known, smoothing] : kSmoothings)
    if (known == name) return smoothing;
  throw Error("unknown smoothing `" + std::string(name) + "`" + Suggestion(name, BleuSmoothingNames()));
}

std::vector<std::string> BleuSmoothingNames() {
  std::vector<std::string> names;
  for (const auto& [name, smoothing] : kSmoothings) names.emplace_back(name);
  return names;
}

BleuScore ScoreBleu(const BleuStatistics& statistics, BleuSmoothing smoothing) {
  BleuScore result;
  const auto length = static_cast<double>(statistics.length);
  const auto reference_length = static_cast<double>(statistics.reference_length);
  if (reference_length > 0) result.ratio = length / reference_length;
  if (length < reference_length) result.brevity_penalty = length > 0 ? std::exp(1 - reference_length / length) : 0;
  if (std::all_of(statistics.match.begin(), statistics.match.end(), [](int64_t count) { return count == 0; }))
    return result;

  double halved = 1;
  double log_sum = 0;
  for (size_t n = 0; n < kOrders; ++n) {
    const double added = smoothing == BleuSmoothing::kAddK && n > 0 ? 1 : 0;
    const double match = static_cast<double>(statistics.match[n]) + added;
    const double total = static_cast<double>(statistics.total[n]) + added;
    double& precision = result.precisions[n];
    if (total == 0) {
      log_sum = -std::numeric_limits<double>::infinity();
      break;
    }
    if (match > 0) {
      precision = 100 * match / total;
    } else if (smoothing == BleuSmoothing::kExp) {
      halved *= 2;
      precision = 100 / (halved * total);
    } else if (smoothing == BleuSmoothing::kFloor) {
      precision = 100 * 0.1 / total;
    }
    log_sum += std::log(precision);
  }
  result.score = result.brevity_penalty * std::exp(log_sum / kOrders);
  return result;
}

double Bleu(const BleuStatistics& statistics, BleuSmoothing smoothing) {
  return ScoreBleu(statistics, smoothing).score;
}

struct BleuReferences::Impl {
  Vocabulary vocabulary;
  std::vector<SentenceReferences> sentences;
};

BleuReferences::BleuReferences(const std::vector<std::vector<std::vector<std::string>>>& references)
    : impl_(std::make_unique<Impl>()) {
  impl_->sentences.reserve(references.size());
  for (const auto& sentence : references) {
    if (sentence.empty())
      throw Error("sentence " + std::to_string(impl_->sentences.size() + 1) + " has no reference; give at least one");
    impl_->sentences.push_back(Compile(sentence, &impl_->vocabulary));
  }
}

BleuReferences::~BleuReferences() = default;
BleuReferences::BleuReferences(BleuReferences&&) noexcept = default;

size_t BleuReferences::size() const { return impl_->sentences.size(); }

BleuStatistics BleuReferences::Statistics(size_t sentence, const std::vector<std::string>& tokens) const {
  const SentenceReferences& references = impl_->sentences[sentence];
  const std::vector<WordId> ids =
      WordIds(tokens, [this](const std::string& word) { return impl_->vocabulary.Find(word); });
  BleuStatistics result;
  result.length = static_cast<int64_t>(ids.size());
  result.reference_length = ClosestLength(references.lengths, result.length);
  for (size_t n = 0; n < kOrders; ++n) result.total[n] = NgramCount(ids.size(), n + 1);
  references.ngrams.Match(ids, result.match);
  return result;
}

}  // namespace graft::engine
