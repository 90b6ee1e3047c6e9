#include "combine/consensus.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "eval/bleu.h"
#include "graft/error.h"

namespace graft::engine {
namespace {

using Tokens = std::vector<std::string>;

// Sentence BLEU with 1 added from bigrams on, by the definition and from strings.
double NaiveBleu(const Tokens& hypothesis, const Tokens& reference) {
  auto ngrams = [](const Tokens& tokens, size_t n) {
    std::map<Tokens, int> counts;
    for (size_t i = 0; i + n <= tokens.size(); ++i) ++counts[Tokens(tokens.begin() + i, tokens.begin() + i + n)];
    return counts;
  };
  double log_precision = 0;
  for (size_t n = 1; n <= 4; ++n) {
    const auto there = ngrams(reference, n);
    double match = n == 1 ? 0 : 1, total = match;
    for (const auto& [ngram, count] : ngrams(hypothesis, n)) {
      total += count;
      if (there.count(ngram) > 0) match += std::min(count, there.at(ngram));
    }
    if (match == 0) return 0;
    log_precision += std::log(match / total) / 4;
  }
  const double h = double(hypothesis.size()), r = double(reference.size());
  return 100 * std::exp(log_precision + std::min(0.0, 1 - r / h));
}

struct NaiveConsensus {
  std::map<Tokens, double> probability, gain;
};

NaiveConsensus Naive(const std::vector<ScoredList>& lists, double scale, std::vector<double> weights) {
  NaiveConsensus result;
  double weight_sum = 0;
  for (size_t i = 0; i < lists.size(); ++i) weight_sum += lists[i].empty() ? 0 : weights[i];
  for (size_t i = 0; i < lists.size(); ++i) {
    double sum = 0;
    for (const ScoredString& entry : lists[i]) sum += std::exp(scale * entry.score);
    for (const ScoredString& entry : lists[i])
      if (weights[i] > 0)
        result.probability[entry.tokens] += weights[i] / weight_sum * std::exp(scale * entry.score) / sum;
  }
  for (const auto& [hypothesis, unused] : result.probability)
    for (const auto& [reference, p] : result.probability)
      result.gain[hypothesis] += p * NaiveBleu(hypothesis, reference);
  return result;
}

class RandomLists {
 public:
  explicit RandomLists(uint32_t seed) : random_(seed) {}

  int Below(int bound) { return std::uniform_int_distribution<int>(0, bound - 1)(random_); }
  double Real(double from, double to) { return std::uniform_real_distribution<double>(from, to)(random_); }

  // Variants of one string, as n-best lists are; few words, so that n-grams repeat and strings coincide.
  std::vector<ScoredList> Lists(int lists, int longest_list, int longest_string) {
    Tokens base;
    for (int i = Below(longest_string + 1); i > 0; --i) base.push_back(Word());
    std::vector<ScoredList> result(static_cast<size_t>(lists));
    for (ScoredList& list : result)
      for (int i = Below(longest_list + 1); i > 0; --i) list.push_back({Variant(base), Real(-3, 0)});
    if (std::all_of(result.begin(), result.end(), [](const ScoredList& list) { return list.empty(); }))
      result[0].push_back({base, -1});
    return result;
  }

 private:
  std::string Word() { return std::string(1, static_cast<char>('a' + Below(4))); }
  Tokens Variant(Tokens tokens) {
    for (int edits = Below(4); edits > 0; --edits) {
      const auto at = static_cast<size_t>(Below(static_cast<int>(tokens.size()) + 1));
      if (Below(2) == 0 || at == tokens.size())
        tokens.insert(tokens.begin() + at, Word());
      else
        tokens.erase(tokens.begin() + at);
    }
    return tokens;
  }

