// Pairwise BLEU without pairs of strings. The matches of one string with all others are sums over its n-grams of
// min(count here, count there). A frequent n-gram keeps its counts in all strings side by side, so that this is a few
// vector operations; a rare one has a list of the strings that contain it. BLEU is then a product of fourth roots of
// small integers, which are looked up, so that no logarithm is taken per pair.
#include "combine/consensus.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <span>

#include "eval/ngram_trie.h"
#include "graft/error.h"
#include "text/vocabulary.h"

namespace graft::engine {
namespace {

constexpr size_t kOrders = 4;
constexpr size_t kFrequent = 16;        // an n-gram is frequent if more than one of so many strings contains it
constexpr size_t kMostTokens = 0xFFFF;  // counts have 16 bits

std::vector<double> ListWeights(const std::vector<ScoredList>& lists, const ConsensusOptions& options) {
  if (!options.weights.empty() && options.weights.size() != lists.size())
    throw Error(fmt::format("{} weights for {} lists of translations", options.weights.size(), lists.size()));
  std::vector<double> weights(lists.size());
  for (size_t i = 0; i < lists.size(); ++i) {
    const double weight = options.weights.empty() ? 1 : options.weights[i];
    if (!std::isfinite(weight) || weight < 0)
      throw Error(fmt::format("weight {} is not a number of 0 or more", weight));
    if (!lists[i].empty()) weights[i] = weight;
  }
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (sum <= 0) throw Error("no list of translations has both a weight above 0 and a translation");
  for (double& weight : weights) weight /= sum;
  return weights;
}

std::vector<double> Softmax(const ScoredList& list, double scale) {
  double best = -INFINITY;
  for (const ScoredString& entry : list) {
    if (!std::isfinite(entry.score)) throw Error(fmt::format("score {} of a translation is not finite", entry.score));
    best = std::max(best, entry.score);
  }
  std::vector<double> probabilities;
  double sum = 0;
  for (const ScoredString& entry : list) {
    probabilities.push_back(std::exp(scale * (entry.score - best)));
    sum += probabilities.back();
  }
  for (double& probability : probabilities) probability /= sum;
  return probabilities;
}

// Distinct strings, by word ids; candidates get everything but their gains.
struct StringSet {
  std::vector<ConsensusCandidate> candidates;
  std::vector<std::vector<WordId>> words;  // of each
};

StringSet Merge(const std::vector<ScoredList>& lists, const ConsensusOptions& options, const StopCheck& stop) {
  if (!std::isfinite(options.scale) || options.scale < 0)
    throw Error(fmt::format("scale {} is not a number of 0 or more", options.scale));
  const std::vector<double> weights = ListWeights(lists, options);
  StringSet set;
  Vocabulary vocabulary;
  std::map<std::vector<WordId>, size_t> known;
  for (size_t i = 0; i < lists.size(); ++i) {
    if (weights[i] == 0) continue;
    const std::vector<double> probabilities = Softmax(lists[i], options.scale);
    for (size_t rank = 0; rank < lists[i].size(); ++rank) {
      stop.Poll();
      const std::vector<std::string>& tokens = lists[i][rank].tokens;
      if (tokens.size() > kMostTokens)
        throw Error(fmt::format("a translation of {} tokens; at most {} can be combined", tokens.size(), kMostTokens));
      std::vector<WordId> words;
      words.reserve(tokens.size());
      for (const std::string& token : tokens) words.push_back(vocabulary.Add(token));
      const auto [found, added] = known.emplace(std::move(words), set.candidates.size());
      if (added) {
        set.candidates.push_back({.tokens = tokens});
        set.words.push_back(found->first);
      }
      ConsensusCandidate& candidate = set.candidates[found->second];
      candidate.probability += weights[i] * probabilities[rank];
      const auto list = static_cast<uint32_t>(i);
      if (candidate.lists.empty() || candidate.lists.back() != list) candidate.lists.push_back(list);
    }
  }
  return set;
}

class GainSums {
 public:
  GainSums(const std::vector<std::vector<WordId>>& strings, const StopCheck& stop) : strings_(strings), stop_(stop) {
    size_t words = 0, longest = 0;
    std::map<size_t, uint32_t> lengths;
    for (const std::vector<WordId>& string : strings) {
      words += string.size();
      longest = std::max(longest, string.size());
      lengths.emplace(string.size(), 0);
    }
    NumberNgrams(words);
    FindStringsOfNgrams();
    for (size_t count = 0; count <= longest + 1; ++count) roots_.push_back(std::sqrt(std::sqrt(double(count))));
    for (const auto& [length, unused] : lengths)
      for (const auto& [reference, also_unused] : lengths)
        brevity_.push_back(length >= reference ? 1
                           : length == 0       ? 0
                                               : std::exp(1 - double(reference) / double(length)));
    for (uint32_t next = 0; auto& [length, number] : lengths) number = next++;
    for (const std::vector<WordId>& string : strings) length_class_.push_back(lengths[string.size()]);
    length_classes_ = lengths.size();
  }

