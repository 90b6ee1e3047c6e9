// Translations as callers get them: long sentences, unknown words, alignments, distinct lists.
#include "search/translator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <new>
#include <random>
#include <set>
#include <stdexcept>

#include "graft/error.h"
#include "graft/format.h"
#include "search/option_set.h"
#include "support/paths.h"
#include "support/small_model.h"
#include "temporary_folder.h"
#include "translation/values.h"

namespace graft::engine::fixtures {
namespace {

SystemSpec Sdtu() { return MakeSystemSpec({{"name", "sdtu"}}); }

// a→x, b→y, `a [*] b`→`y x`, `.`→`.`
class SentenceTranslatorTest : public ::testing::Test {
 protected:
  SentenceTranslatorTest() : book_(Sdtu()), random_(11) {
    Rule({{"a", 0}}, {"x"}, {{0, 0}}, -0.5f);
    Rule({{"b", 0}}, {"y"}, {{0, 0}}, -0.5f);
    Rule({{"a", 0}, {"b", 1}}, {"y", "x"}, {{0, 1}, {1, 0}}, -0.1f);
    Rule({{".", 0}}, {"."}, {{0, 0}}, -0.1f);
    config_.system = book_.spec();
  }
  void Rule(const std::vector<std::pair<std::string, uint32_t>>& source, const std::vector<std::string>& target,
            std::vector<RuleLink> links, float score) {
    BookRule rule;
    for (const auto& [word, signature] : source) rule.source.push_back({book_.Source(word), signature});
    for (const std::string& word : target) rule.target.push_back(TargetWord(book_.Target(word)));
    rule.links = std::move(links);
    rule.scores = {score, score, score, score};
    book_.Add(rule);
  }
  std::unique_ptr<Model> MakeModel() {
    return std::make_unique<Model>(config_, book_.Write(), RandomLanguageModel({"x", "y", "."}, 3, &random_));
  }
  static Sentence Plain(std::vector<std::string> tokens) {
    Sentence sentence;
    sentence.tokens = std::move(tokens);
    return sentence;
  }

