// Forward-backward against the definition: every alignment of a tiny sentence, one by one.
#include "align/hmm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

namespace graft::engine {
namespace {

struct Example {
  Emissions emissions;
  std::vector<float> words;
  std::vector<float> null;
  HmmParameters parameters;
};

Example RandomExample(std::mt19937* random) {
  Example example;
  const int states = 1 + static_cast<int>((*random)() % 4);
  const int length = 1 + static_cast<int>((*random)() % 5);
  std::uniform_real_distribution<float> uniform(0.01f, 1.0f);
  for (int k = 0; k < states * length; ++k) example.words.push_back(std::pow(uniform(*random), 3.0f));
  for (int k = 0; k < length; ++k) example.null.push_back(0.3f * uniform(*random));
  example.parameters.null = 0.05f + 0.3f * uniform(*random);
  std::vector<double> counts(2 * kJumpRange + 1);
  for (double& count : counts) count = static_cast<double>(uniform(*random));
  if ((*random)() % 2 == 0) example.parameters.jumps.Estimate(counts);
  example.emissions = {states, length, nullptr, nullptr};
  return example;
}

struct Enumerated {
  double likelihood = 0;
  std::vector<double> words;
  std::vector<double> null;
  std::map<int, double> jumps;
};

class Enumerator {
 public:
  explicit Enumerator(const Example& example) : example_(example), choice_(example.emissions.length) {
    result_.words.assign(example.words.size(), 0.0);
    result_.null.assign(example.null.size(), 0.0);
  }

  Enumerated Run() {
    Extend(0);
    for (double& value : result_.words) value /= result_.likelihood;
    for (double& value : result_.null) value /= result_.likelihood;
    for (auto& [jump, value] : result_.jumps) value /= result_.likelihood;
    return result_;
  }

  // Probability of one alignment; -1 is the empty word. Counts jumps if asked.
  double Probability(const std::vector<int>& choice, std::map<int, double>* jumps) const {
    double probability = 1;
    int position = -1;
    const int states = example_.emissions.states;
    const HmmParameters& parameters = example_.parameters;
    for (size_t j = 0; j < choice.size(); ++j) {
      if (choice[j] < 0) {
        probability *= static_cast<double>(parameters.null) * static_cast<double>(example_.null[j]);
        continue;
      }
      double sum = 0;
      for (int i = 0; i < states; ++i) sum += static_cast<double>(parameters.jumps.weight(i - position));
      probability *= (1 - static_cast<double>(parameters.null)) *
                     static_cast<double>(parameters.jumps.weight(choice[j] - position)) / sum *
                     static_cast<double>(example_.words[j * static_cast<size_t>(states) + choice[j]]);
      if (jumps != nullptr) (*jumps)[choice[j] - position] += 1;
      position = choice[j];
    }
    return probability;
  }

 private:
  void Extend(size_t j) {
    if (j == choice_.size()) {
      std::map<int, double> jumps;
      const double probability = Probability(choice_, &jumps);
      result_.likelihood += probability;
      for (size_t k = 0; k < choice_.size(); ++k)
        (choice_[k] < 0 ? result_.null[k] : result_.words[k * example_.emissions.states + choice_[k]]) += probability;
      for (const auto& [jump, count] : jumps) result_.jumps[jump] += count * probability;
      return;
    }
    for (int i = -1; i < example_.emissions.states; ++i) {
      choice_[j] = i;
      Extend(j + 1);
    }
  }

