// Forest search against exhaustive enumeration.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <thread>

#include "graft/error.h"
#include "graft/format.h"
#include "search/brute_forest.h"
#include "search/grammar_cases.h"
#include "search/grammar_checks.h"
#include "support/paths.h"
#include "support/small_model.h"
#include "translation/values.h"

namespace graft::engine::fixtures {
namespace {

SystemSpec Dep2Str(bool blocks, bool floating = false) {
  return MakeSystemSpec({{"name", "dep2str"}, {"blocks", blocks}, {"floating", floating}});
}

ModelConfig Config(const SystemSpec& spec, const ForestSettings& settings) {
  ModelConfig config;
  config.system = spec;
  config.search = NoPruning();
  config.search.table_limit = settings.table_limit;
  config.search.copy_unknown = settings.copy_unknown;
  config.search.pseudo_rules = settings.pseudo_rules;
  return config;
}

TEST(ForestSearch, CountsDerivationsOfThePapersExample) {
  struct Case {
    std::string rules;
    bool blocks;
    uint64_t derivations;
  };
  const ForestSettings settings{.copy_unknown = false, .pseudo_rules = false};
  std::mt19937 random(5);
  for (const Case& c : {Case{"A.Dep2Str", false, 128}, Case{"B.Dep2Str", false, 288}, Case{"C.Dep2Str", false, 0},
                        Case{"A.Dep2Str.blocks1", true, 7600}, Case{"B.Dep2Str.blocks1", true, 18720},
                        Case{"C.Dep2Str.blocks1", true, 11680}}) {
    const SystemSpec spec = Dep2Str(c.blocks);
    const auto rules = ReadGrammar(spec, TestData("golden/") + c.rules + ".extract", &random);
    EXPECT_EQ(CountForestDerivations(rules, spec, PaperSentence(), settings), c.derivations) << c.rules;
    const Model model(Config(spec, settings), WriteGrammar(spec, rules),
                      RandomLanguageModel({"World", "Cup", "was", "held", "in"}, 2, &random));
    Translator translator(model);
    if (c.derivations == 0) {
      EXPECT_THROW(translator.Translate(ToSentence(PaperSentence()), {}), Error);
      continue;
    }
    const auto found = translator.Translate(ToSentence(PaperSentence()), {.nbest = 100'000});
    EXPECT_EQ(found.size(), c.derivations) << c.rules;
  }
}

// What `--explain` prints of a structure with an inner block and of a pseudo rule.
TEST(ForestSearch, ExplainsStructures) {
  const SystemSpec spec = Dep2Str(true);
  GrammarRule inner;
  inner.source = {{"w=zai", true}, {"p=VV", true}};
  inner.edges[{1, 0}] = "";
  inner.target = {{"", 2}, {"", 1}};
  GrammarRule leaf;
  leaf.source = {{"chenggong", false}, {"juxing", false}};
  leaf.edges[{1, 0}] = "";
  leaf.target = {{"held", 0}, {"successfully", 0}};
  leaf.links = {{0, 1}, {1, 0}};
  std::mt19937 random(11);
  ModelConfig config;
  config.system = spec;
  const Model model(config, WriteGrammar(spec, {inner, leaf}), RandomLanguageModel({"held"}, 2, &random));
  const GrammarInput input{{"zai", "Nanfei", "chenggong", "juxing"}, {"P", "NR", "AD", "VV"}, {4, 1, 4, 0}};
  const Sentence sentence = ToSentence(input);
  const auto found = Translator(model).Translate(sentence, {});
  EXPECT_THAT(found[0].tokens, ::testing::ElementsAre("held", "successfully", "zai", "Nanfei"));
  EXPECT_THAT(found[0].alignment,
              ::testing::ElementsAre(std::pair(0, 2), std::pair(1, 3), std::pair(2, 1), std::pair(3, 0)));
  const std::string text = ExplanationOf(ToValue(spec, sentence, found, /*derivation=*/true), 0);
  for (const char* line :
       {"   1. X: [w=zai,1] [p=VV,2] → [X,2] [X,1]\n", "words 0-3   edges 1>0\n",
        "   2. [w=zai,1] = X: [X,1] [X,2] → [X,1] [X,2]   (glue)\n", "   3. [X,1] = X: zai → zai   (unknown, copied)\n",
        "   5. [p=VV,2] = X: chenggong juxing → held successfully\n"})
    EXPECT_THAT(text, ::testing::HasSubstr(line));
}

class RandomForests : public ::testing::TestWithParam<std::tuple<bool, bool, int>> {
 protected:
  void RunCase();
  std::vector<GrammarRule> Rules(const SystemSpec& spec, const GrammarInput& input);
  int Below(int n) { return static_cast<int>(random_() % static_cast<uint32_t>(n)); }
  bool Coin() { return Below(2) == 0; }

  std::mt19937 random_{20262};
  int structures_ = 0, pseudo_ = 0, copied_ = 0, many_ = 0, several_roots_ = 0;  // of best derivations
};

// Some of the sources that `input` has, and of those that others have, with random targets.
std::vector<GrammarRule> RandomForests::Rules(const SystemSpec& spec, const GrammarInput& input) {
  const std::vector<GrammarRule> own = ForestSources(spec, input);
  std::vector<GrammarRule> rules;
  const int wanted = 2 + Below(30);
  for (int draw = 0; draw < wanted; ++draw) {
    const std::vector<GrammarRule> other = ForestSources(spec, RandomGrammarSentence(false, &random_));
    const std::vector<GrammarRule>& sources = Below(4) == 0 ? other : own;
    GrammarRule rule = sources[static_cast<size_t>(Below(static_cast<int>(sources.size())))];
    if (std::any_of(rule.source.begin(), rule.source.end(),
                    [](const SourceText& s) { return s.text.find("unseen") != std::string::npos; }))
      continue;
    int variables = 0;
    for (const SourceText& symbol : rule.source) variables += symbol.nonterminal ? 1 : 0;
    for (int words = Below(3) + (variables == 0 ? 1 : 0); words > 0; --words)
      rule.target.push_back({std::string(1, static_cast<char>('x' + Below(3))), 0});
    for (int k = 1; k <= variables; ++k) rule.target.push_back({"", k});
    std::shuffle(rule.target.begin(), rule.target.end(), random_);
    for (size_t s = 0; s < rule.source.size(); ++s)
      for (size_t t = 0; t < rule.target.size(); ++t)
        if (!rule.source[s].nonterminal && rule.target[t].nonterminal == 0 && Below(3) == 0)
          rule.links.emplace_back(static_cast<int>(s), static_cast<int>(t));
    rule.scores = RandomScores(&random_);
    const bool known = std::any_of(rules.begin(), rules.end(), [&](const GrammarRule& r) {
      return std::tie(r.source, r.edges, r.target) == std::tie(rule.source, rule.edges, rule.target);
    });
    if (!known) rules.push_back(std::move(rule));
  }
  return rules;
}

void RandomForests::RunCase() {
  const SystemSpec spec = Dep2Str(std::get<0>(GetParam()), std::get<1>(GetParam()));
  ForestSettings settings;
  if (Below(3) == 0) settings.table_limit = 1 + Below(2);
  const GrammarInput input = RandomGrammarSentence(true, &random_);
  std::vector<GrammarRule> rules = Rules(spec, input);
  while (CountForestDerivations(rules, spec, input, settings) > 3000) rules.pop_back();
  ModelConfig config = Config(spec, settings);
  config.weights = RandomWeights(&random_);
  config.search.algorithm = Coin() ? SearchAlgorithm::kCube : SearchAlgorithm::kExhaustive;
  const std::string arpa = RandomArpa({"x", "y", "z", "unseen"}, 2 + Below(3), &random_);
  const Model model(config, WriteGrammar(spec, rules), LanguageModelOf(arpa));
  const auto expected = AllForestDerivations(rules, spec, model.lm(), config.weights, input, settings);
  ASSERT_FALSE(expected.empty());

  Translator translator(model);
  const Sentence sentence = ToSentence(input);
  const size_t wanted = expected.size() <= 300 ? 1000 : 10;
  const auto found = translator.Translate(sentence, {.nbest = static_cast<uint32_t>(wanted)});
  ASSERT_EQ(found.size(), std::min(wanted, expected.size()));
  ExpectList(found, expected, config.weights, sentence);
  ExpectForced(&translator, sentence, expected);

  // Pruning never finds better than what there is, and always finds something.
  config.search.beam = Below(3) == 0 ? 1 : 200;
  config.search.pop_limit = Below(3) == 0 ? 1 : 1000;
  config.search.threshold = Coin() ? 1e-5 : 0.5;
  const Model pruned(config, WriteGrammar(spec, rules), LanguageModelOf(arpa));
  const auto some = Translator(pruned).Translate(sentence, {.nbest = 5});
  ASSERT_FALSE(some.empty());
  ASSERT_LE(some[0].score, expected[0].score + kTolerance);
  for (const Translation& translation : some) ExpectFeatures(translation, config.weights);

  for (const DerivationStep& step : found[0].derivation) {
    structures_ += step.edges.empty() ? 0 : 1;
    pseudo_ += step.glue ? 1 : 0;
    copied_ += step.copied ? 1 : 0;
    many_ += step.children.size() > 2 ? 1 : 0;
  }
  several_roots_ += std::count(input.heads.begin(), input.heads.end(), 0) > 1 ? 1 : 0;
}

TEST_P(RandomForests, EqualBruteForce) {
  const int cases = std::get<2>(GetParam());
  for (int c = 0; c < cases; ++c) {
    RunCase();
    if (HasFatalFailure()) FAIL() << "case " << c;
  }
  // The cases are not too easy.
  for (const int seen : {structures_, pseudo_, copied_, many_, several_roots_}) EXPECT_GT(seen, cases / 20);
}

INSTANTIATE_TEST_SUITE_P(
    Variants, RandomForests,
    ::testing::Values(std::tuple(true, false, 1400), std::tuple(false, false, 600), std::tuple(true, true, 600)),
    [](const auto& test) {
      return std::string(std::get<1>(test.param) ? "floating" : std::get<0>(test.param) ? "blocks" : "full");
    });

// A model with a rule for some words and some structures of two and three symbols.
std::unique_ptr<Model> SmallModel() {
  std::mt19937 random(6);
  const SystemSpec spec = Dep2Str(true);
  std::vector<GrammarRule> rules;
  for (const char* word : {"a", "b", "c"})
    for (const char* target : {"x", "y", "z"}) {
      GrammarRule& rule = rules.emplace_back();
      rule.source = {{word, false}};
      rule.target = {{target, 0}};
      rule.links = {{0, 0}};
    }
  for (const char* head : {"p=N", "p=V"})
    for (const char* dependent : {"p=N", "p=V"}) {
      GrammarRule& before = rules.emplace_back();
      before.source = {{dependent, true}, {head, true}};
      before.edges[{1, 0}] = "";
      before.target = {{"", 2}, {"", 1}};
      GrammarRule& after = rules.emplace_back();
      after.source = {{head, true}, {dependent, true}};
      after.edges[{0, 1}] = "";
      after.target = {{"", 1}, {"z", 0}, {"", 2}};
    }
  for (GrammarRule& rule : rules) rule.scores = RandomScores(&random);
  ModelConfig config;
  config.system = spec;
  return std::make_unique<Model>(config, WriteGrammar(spec, rules), RandomLanguageModel({"x", "y", "z"}, 3, &random));
}

Sentence SentenceOf(int words, const std::vector<int>& heads, std::mt19937* random) {
  GrammarInput input;
  input.heads = heads;
  for (int i = 0; i < words; ++i) {
    input.words.push_back(std::string(1, static_cast<char>('a' + (*random)() % 4)));
    input.tags.push_back((*random)() % 8 == 0 ? "other" : (*random)() % 2 == 0 ? "N" : "V");
  }
  return ToSentence(input);
}

void ExpectSound(const Model& model, const Sentence& sentence) {
  Translator translator(model);
  const auto found = translator.Translate(sentence, {.nbest = 10});
  ASSERT_EQ(found.size(), 10u);
  for (const Translation& translation : found) {
    EXPECT_NEAR(Dot(model.weights(), translation.features), translation.score, 0.05);
    ExpectSteps(translation, sentence);
  }
}

TEST(ForestSearch, HeadOfFortyDependents) {
  const auto model = SmallModel();
  std::mt19937 random(7);
  std::vector<int> heads(41, 21);
  heads[20] = 0;
  Sentence sentence = SentenceOf(41, heads, &random);
  ExpectSound(*model, sentence);
  sentence.tags.assign(41, "N");  // every block has rules
  ExpectSound(*model, sentence);
}

// More dependents than a rule has non-terminals, none of which a rule combines.
TEST(ForestSearch, PseudoRuleOfSixtyDependents) {
  const auto model = SmallModel();
  std::mt19937 random(8);
  std::vector<int> heads(61, 1);
  heads[0] = 0;
  Sentence sentence = SentenceOf(61, heads, &random);
  sentence.tags.assign(61, "other");
  ExpectSound(*model, sentence);
  const auto found = Translator(*model).Translate(sentence, {});
  EXPECT_EQ(found[0].derivation.back().children.size(), 61u);
  EXPECT_EQ(found[0].features[kGlue], -1);
  EXPECT_EQ(found[0].features[kRulePenalty], -61);
  const auto forced = Translator(*model).Force(sentence, {found[0].tokens}, 1'000'000);
  ASSERT_EQ(forced[0].result, ForcedResult::kDerived);
  EXPECT_NEAR(forced[0].best.score, found[0].score, 0.05);
}

TEST(ForestSearch, SentenceOfTwoHundredWords) {
  const auto model = SmallModel();
  std::mt19937 random(9);
  std::vector<int> heads = {0};
  for (int i = 2; i <= 200; ++i) heads.push_back(i - 1 - static_cast<int>(random() % 2) * ((i - 1) % 3 == 0 ? 1 : 0));
  heads[1] = 1;
  ExpectSound(*model, SentenceOf(200, heads, &random));
}

TEST(ForestSearch, ThreadsShareAModel) {
  const auto model = SmallModel();
  std::mt19937 random(10);
  std::vector<Sentence> sentences;
  for (int i = 0; i < 24; ++i) {
    std::vector<int> heads = {0};
    for (int w = 2; w <= 12; ++w) heads.push_back(1 + static_cast<int>(random() % static_cast<uint32_t>(w - 1)));
    sentences.push_back(SentenceOf(12, heads, &random));
  }
  auto translate = [&](size_t threads) {
    std::vector<std::vector<Translation>> lists(sentences.size());
    std::vector<std::jthread> workers;
    for (size_t t = 0; t < threads; ++t)
      workers.emplace_back([&, t] {
        Translator translator(*model);
        for (size_t i = t; i < sentences.size(); i += threads)
          lists[i] = translator.Translate(sentences[i], {.nbest = 20});
      });
    workers.clear();
    return lists;
  };
  const auto expected = translate(1);
  for (const size_t threads : {2, 4}) {
    const auto lists = translate(threads);
    for (size_t i = 0; i < lists.size(); ++i) {
      ASSERT_EQ(lists[i].size(), expected[i].size());
      for (size_t k = 0; k < lists[i].size(); ++k) {
        EXPECT_EQ(lists[i][k].tokens, expected[i][k].tokens);
        EXPECT_EQ(lists[i][k].features, expected[i][k].features);
        EXPECT_EQ(lists[i][k].score, expected[i][k].score);
      }
    }
  }
}

}  // namespace
}  // namespace graft::engine::fixtures