  // By string: expected BLEU, 0 to 100, if each string is the reference with its probability.
  std::vector<double> Expected(std::span<const double> probabilities) {
    std::vector<double> gains;
    for (size_t h = 0; h < strings_.size(); ++h) {
      stop_.Poll();
      CountMatches(h);
      gains.push_back(100 / TotalRoot(strings_[h].size()) * SumOverReferences(h, probabilities));
    }
    return gains;
  }

 private:
  struct NgramInString {
    uint32_t node;
    uint16_t count;
  };
  struct StringWithNgram {
    uint32_t string;
    uint16_t count;
  };
  using NgramsOfString = std::array<std::vector<NgramInString>, kOrders>;

  void NumberNgrams(size_t words) {
    NgramTrie trie(kOrders, words);
    std::array<std::vector<uint32_t>, kOrders> nodes;
    for (const std::vector<WordId>& string : strings_) {
      stop_.Poll();
      for (auto& list : nodes) list.clear();
      trie.Number(string, [&](size_t n, uint32_t node) { nodes[n].push_back(node); });
      NgramsOfString& ngrams = ngrams_.emplace_back();
      for (size_t n = 0; n < kOrders; ++n) {
        std::sort(nodes[n].begin(), nodes[n].end());
        for (const uint32_t node : nodes[n]) {
          if (ngrams[n].empty() || ngrams[n].back().node != node) ngrams[n].push_back({node, 0});
          ++ngrams[n].back().count;
        }
      }
    }
    where_.resize(trie.nodes());
  }

  void FindStringsOfNgrams() {
    for (uint32_t string = 0; string < strings_.size(); ++string)
      for (const auto& order : ngrams_[string])
        for (const NgramInString& ngram : order) where_[ngram.node].push_back({string, ngram.count});
    rows_.resize(where_.size());
    for (size_t node = 0; node < where_.size(); ++node) {
      if (where_[node].size() * kFrequent <= strings_.size()) continue;
      stop_.Poll();
      rows_[node].resize(strings_.size());
      for (const auto& [string, count] : where_[node]) rows_[node][string] = count;
    }
  }

  void CountMatches(size_t h) {
    for (size_t n = 0; n < kOrders; ++n) {
      std::vector<uint16_t>& match = match_[n];
      match.assign(strings_.size(), 0);
      for (const auto [node, here] : ngrams_[h][n]) {
        if (rows_[node].empty()) {
          for (const auto [string, there] : where_[node])
            match[string] = static_cast<uint16_t>(match[string] + std::min(here, there));
        } else {
          AddMatches(rows_[node].data(), here, strings_.size(), match.data());
        }
      }
    }
  }

  static void AddMatches(const uint16_t* there, uint16_t here, size_t size, uint16_t* match) {
    for (size_t r = 0; r < size; ++r) match[r] = static_cast<uint16_t>(match[r] + std::min(there[r], here));
  }

  double SumOverReferences(size_t h, std::span<const double> probabilities) const {
    const double* brevity = &brevity_[length_class_[h] * length_classes_];
    double sum = 0;
    for (size_t r = 0; r < strings_.size(); ++r)
      sum += probabilities[r] * brevity[length_class_[r]] * roots_[match_[0][r]] * roots_[match_[1][r] + 1u] *
             roots_[match_[2][r] + 1u] * roots_[match_[3][r] + 1u];
    return sum;
  }

  // The fourth root of the product of a string's smoothed numbers of n-grams; 1 for the empty string, which has no
  // gain.
  static double TotalRoot(size_t length) {
    double product = std::max(1.0, double(length));
    for (size_t n = 2; n <= kOrders; ++n) product *= double(NgramCount(length, n) + 1);
    return std::sqrt(std::sqrt(product));
  }

  const std::vector<std::vector<WordId>>& strings_;
  const StopCheck& stop_;
  std::vector<NgramsOfString> ngrams_;               // by string
  std::vector<std::vector<StringWithNgram>> where_;  // by n-gram
  std::vector<std::vector<uint16_t>> rows_;          // by n-gram, its count in every string; empty for rare ones
  std::vector<double> roots_;                        // fourth roots of 0, 1, 2, …
  // Brevity penalties by the lengths of string and reference, numbered.
  std::vector<double> brevity_;
  std::vector<uint32_t> length_class_;
  size_t length_classes_ = 0;
  std::array<std::vector<uint16_t>, kOrders> match_;  // of the string at hand, by reference
};

}  // namespace

Consensus FindConsensus(const std::vector<ScoredList>& lists, const ConsensusOptions& options, const StopCheck& stop) {
  StringSet set = Merge(lists, options, stop);
  Consensus consensus{.candidates = std::move(set.candidates)};
  std::vector<double> probabilities;
  for (const ConsensusCandidate& candidate : consensus.candidates) probabilities.push_back(candidate.probability);
  const std::vector<double> gains = GainSums(set.words, stop).Expected(probabilities);
  for (size_t i = 0; i < gains.size(); ++i) {
    consensus.candidates[i].gain = gains[i];
    const ConsensusCandidate& best = consensus.best();
    if (gains[i] > best.gain || (gains[i] == best.gain && probabilities[i] > best.probability)) consensus.chosen = i;
  }
  return consensus;
}

}  // namespace graft::engine
