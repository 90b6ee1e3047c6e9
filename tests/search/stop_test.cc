// Stopping a translator: soon, anywhere, and without a trace in what it does next.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <stop_token>
#include <thread>

#include "graft/error.h"
#include "search/grammar_cases.h"
#include "search/translator.h"
#include "support/paths.h"
#include "support/small_model.h"

namespace graft::engine::fixtures {
namespace {

using Clock = StopCheck::Clock;

// One of each search: its system, and the rules of the paper's example with it.
struct StopCase {
  const char* name;
  SystemOptions system;
  const char* rules;
  int copies;  // of the example's sentence
  SearchAlgorithm algorithm = SearchAlgorithm::kCube;
};
std::vector<StopCase> StopCases() {
  return {
      {"LeftToRight", {{"name", "pbmt"}}, "A.PBMT", 20},
      {"LeftToRightWithGaps", {{"name", "seggbmt"}, {"graph", "dbg"}}, "A.SegGBMT-dbg", 10},
      {"LeftToRightExhaustive", {{"name", "pbmt"}}, "A.PBMT", 10, SearchAlgorithm::kExhaustive},
      {"Chart", {{"name", "hpbmt"}}, "A.HPBMT.mgs2.adj0", 5},
      {"ChartOfEdges", {{"name", "serg"}}, "A.SERG.mgs2.adj0", 10},
      {"ChartExhaustive",
       {{"name", "gramgbmt-c"}, {"graph", "dsg"}},
       "A.GramGBMT_c-dsg.mgs2.adj0",
       4,
       SearchAlgorithm::kExhaustive},
      {"BottomUp", {{"name", "gramgbmt-b"}, {"graph", "dsg"}}, "A.GramGBMT_b-dsg.mgs2.adj0", 3},
      {"Forest", {{"name", "dep2str"}, {"blocks", true}}, "A.Dep2Str.blocks1", 20},
  };
}

class StopTest : public ::testing::TestWithParam<StopCase> {
 protected:
  StopTest() {
    ModelConfig config;
    config.system = MakeSystemSpec(GetParam().system);
    config.search.algorithm = GetParam().algorithm;
    if (config.search.algorithm == SearchAlgorithm::kExhaustive) config.search.beam = 30;
    const auto rules = ReadGrammar(config.system, TestData("golden/") + GetParam().rules + ".extract", &random_);
    model_ = std::make_unique<Model>(
        config, WriteGrammar(config.system, rules),
        RandomLanguageModel({"2010", "FIFA", "World", "Cup", "was", "held", "successfully", "in", "South", "Africa"}, 3,
                            &random_));
    // Copies of the sentence, each below the one before.
    const Sentence one = ToSentence(PaperSentence());
    for (int copy = 0; copy < GetParam().copies; ++copy)
      for (int i = 0; i < one.size(); ++i) {
        const auto at = static_cast<size_t>(i);
        const int head = one.heads[at];
        sentence_.tokens.push_back(one.tokens[at]);
        sentence_.tags.push_back(one.tags[at]);
        sentence_.relations.push_back(one.relations[at]);
        sentence_.heads.push_back(head > 0 ? head + copy * one.size() : copy * one.size());
      }
    const auto started = Clock::now();
    expected_ = Translator(*model_).Translate(sentence_, options_);
    duration_ = Clock::now() - started;
  }

  void ExpectUnharmed(Translator* translator) {
    const auto found = translator->Translate(sentence_, options_);
    ASSERT_EQ(found.size(), expected_.size());
    for (size_t k = 0; k < found.size(); ++k) {
      EXPECT_EQ(found[k].tokens, expected_[k].tokens);
      EXPECT_EQ(found[k].score, expected_[k].score);
      EXPECT_EQ(found[k].features, expected_[k].features);
      EXPECT_EQ(found[k].derivation.size(), expected_[k].derivation.size());
    }
  }

  std::mt19937 random_{7};
  std::unique_ptr<Model> model_;
  Sentence sentence_;
  TranslateOptions options_{.nbest = 20, .distinct = true};
  std::vector<Translation> expected_;
  Clock::duration duration_{};
};

TEST_P(StopTest, ATimeLimitThatHasPassedStopsAtOnce) {
  Translator translator(*model_);
  options_.stop = StopCheck({}, Clock::now() - std::chrono::seconds(1));
  try {
    translator.Translate(sentence_, options_);
    FAIL() << "not stopped";
  } catch (const Stopped& stopped) {
    EXPECT_TRUE(stopped.late());
  }
  EXPECT_THROW(translator.Force(sentence_, {expected_[0].tokens}, 1'000'000, options_.stop), Stopped);
  EXPECT_EQ(translator.statistics().sentences, 0u);
  options_.stop = {};
  ExpectUnharmed(&translator);
}

TEST_P(StopTest, StoppedAnywhereItTranslatesTheSameAgain) {
  Translator translator(*model_);
  constexpr int kPoints = 20;
  int stopped = 0;
  for (int point = 0; point < kPoints; ++point) {
    options_.stop = StopCheck({}, Clock::now() + duration_ * point / kPoints);
    try {
      translator.Translate(sentence_, options_);
    } catch (const Stopped&) {
      ++stopped;
    }
    options_.stop = {};
    ExpectUnharmed(&translator);
  }
  EXPECT_GE(stopped, kPoints / 4);
}

TEST_P(StopTest, ForcedDecodingStopsToo) {
  Translator translator(*model_);
  const std::vector<std::vector<std::string>> targets(3, expected_[0].tokens);
  const auto started = Clock::now();
  const auto expected = translator.Force(sentence_, targets, 1'000'000);
  const auto duration = Clock::now() - started;
  for (int point = 0; point < 10; ++point) {
    try {
      translator.Force(sentence_, targets, 1'000'000, StopCheck({}, Clock::now() + duration * point / 10));
    } catch (const Stopped&) {
    }
    const auto found = translator.Force(sentence_, targets, 1'000'000);
    for (size_t i = 0; i < targets.size(); ++i) {
      EXPECT_EQ(found[i].result, expected[i].result);
      EXPECT_EQ(found[i].best.score, expected[i].best.score);
    }
  }
  ExpectUnharmed(&translator);
}

// From another thread, in the middle. The limit leaves room for a machine under load and for sanitizers.
TEST_P(StopTest, EndsSoonAfterARequest) {
  Translator translator(*model_);
  std::vector<Clock::duration> waits;
  for (int attempt = 1; attempt < 10; ++attempt) {
    std::stop_source source;
    Clock::time_point requested;
    options_.stop = StopCheck(source.get_token());
    const std::jthread asking([&] {
      std::this_thread::sleep_for(duration_ * attempt / 12);
      requested = Clock::now();
      source.request_stop();
    });
    Clock::time_point ended;
    try {
      translator.Translate(sentence_, options_);
      continue;  // done before
    } catch (const Stopped& stopped) {
      ended = Clock::now();
      EXPECT_FALSE(stopped.late());
    }
    waits.push_back(ended - requested);
  }
  std::sort(waits.begin(), waits.end());
  if (!waits.empty()) {
    EXPECT_LT(waits[waits.size() / 2], std::chrono::milliseconds(30));
  }
  options_.stop = {};
  ExpectUnharmed(&translator);
}

INSTANTIATE_TEST_SUITE_P(Searches, StopTest, ::testing::ValuesIn(StopCases()),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace graft::engine::fixtures