  RuleBook book_;
  ModelConfig config_;
  std::mt19937 random_;
};

TEST_F(SentenceTranslatorTest, EmptySentenceGivesAnEmptyTranslation) {
  const auto model = MakeModel();
  const auto translations = Translator(*model).Translate(Sentence{}, {});
  ASSERT_EQ(translations.size(), 1u);
  EXPECT_TRUE(translations[0].tokens.empty());
}

TEST_F(SentenceTranslatorTest, AlignmentCountsGapMarksInRulesOnly) {
  config_.weights[kGap] = 0;
  config_.weights[kRulePenalty] = 5;  // few rules
  const auto model = MakeModel();
  const auto best = Translator(*model).Translate(Plain({"a", ".", "b"}), {})[0];
  ASSERT_EQ(best.derivation.size(), 2u);
  for (const auto& [s, t] : best.alignment) {
    const std::string source = s == 0 ? "x" : s == 1 ? "." : "y";
    EXPECT_EQ(best.tokens[static_cast<size_t>(t)], source);
  }
  EXPECT_EQ(best.alignment.size(), 3u);
}

TEST_F(SentenceTranslatorTest, UnknownWordIsCopiedInItsOwnCase) {
  config_.text.lowercase = true;
  config_.weights[kJump] = 10;  // in order
  const auto model = MakeModel();
  Translator translator(*model);
  const auto best = translator.Translate(Plain({"A", "Zürich", "."}), {})[0];
  EXPECT_EQ(JoinTokens(best.tokens), "x Zürich .");
  EXPECT_EQ(best.features[kUnknownWord], -100.0f);
  const auto forced = translator.Force(Plain({"A", "Zürich", "."}),
                                       {{"x", "Zürich", "."}, {"x", "zürich", "."}, {"x", "Z", "."}}, 1000);
  EXPECT_EQ(forced[0].result, ForcedResult::kDerived);
  EXPECT_EQ(forced[1].result, ForcedResult::kDerived);
  EXPECT_EQ(forced[2].result, ForcedResult::kNotDerivable);
  EXPECT_NEAR(forced[0].best.score, best.score, 1e-3);
}

TEST_F(SentenceTranslatorTest, LongSentencesAreCutAfterPunctuationAndJoined) {
  const auto model = MakeModel();
  for (int length : {250, 251, 600}) {
    std::vector<std::string> tokens;
    for (int i = 0; i < length; ++i) tokens.push_back(i % 97 == 96 ? "." : i % 2 == 0 ? "a" : "b");
    const auto translations = Translator(*model).Translate(Plain(tokens), {.nbest = 3});
    ASSERT_EQ(translations.size(), 3u) << length;
    EXPECT_EQ(translations[0].tokens.size(), tokens.size());
    EXPECT_EQ(translations[0].alignment.size(), tokens.size());
    std::set<int> positions;
    for (const DerivationStep& step : translations[0].derivation)
      positions.insert(step.positions.begin(), step.positions.end());
    EXPECT_EQ(positions.size(), tokens.size()) << "every word is translated once";
    EXPECT_NEAR(Dot(config_.weights, translations[0].features), translations[0].score, 0.05);
  }
}

TEST_F(SentenceTranslatorTest, TheListOfALongSentenceIsBoundedAsAWhole) {
  const auto model = MakeModel();
  Translator translator(*model);
  std::vector<std::string> words;
  for (int i = 0; i < 2400; ++i) words.push_back(i % 2 == 0 ? "a" : "b");
  const auto fits = translator.Translate(Plain(words), {.nbest = 400});  // 400 of some 4,800 words and steps
  EXPECT_EQ(fits.size(), 400u);
  EXPECT_EQ(fits.back().tokens.size(), 2400u);
  try {
    translator.Translate(Plain(words), {.nbest = 2000});  // no piece alone has too many
    FAIL() << "a list without bound";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("2000 best translations of a sentence of 2400 words"));
    EXPECT_THAT(error.what(), testing::HasSubstr("--nbest"));
    const std::string text = error.what();
    const size_t at = text.find("at most ") + 8;
    const auto advised = static_cast<uint32_t>(std::stoul(text.substr(at)));
    EXPECT_GT(advised, 400u);
    EXPECT_EQ(translator.Translate(Plain(words), {.nbest = advised * 9 / 10}).size(), advised * 9 / 10);
  }
}

TEST_F(SentenceTranslatorTest, PiecesBecomeTreesOfTheirOwn) {
  Sentence sentence = Plain({"a", "b", ",", "a", "b", "a"});
  sentence.heads = {2, 0, 2, 2, 4, 2};
  const auto pieces = SplitLongSentence(sentence, 4);
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_EQ(pieces[0].heads, (std::vector<int>{2, 0, 2}));
  EXPECT_EQ(pieces[1].heads, (std::vector<int>{0, 1, 0}));
  EXPECT_EQ(SplitLongSentence(Plain({"a", "b", "a"}), 2).size(), 2u) << "without punctuation the cut is at the limit";
}

TEST_F(SentenceTranslatorTest, DistinctListsEachStringOnce) {
  const auto model = MakeModel();
  Translator translator(*model);
  const auto derivations = translator.Translate(Plain({"a", "b", "a"}), {.nbest = 20});
  const auto strings = translator.Translate(Plain({"a", "b", "a"}), {.nbest = 20, .distinct = true});
  std::set<std::string> seen;
  for (const Translation& t : derivations) seen.insert(JoinTokens(t.tokens));
  EXPECT_LT(seen.size(), derivations.size());
  std::set<std::string> listed;
  for (const Translation& t : strings) EXPECT_TRUE(listed.insert(JoinTokens(t.tokens)).second);
  EXPECT_GE(listed.size(), seen.size());
}

TEST_F(SentenceTranslatorTest, TableLimitKeepsTheBestByTheModelsOwnWeights) {
  for (int i = 0; i < 30; ++i)
    Rule({{"c", 0}}, {"t" + std::to_string(i)}, {{0, 0}}, -static_cast<float>(i % 7) - 0.01f * static_cast<float>(i));
  config_.search.table_limit = 5;
  const auto limited = MakeModel();
  OptionSet few(*limited);
  const Sentence sentence = Plain({"c"});
  few.Build(sentence);
  ASSERT_EQ(few.units()[0].option_count, 5u);
  config_.search.table_limit = 0;
  const Model all(config_, book_.Write(), RandomLanguageModel({"q"}, 2, &random_));
  config_.search.table_limit = 5;
  const Model five(config_, book_.Write(), RandomLanguageModel({"q"}, 2, &random_));
  OptionSet every(all), best(five);
  every.Build(sentence);
  best.Build(sentence);
  ASSERT_EQ(every.units()[0].option_count, 30u);
  for (uint32_t k = 0; k < 5; ++k)
    EXPECT_EQ(every.TargetToken(every.units()[0], every.option(k), 0),
              best.TargetToken(best.units()[0], best.option(k), 0));
}

TEST_F(SentenceTranslatorTest, OptionsAndWeightsOfATranslatorTakeTheModelsPlace) {
  for (int i = 0; i < 30; ++i)
    Rule({{"c", 0}}, {"t" + std::to_string(i)}, {{0, 0}}, -static_cast<float>(i % 7) - 0.01f * static_cast<float>(i));
  const auto model = MakeModel();
  SearchOptions search = model->search();
  search.table_limit = 5;
  FeatureVector weights = model->weights();
  for (const Feature f : {kSourceGivenTarget, kLexSourceGivenTarget, kTargetGivenSource, kLexTargetGivenSource})
    weights[f] = -weights[f];
  const Sentence sentence = Plain({"c"});
  const auto all = Translator(*model).Translate(sentence, {.nbest = 100});
  EXPECT_EQ(all.size(), 20u);
  EXPECT_EQ(Translator(*model, search, model->weights()).Translate(sentence, {.nbest = 100}).size(), 5u);
  const auto turned = Translator(*model, search, weights).Translate(sentence, {.nbest = 100});
  ASSERT_EQ(turned.size(), 5u);
  EXPECT_NE(turned[0].tokens, all[0].tokens);
  for (const Translation& t : turned) EXPECT_NEAR(t.score, Dot(weights, t.features), 1e-4);
  search.distortion_limit = 40;
  EXPECT_THROW(Translator(*model, search, weights), Error);
}

TEST_F(SentenceTranslatorTest, TargetWordsOfATableAreTokens) {
  for (const char* word : {"two words", "a\ttab", ""}) {
    RuleBook book(Sdtu());
    BookRule rule;
    rule.source.push_back({book.Source("a"), 0});
    rule.target.push_back(TargetWord(book.Target(word)));
    rule.links = {{0, 0}};
    book.Add(rule);
    EXPECT_THROW(Model(config_, book.Write(), RandomLanguageModel({"x"}, 2, &random_)), Error) << word;
  }
}

TEST(TranslationText, FeaturesPrintInOrderAndShortest) {
  FeatureVector features{};
  features[kSourceGivenTarget] = -0.1f;
  features[kJump] = -0.0f;
  features[kGap] = -3;
  EXPECT_EQ(FeaturesText(NamedFeatures(Sdtu(), features)),
            "TranslationModel= -0.1 0 0 0 LM= 0 RulePenalty= 0 WordPenalty= 0 Jump= 0 Gap= -3");
  features[kUnknownWord] = -100;
  EXPECT_EQ(FeaturesText(NamedFeatures(MakeSystemSpec({{"name", "pbmt"}}), features)),
            "TranslationModel= -0.1 0 0 0 LM= 0 RulePenalty= 0 WordPenalty= 0 Jump= 0 UnknownWordPenalty= -100");
}

TEST(TranslationText, NBestLinesOfMosesAreRead) {
  const ParsedNBestLine line = ParseNBestLine("12 ||| a  &#124; b  ||| Distortion0= 0 ||| -1.5");
  EXPECT_EQ(line.id, 12u);
  EXPECT_EQ(line.tokens, (std::vector<std::string>{"a", "|", "b"}));
  EXPECT_THROW(ParseNBestLine("x ||| a ||| ||| 1"), Error);
  EXPECT_THROW(ParseNBestLine("no bars"), Error);
}

TEST(TranslationText, EveryTokenOfAnNBestLineReadsBack) {
  Translation translation;
  translation.tokens = {"|",     "&#124;", "&amp;#124;", "&amp;amp;#32;", "a b|c", "&apos;",
                        "&amp;", "&&#124", "&|",         "#124;",         "&#32;&"};
  const std::string line = NBestLine(ToValue(MakeSystemSpec({{"name", "pbmt"}}), translation, /*derivation=*/false), 3);
  EXPECT_EQ(line.substr(0, line.find(" ||| T")),
            "3 ||| &#124; &amp;#124; &amp;amp;#124; &amp;amp;amp;#32; a&#32;b&#124;c &apos; &amp; &&#124 &&#124; #124; "
            "&amp;#32;&");
  EXPECT_EQ(ParseNBestLine(line).tokens, translation.tokens);
}

// A language model that does something, once armed, whenever a phrase is scored.
class ArmedLanguageModel final : public LanguageModel {
 public:
  ArmedLanguageModel(std::unique_ptr<LanguageModel> model, const std::function<void()>* act)
      : model_(std::move(model)), act_(act) {}
  int order() const override { return model_->order(); }
  std::string_view form() const override { return model_->form(); }
  LmWord Word(std::string_view word) const override { return model_->Word(word); }
  LmState BeginState() const override { return model_->BeginState(); }
  LmState NullState() const override { return model_->NullState(); }
  float Score(const LmState& state, LmWord word, LmState* next) const override {
    return model_->Score(state, word, next);
  }
  float ScoreEnd(const LmState& state) const override { return model_->ScoreEnd(state); }
  float ScorePhrase(std::span<const LmWord> words, LmPhrase* phrase) const override {
    if (*act_) (*act_)();
    return model_->ScorePhrase(words, phrase);
  }
  float Append(const LmState& state, const LmPhrase& phrase, LmState* next) const override {
    return model_->Append(state, phrase, next);
  }
  float Join(std::span<const LmPhrase* const> parts, LmPhrase* joined) const override {
    return model_->Join(parts, joined);
  }

