// The n-grams of a sentence's references are a trie: a node is an n-gram and knows how often some reference has it at
// most. A hypothesis walks the trie from every position, so that counting its matches costs at most four steps a word
// and no n-gram is ever built.
#include "eval/bleu.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "text/error.h"
#include "text/vocabulary.h"

namespace graft {

namespace {

constexpr size_t kOrders = 4;
constexpr uint32_t kNoNode = UINT32_MAX;

// Children of all nodes of one sentence: an open-addressed table of (parent, word), at most half full.
class NgramTrie {
 public:
  // At most `max_nodes` calls of Extend.
  explicit NgramTrie(size_t max_nodes) : slots_(std::bit_ceil(2 * max_nodes + 2)) {}

  uint32_t Find(uint32_t parent, WordId word) const { return slots_[Slot(parent, word)].node; }

  uint32_t Extend(uint32_t parent, WordId word) {
    Entry& entry = slots_[Slot(parent, word)];
    if (entry.node == kNoNode) entry = {parent, word, size_++};
    return entry.node;
  }

  uint32_t size() const { return size_; }  // nodes, the empty n-gram (node 0) included

 private:
  struct Entry {
    uint32_t parent = 0;
    WordId word = 0;
    uint32_t node = kNoNode;
  };

  // Where (parent, word) is, or the free slot where it would go.
  size_t Slot(uint32_t parent, WordId word) const {
    uint64_t hash = ((uint64_t{parent} << 32) | word) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
    for (size_t slot = hash & (slots_.size() - 1);; slot = (slot + 1) & (slots_.size() - 1)) {
      const Entry& entry = slots_[slot];
      if (entry.node == kNoNode || (entry.parent == parent && entry.word == word)) return slot;
    }
  }

  std::vector<Entry> slots_;
  uint32_t size_ = 1;
};

struct SentenceReferences {
  NgramTrie trie;
  std::vector<uint32_t> most;  // by node: the largest count in one reference
  std::vector<int64_t> lengths;
};

SentenceReferences Compile(const std::vector<std::vector<std::string>>& references, Vocabulary* vocabulary) {
  size_t words = 0;
  for (const auto& tokens : references) words += tokens.size();
  SentenceReferences result{NgramTrie(words * kOrders), {}, {}};
  std::vector<WordId> ids;
  std::vector<uint32_t> counts;
  for (const auto& tokens : references) {
    ids.clear();
    for (const std::string& token : tokens) ids.push_back(vocabulary->Add(token));
    counts.clear();
    for (size_t begin = 0; begin < ids.size(); ++begin) {
      uint32_t node = 0;
      for (size_t end = begin; end < std::min(ids.size(), begin + kOrders); ++end) {
        node = result.trie.Extend(node, ids[end]);
        if (node >= counts.size()) counts.resize(node + 1);
        ++counts[node];
      }
    }
    result.most.resize(result.trie.size());
    for (size_t node = 0; node < counts.size(); ++node) result.most[node] = std::max(result.most[node], counts[node]);
    result.lengths.push_back(static_cast<int64_t>(tokens.size()));
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
  BleuStatistics result;
  result.length = static_cast<int64_t>(tokens.size());
  result.reference_length = ClosestLength(references.lengths, result.length);
  for (size_t n = 0; n < kOrders; ++n) result.total[n] = std::max<int64_t>(0, result.length - static_cast<int64_t>(n));

  std::vector<WordId> ids;
  ids.reserve(tokens.size());
  for (const std::string& token : tokens) ids.push_back(impl_->vocabulary.Find(token));
  std::vector<uint32_t> counts(references.most.size());
  for (size_t begin = 0; begin < ids.size(); ++begin) {
    uint32_t node = 0;
    for (size_t n = 0; n < std::min(kOrders, ids.size() - begin); ++n) {
      node = references.trie.Find(node, ids[begin + n]);  // kNoWord is no child of any node
      if (node == kNoNode) break;
      if (++counts[node] <= references.most[node]) ++result.match[n];
    }
  }
  return result;
}

}  // namespace graft