  std::mt19937 random_;
};

void ExpectNaive(const std::vector<ScoredList>& lists, const ConsensusOptions& options, uint32_t seed) {
  const std::vector<double> weights =
      options.weights.empty() ? std::vector<double>(lists.size(), 1.0) : options.weights;
  const NaiveConsensus naive = Naive(lists, options.scale, weights);
  const Consensus consensus = FindConsensus(lists, options);
  ASSERT_EQ(consensus.candidates.size(), naive.gain.size()) << "seed " << seed;
  double most = 0;
  for (const ConsensusCandidate& candidate : consensus.candidates) {
    ASSERT_EQ(naive.gain.count(candidate.tokens), 1u) << "seed " << seed;
    EXPECT_NEAR(candidate.gain, naive.gain.at(candidate.tokens), 1e-9) << "seed " << seed;
    EXPECT_NEAR(candidate.probability, naive.probability.at(candidate.tokens), 1e-12) << "seed " << seed;
    most = std::max(most, naive.gain.at(candidate.tokens));
    for (uint32_t i = 0; i < lists.size(); ++i) {
      const bool there = weights[i] > 0 && std::any_of(lists[i].begin(), lists[i].end(), [&](const ScoredString& e) {
                           return e.tokens == candidate.tokens;
                         });
      EXPECT_EQ(std::count(candidate.lists.begin(), candidate.lists.end(), i), there ? 1 : 0) << "seed " << seed;
    }
  }
  EXPECT_NEAR(naive.gain.at(consensus.best().tokens), most, 1e-9) << "seed " << seed;
}

TEST(ConsensusTest, EqualsTheDefinitionOnRandomLists) {
  for (uint32_t seed = 1; seed <= 1000; ++seed) {
    RandomLists random(seed);
    const std::vector<ScoredList> lists = random.Lists(1 + random.Below(4), 8, 12);
    ConsensusOptions options{.scale = random.Real(0, 5)};
    if (random.Below(2) == 0)
      for (const ScoredList& list : lists) options.weights.push_back(list.empty() ? 1 : 0.1 + random.Below(3));
    ExpectNaive(lists, options, seed);
  }
}

TEST(ConsensusTest, EqualsTheDefinitionOnLongLists) {
  for (uint32_t seed = 1; seed <= 2; ++seed) ExpectNaive(RandomLists(seed).Lists(4, 400, 9), {.scale = 1}, seed);
}

TEST(ConsensusTest, GainIsTheBleuOfEvaluation) {
  const Tokens one = {"a", "b", "c", "d", "e"}, other = {"a", "b", "d", "e", "f", "g"};
  const Consensus consensus = FindConsensus({{{one, 0}}, {{other, 0}}}, {});
  const BleuReferences references({{one}, {other}});
  for (const ConsensusCandidate& candidate : consensus.candidates) {
    double expected = 0;
    for (size_t r = 0; r < 2; ++r)
      expected += Bleu(references.Statistics(r, candidate.tokens), BleuSmoothing::kAddK) / 2;
    EXPECT_NEAR(candidate.gain, expected, 1e-9);
  }
}

TEST(ConsensusTest, AStringThatAllResembleBeatsTheBestOfEachList) {
  const Consensus consensus = FindConsensus(
      {{{{"a", "b", "x"}, 0.1}, {{"a", "b", "c"}, 0}}, {{{"y", "b", "c"}, 0.1}, {{"a", "b", "c"}, 0}}}, {.scale = 1});
  EXPECT_EQ(consensus.best().tokens, (Tokens{"a", "b", "c"}));
  EXPECT_EQ(consensus.best().lists, (std::vector<uint32_t>{0, 1}));
}

TEST(ConsensusTest, ALargeScaleLeavesTheBestAndAWeightOfZeroNothing) {
  const ScoredList one = {{{"a", "b"}, 2}, {{"c", "d"}, 1}, {{"c", "d", "e"}, 1}};
  const ScoredList other = {{{"c", "d"}, 1}, {{"c", "f"}, 0.5}};
  EXPECT_EQ(FindConsensus({one}, {.scale = 1e6}).best().tokens, (Tokens{"a", "b"}));
  const Consensus alone = FindConsensus({one, other}, {.scale = 1e6, .weights = {3, 0}});
  EXPECT_EQ(alone.best().tokens, (Tokens{"a", "b"}));
  EXPECT_EQ(alone.best().probability, 1);
  EXPECT_EQ(alone.candidates.size(), 3u);
}

TEST(ConsensusTest, EqualListsGiveWhatOneGives) {
  for (uint32_t seed = 1; seed <= 200; ++seed) {
    const std::vector<ScoredList> one = RandomLists(seed).Lists(1, 10, 10);
    const Consensus alone = FindConsensus(one, {.scale = 1});
    const Consensus four = FindConsensus({one[0], one[0], one[0], one[0]}, {.scale = 1});
    EXPECT_EQ(alone.best().tokens, four.best().tokens) << "seed " << seed;
    EXPECT_DOUBLE_EQ(alone.best().gain, four.best().gain) << "seed " << seed;
  }
}

TEST(ConsensusTest, TiesGoToTheFirst) {
  EXPECT_EQ(FindConsensus({{{{"a"}, 0}, {{"b"}, 0}}}, {}).chosen, 0u);
  EXPECT_EQ(FindConsensus({{{{"b"}, 0}}, {{{"a"}, 0}}}, {}).best().tokens, Tokens{"b"});
  EXPECT_EQ(FindConsensus({{{{}, 0}}}, {}).best().tokens, Tokens{});
}

TEST(ConsensusTest, RefusesWhatHasNoMeaning) {
  const ScoredList list = {{{"a"}, 0}};
  EXPECT_THROW(FindConsensus({}, {}), Error);
  EXPECT_THROW(FindConsensus({ScoredList{}}, {}), Error);
  EXPECT_THROW(FindConsensus({list}, {.weights = {0}}), Error);
  EXPECT_THROW(FindConsensus({list}, {.weights = {1, 1}}), Error);
  EXPECT_THROW(FindConsensus({list, list}, {.weights = {2, -1}}), Error);
  EXPECT_THROW(FindConsensus({list}, {.scale = -1}), Error);
  EXPECT_THROW(FindConsensus({{{{"a"}, -INFINITY}}}, {}), Error);
  EXPECT_THROW(FindConsensus({{{Tokens(70'000, "a"), 0}}}, {}), Error);
}

TEST(ConsensusTest, EndsWhenItIsOutOfTimeOrAskedTo) {
  const std::vector<ScoredList> lists = {{{{"a", "b"}, 1}, {{"a", "c"}, 0}}};
  try {
    FindConsensus(lists, {}, StopCheck({}, StopCheck::Clock::now() - std::chrono::seconds(1)));
    FAIL();
  } catch (const Stopped& stopped) {
    EXPECT_TRUE(stopped.late());
  }
  // In the middle: a second is not enough for 30,000 strings.
  ScoredList many(30'000);
  std::mt19937 random(1);
  for (ScoredString& string : many)
    for (int i = 0; i < 20; ++i) string.tokens.push_back(std::to_string(random() % 50));
  const StopCheck::Clock::time_point started = StopCheck::Clock::now();
  EXPECT_THROW(FindConsensus({many}, {}, StopCheck({}, started + std::chrono::milliseconds(200))), Stopped);
  EXPECT_LT(StopCheck::Clock::now() - started, std::chrono::seconds(3));
}

}  // namespace
}  // namespace graft::engine