  const Example& example_;
  std::vector<int> choice_;
  Enumerated result_;
};

TEST(HmmTest, EqualsEnumerationOfAllAlignments) {
  std::mt19937 random(3);
  Hmm hmm;  // one for all: scratch of a longer sentence must not show in a shorter one
  for (int round = 0; round < 300; ++round) {
    Example example = RandomExample(&random);
    example.emissions.words = example.words.data();
    example.emissions.null = example.null.data();
    Enumerator enumerator(example);
    const Enumerated expected = enumerator.Run();
    Posteriors posteriors;
    std::vector<double> jumps(2 * kJumpRange + 1, 0.0);
    EXPECT_NEAR(hmm.Run(example.emissions, example.parameters, &posteriors, jumps.data()),
                std::log(expected.likelihood), 1e-4);
    for (size_t k = 0; k < expected.words.size(); ++k) EXPECT_NEAR(posteriors.words[k], expected.words[k], 1e-5);
    for (size_t k = 0; k < expected.null.size(); ++k) EXPECT_NEAR(posteriors.null[k], expected.null[k], 1e-5);
    for (int jump = -kJumpRange; jump <= kJumpRange; ++jump) {
      const auto found = expected.jumps.find(jump);
      EXPECT_NEAR(jumps[kJumpRange + jump], found == expected.jumps.end() ? 0.0 : found->second, 1e-4) << jump;
    }
  }
}

TEST(HmmTest, Model1EqualsItsDefinition) {
  const std::vector<float> words = {0.5f, 0.1f, 0.2f, 0.2f};
  const std::vector<float> null = {0.1f, 0.3f};
  Posteriors posteriors;
  const double likelihood = Model1Posteriors({2, 2, words.data(), null.data()}, 0.2f, &posteriors);
  // p(f_0) = 0.2 * 0.1 + 0.4 * 0.5 + 0.4 * 0.1 = 0.26, p(f_1) = 0.2 * 0.3 + 0.4 * 0.2 + 0.4 * 0.2 = 0.22
  EXPECT_NEAR(likelihood, std::log(0.26) + std::log(0.22), 1e-6);
  EXPECT_NEAR(posteriors.words[0], 0.2 / 0.26, 1e-6);
  EXPECT_NEAR(posteriors.words[1], 0.04 / 0.26, 1e-6);
  EXPECT_NEAR(posteriors.null[0], 0.02 / 0.26, 1e-6);
  EXPECT_NEAR(posteriors.null[1], 0.06 / 0.22, 1e-6);
}

TEST(HmmTest, LongSentencesStayFinite) {
  std::vector<float> words(static_cast<size_t>(kMaxSentenceWords) * kMaxSentenceWords, 1e-9f);
  for (int j = 0; j < kMaxSentenceWords; ++j)
    words[static_cast<size_t>(j) * kMaxSentenceWords + (kMaxSentenceWords - 1 - j)] = 0.5f;  // all in reverse
  const std::vector<float> null(kMaxSentenceWords, 1e-9f);
  const Emissions emissions = {kMaxSentenceWords, kMaxSentenceWords, words.data(), null.data()};
  Hmm hmm;
  Posteriors posteriors;
  const HmmParameters parameters;
  EXPECT_TRUE(std::isfinite(hmm.Run(emissions, parameters, &posteriors, nullptr)));
  for (int j = 0; j < kMaxSentenceWords; ++j)
    EXPECT_NEAR(posteriors.words[static_cast<size_t>(j) * kMaxSentenceWords + (kMaxSentenceWords - 1 - j)], 1, 1e-3);
}

TEST(JumpDistributionTest, LearnsWhatItIsTold) {
  std::vector<double> counts(2 * kJumpRange + 1, 0.0);
  counts[kJumpRange - 1] = 90;
  counts[kJumpRange + 3] = 10;
  JumpDistribution jumps;
  jumps.Estimate(counts);
  EXPECT_GT(jumps.weight(-1), 8 * jumps.weight(3));
  EXPECT_GT(jumps.weight(3), 50 * jumps.weight(1));
  for (int jump = -kJumpRange; jump <= kJumpRange; ++jump) EXPECT_GT(jumps.weight(jump), 0) << jump;
  double sum = 0;
  for (int i = 0; i < 5; ++i) sum += static_cast<double>(jumps.weight(i - 2) * jumps.inverse_sum(2, 5));
  EXPECT_NEAR(sum, 1, 1e-6);
}

}  // namespace
}  // namespace graft::engine