 private:
  std::unique_ptr<LanguageModel> model_;
  const std::function<void()>* act_;
};

// What a table that changes under the hands of a search makes it do need not end in an Error of Graft.
TEST(TranslatorInUseTest, WhateverFailsATableThatWasWrittenToIsTheCause) {
  const TemporaryFolder folder;
  const std::filesystem::path formats = TestData("formats/model-1");
  const std::string path = folder.File("rules.graft");
  std::filesystem::copy_file(formats / "rules.graft", path);
  std::function<void()> act;
  RuleTable table = RuleTable::Open(path);
  ModelConfig config;
  config.system = table.spec();
  const Model model(config, std::move(table),
                    std::make_unique<ArmedLanguageModel>(LanguageModel::Load((formats / "lm.bin").string()), &act));
  Sentence sentence;
  sentence.tokens = {"das", "haus"};
  const auto translate = [&] { Translator(model).Translate(sentence, {}); };
  EXPECT_NO_THROW(translate());
  act = [] { throw std::length_error("vector"); };
  EXPECT_THROW(translate(), std::length_error);
  act = [] { throw Stopped(); };
  EXPECT_THROW(translate(), Stopped);
  act = [&] {
    std::filesystem::resize_file(path, std::filesystem::file_size(path) - 1);
    throw std::bad_alloc();
  };
  EXPECT_THROW(translate(), Error);
}

}  // namespace
}  // namespace graft::engine::fixtures
