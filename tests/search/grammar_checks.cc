#include "search/grammar_checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <set>

#include "support/small_model.h"

namespace graft::engine::fixtures {

std::unique_ptr<LanguageModel> LanguageModelOf(const std::string& arpa) {
  const std::string path = TemporaryName(".arpa");
  std::ofstream(path) << arpa;
  std::unique_ptr<LanguageModel> model = LanguageModel::Load(path);
  std::remove(path.c_str());
  return model;
}

FeatureVector RandomWeights(std::mt19937* random) {
  std::uniform_real_distribution<float> weight(0.05f, 1.0f);
  FeatureVector weights;
  for (float& w : weights) w = weight(*random);
  weights[kWordPenalty] *= -1;
  for (int f : {kRulePenalty, kGlue}) weights[f] *= (*random)() % 2 == 0 ? 1.0f : -1.0f;
  return weights;
}

void ExpectFeatures(const Translation& found, const FeatureVector& weights) {
  ASSERT_NEAR(Dot(weights, found.features), found.score, kTolerance);
  FeatureVector sum{};
  for (const DerivationStep& step : found.derivation)
    for (int f = 0; f < kFeatures; ++f) sum[f] += step.features[f];
  for (int f = 0; f < kFeatures; ++f) ASSERT_NEAR(sum[f], found.features[f], kTolerance) << "feature " << f;
}

void ExpectSteps(const Translation& found, const Sentence& sentence) {
  std::vector<int> uses(found.derivation.size(), 0);
  for (size_t k = 0; k < found.derivation.size(); ++k) {
    const DerivationStep& step = found.derivation[k];
    std::set<int> positions;
    std::vector<std::string> target;
    auto take = [&](int child) {
      const DerivationStep& tail = found.derivation.at(static_cast<size_t>(child));
      ASSERT_LT(child, static_cast<int>(k));
      ++uses[static_cast<size_t>(child)];
      for (int position : tail.positions) ASSERT_TRUE(positions.insert(position).second);
    };
    for (int child : step.children) take(child);
    if (::testing::Test::HasFatalFailure()) return;
    for (const std::string& symbol : step.target_symbols) {
      if (symbol.front() != '[') {
        target.push_back(symbol);
        continue;
      }
      const DerivationStep& tail =
          found.derivation[static_cast<size_t>(step.children.at(std::stoul(symbol.substr(symbol.find(',') + 1)) - 1))];
      target.insert(target.end(), found.tokens.begin() + tail.target_begin, found.tokens.begin() + tail.target_end);
    }
    ASSERT_EQ(target, std::vector<std::string>(found.tokens.begin() + step.target_begin,
                                               found.tokens.begin() + step.target_end));
    const size_t words = step.positions.size() - positions.size();
    ASSERT_EQ(words, step.source_symbols.size() - step.children.size());
    ASSERT_TRUE(std::is_sorted(step.positions.begin(), step.positions.end()));
    for (int position : step.positions)
      if (positions.count(position) == 0) {
        ASSERT_THAT(step.source_symbols, ::testing::Contains(sentence.tokens[static_cast<size_t>(position)]));
      }
  }
  for (size_t k = 0; k + 1 < uses.size(); ++k) ASSERT_EQ(uses[k], 1);
  ASSERT_EQ(found.derivation.back().positions.size(), sentence.tokens.size());
  ASSERT_EQ(found.derivation.back().target_end - found.derivation.back().target_begin,
            static_cast<int>(found.tokens.size()));
}

void ExpectList(const std::vector<Translation>& found, const std::vector<GrammarDerivation>& expected,
                const FeatureVector& weights, const Sentence& sentence) {
  for (size_t k = 0; k < found.size(); ++k) {
    ASSERT_NEAR(found[k].score, expected[k].score, kTolerance) << "rank " << k;
    ExpectFeatures(found[k], weights);
    ExpectSteps(found[k], sentence);
    if (k > 0 && expected[k - 1].score - expected[k].score < 2 * kTolerance) continue;
    if (k + 1 < expected.size() && expected[k].score - expected[k + 1].score < 2 * kTolerance) continue;
    ASSERT_EQ(found[k].tokens, expected[k].target) << "rank " << k;
    ASSERT_EQ(found[k].alignment, expected[k].alignment) << "rank " << k;
    for (int f = 0; f < kFeatures; ++f)
      ASSERT_NEAR(found[k].features[f], expected[k].features[f], kTolerance) << "rank " << k << " feature " << f;
  }
}

void ExpectForced(Translator* translator, const Sentence& sentence, const std::vector<GrammarDerivation>& expected) {
  std::map<std::vector<std::string>, double> best;
  for (const GrammarDerivation& derivation : expected) best.try_emplace(derivation.target, derivation.score);
  std::vector<std::vector<std::string>> targets;
  for (const auto& [target, score] : best) {
    if (targets.size() >= 12) break;
    targets.push_back(target);
    auto other = target;
    other.back() = other.back() == "x" ? "y" : "x";
    targets.push_back(other);
    other.push_back("z");
    targets.push_back(other);
  }
  const auto forced = translator->Force(sentence, targets, 1'000'000);
  ASSERT_EQ(forced.size(), targets.size());
  for (size_t t = 0; t < targets.size(); ++t) {
    const auto known = best.find(targets[t]);
    ASSERT_EQ(forced[t].result, known == best.end() ? ForcedResult::kNotDerivable : ForcedResult::kDerived);
    if (known == best.end()) continue;
    ASSERT_NEAR(forced[t].best.score, known->second, kTolerance);
    ASSERT_EQ(forced[t].best.tokens, targets[t]);
  }
}

}  // namespace graft::engine::fixtures
