// Tuning a small model: what stays as it was, what is refused, and decoding with changing weights.
#include "tune/tune.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "graft/error.h"
#include "search/grammar_checks.h"
#include "search/translator.h"
#include "support/small_model.h"
#include "temporary_folder.h"

namespace graft::engine::fixtures {
namespace {

using ::testing::HasSubstr;

// A word-for-word language with synonyms and word order to learn.
class TuneTest : public ::testing::Test {
 protected:
  TuneTest() : book_(MakeSystemSpec({{"name", "pbmt"}})), random_(7) {
    std::vector<std::string> words;
    for (int w = 0; w < 12; ++w)
      for (int synonym = 0; synonym < 3; ++synonym) {
        const std::string target = std::string(1, static_cast<char>('a' + w)) + std::to_string(synonym);
        words.push_back(target);
        BookRule rule;
        rule.source = {{book_.Source(std::string(1, static_cast<char>('A' + w))), 0}};
        rule.target = {TargetWord(book_.Target(target))};
        if (synonym == 2) rule.target.push_back(TargetWord(book_.Target(target)));
        rule.links = {{0, 0}};
        for (float* score : {&rule.scores.p_source_given_target, &rule.scores.lex_source_given_target,
                             &rule.scores.p_target_given_source, &rule.scores.lex_target_given_source})
          *score = -static_cast<float>(random_() % 100) / 25;
        book_.Add(rule);
      }
    ModelConfig config;
    config.system = book_.spec();
    arpa_ = RandomArpa(words, 3, &random_);
    model_ = std::make_unique<Model>(config, book_.Write(), LanguageModelOf(arpa_));
    // References are translations with other weights, so that there is something to learn.
    FeatureVector hidden = kDefaultWeights;
    hidden[kTargetGivenSource] = 2;
    hidden[kWordPenalty] = 0.5f;
    Translator translator(*model_, model_->search(), hidden);
    for (int s = 0; s < 30; ++s) {
      Sentence sentence;
      for (uint32_t i = 0; i < 6 + random_() % 5; ++i)
        sentence.tokens.emplace_back(1, static_cast<char>('A' + random_() % 12));
      dev_.references.push_back({translator.Translate(sentence, {})[0].tokens});
      dev_.sources.push_back(std::move(sentence));
    }
  }
  TuneResult Run(TuneOptions options, const std::function<void(int number, const TuneRun& run)>& run_ended = {}) {
    if (options.threads == 0) options.threads = 1;
    return Tune({*model_, model_->search(), start_}, dev_, options,
                {.row = [this](const TuneIteration& row) { rows_.push_back(row); }, .run_ended = run_ended}, {});
  }
  std::string ErrorOf(const TuneOptions& options) {
    try {
      Run(options);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  RuleBook book_;
  std::mt19937 random_;
  std::string arpa_;
  std::unique_ptr<Model> model_;
  FeatureVector start_ = kDefaultWeights;
  DevSet dev_;
  std::vector<TuneIteration> rows_;
};

TEST_F(TuneTest, BothMethodsLearnAndLeaveTheModelAlone) {
  for (const char* method : {"mira", "paper"}) {
    rows_.clear();
    const TuneResult result = Run({.method = method, .iterations = 8});
    ASSERT_EQ(result.runs.size(), 1u);
    const TuneRun& run = result.best();
    EXPECT_GT(run.bleu, run.iterations[0].bleu + 2) << method;
    EXPECT_EQ(run.iterations.size(), rows_.size());
    EXPECT_EQ(run.iterations[0].weights, kDefaultWeights);
    EXPECT_EQ(run.weights, run.iterations[static_cast<size_t>(run.best_iteration) - 1].weights);
    EXPECT_EQ(run.weights[kUnknownWord], kDefaultWeights[kUnknownWord]);
    for (const TuneIteration& row : run.iterations) EXPECT_LE(row.bleu, run.bleu);
    EXPECT_EQ(model_->weights(), kDefaultWeights);
  }
}

TEST_F(TuneTest, RunsDifferInTheirSeedAndShareTheFirstDecoding) {
  const TuneResult three = Run({.runs = 3, .seed = 5, .iterations = 5});
  ASSERT_EQ(three.runs.size(), 3u);
  double sum = 0;
  for (size_t i = 0; i < 3; ++i) {
    rows_.clear();
    const TuneResult alone = Run({.runs = 1, .seed = 5 + i, .iterations = 5, .threads = static_cast<int>(i) + 1});
    EXPECT_EQ(three.runs[i].seed, 5 + i);
    EXPECT_EQ(three.runs[i].weights, alone.best().weights);
    ASSERT_EQ(three.runs[i].iterations.size(), alone.best().iterations.size());
    for (size_t k = 0; k < alone.best().iterations.size(); ++k) {
      EXPECT_EQ(three.runs[i].iterations[k].weights, alone.best().iterations[k].weights);
      EXPECT_EQ(three.runs[i].iterations[k].bleu, alone.best().iterations[k].bleu);
      EXPECT_EQ(three.runs[i].iterations[k].candidates, alone.best().iterations[k].candidates);
    }
    EXPECT_LE(three.runs[i].bleu, three.best().bleu);
    sum += three.runs[i].bleu;
  }
  EXPECT_NEAR(three.mean_bleu(), sum / 3, 1e-12);
}

TEST_F(TuneTest, ATranslatorsWeightsAreAsGoodAsTheModels) {
  FeatureVector weights = kDefaultWeights;
  weights[kTargetGivenSource] = 2;
  weights[kLanguageModel] = 0.1f;
  for (const FeatureVector& now : {weights, kDefaultWeights, weights}) {
    ModelConfig config = model_->config();
    config.weights = now;
    const Model other(config, book_.Write(), LanguageModelOf(arpa_));
    Translator fresh(other);
    Translator kept(*model_, model_->search(), now);
    for (const Sentence& sentence : dev_.sources) {
      const auto expected = fresh.Translate(sentence, {.nbest = 5});
      const auto found = kept.Translate(sentence, {.nbest = 5});
      ASSERT_EQ(found.size(), expected.size());
      for (size_t k = 0; k < found.size(); ++k) {
        EXPECT_EQ(found[k].tokens, expected[k].tokens);
        EXPECT_EQ(found[k].score, expected[k].score);
      }
    }
  }
}

TEST_F(TuneTest, RefusesAnEmptyDevelopmentSet) {
  dev_ = {};
  EXPECT_THAT(ErrorOf({}), HasSubstr("the development set is empty"));
}

TEST_F(TuneTest, RefusesReferencesThatDoNotFit) {
  dev_.references.pop_back();
  EXPECT_THAT(ErrorOf({}), AllOf(HasSubstr("30 sentences"), HasSubstr("29")));
}

TEST_F(TuneTest, RefusesBleuZero) {
  for (auto& references : dev_.references) references = {{"nothing", "like", "it", "at", "all"}};
  for (const char* method : {"mira", "paper"})
    EXPECT_THAT(ErrorOf({.method = method, .iterations = 3}), HasSubstr("BLEU is 0 at every iteration")) << method;
  EXPECT_EQ(model_->weights(), kDefaultWeights);
}

TEST_F(TuneTest, RefusesEmptyTranslations) {
  for (Sentence& sentence : dev_.sources) sentence.tokens.clear();
  EXPECT_THAT(ErrorOf({}), HasSubstr("every translation of the development set is empty"));
}

TEST_F(TuneTest, RefusesWeightsThatAreAllZero) {
  start_ = {};
  EXPECT_THAT(ErrorOf({}), HasSubstr("degenerate"));
}

TEST_F(TuneTest, RefusesUnknownMethodsAndNoIterations) {
  EXPECT_THAT(ErrorOf({.method = "mert"}), AllOf(HasSubstr("mert"), HasSubstr("paper")));
  EXPECT_EQ(ErrorOf({.iterations = 0}), "tune.iterations (--iterations) is 0; it must be 1 to 1000");
  EXPECT_EQ(ErrorOf({.nbest = 1}), "tune.nbest (--nbest) is 1; it must be 2 to 10000");
}

TEST_F(TuneTest, ListsAreWrittenOnlyWhereAskedFor) {
  const TemporaryFolder folder;
  Run({.runs = 2, .iterations = 2, .nbest_folder = folder.File("lists/deep")});
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.File("lists/deep")))
    names.push_back(entry.path().filename().string());
  EXPECT_THAT(names, ::testing::UnorderedElementsAre("start.nbest.gz", "run1.iteration02.nbest.gz",
                                                     "run2.iteration02.nbest.gz"));
}

TEST_F(TuneTest, WeightsFilesHoldTheRuns) {
  const TemporaryFolder folder;
  const std::string path = folder.File("weights.toml");
  size_t rows = 0;  // of the runs that ended
  const TuneOptions options{.runs = 2, .iterations = 3};
  const TuneResult result = Run(options, [&](int number, const TuneRun& run) {
    rows += run.iterations.size();
    EXPECT_EQ(rows, rows_.size()) << "run " << number << " is reported before the next begins";
    WriteWeights(RunWeightsPath(path, number), model_->config(), run, options.method);
  });
  WriteWeights(path, model_->config(), result.best(), result.method);
  for (const auto& [name, run] :
       {std::pair{"weights.toml", &result.best()}, std::pair{"weights.run1.toml", &result.runs[0]},
        std::pair{"weights.run2.toml", &result.runs[1]}}) {
    ModelConfig config;
    config.system = model_->system();
    ReadWeightsFile(folder.File(name), &config);
    EXPECT_EQ(config.weights, run->weights) << name;
  }
}

}  // namespace
}  // namespace graft::engine::fixtures
