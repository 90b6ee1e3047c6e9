// Searches with a grammar against exhaustive enumeration.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <random>
#include <set>

#include "oracle/examples.h"
#include "search/brute_grammar.h"
#include "search/grammar_cases.h"
#include "search/grammar_checks.h"
#include "search/translator.h"
#include "support/small_model.h"

namespace graft::engine::fixtures {
namespace {

// `settings` as the library has them, without pruning.
SearchOptions Unpruned(const GrammarSettings& settings) {
  SearchOptions options = NoPruning();
  options.table_limit = settings.table_limit;
  options.max_span = settings.max_span;
  options.max_words = settings.max_words;
  options.glue_limit = settings.glue_limit;
  options.glue_order = settings.free_order ? GlueOrder::kFree : GlueOrder::kLeft;
  options.glue_distortion = settings.jump_only ? GlueDistortion::kJump : GlueDistortion::kFull;
  options.copy_unknown = settings.copy_unknown;
  return options;
}

TEST(GrammarSearch, CountsDerivationsOfThePapersExample) {
  std::mt19937 random(2);
  for (const PaperCount& c : PaperCounts()) {
    const std::vector<GrammarRule> rules = PaperRules(c, &random);
    for (PaperGlueCount glue : c.glue) {
      if (glue.settings.free_order) continue;  // lists of 100,000 derivations: bottom_up_test.cc counts them
      glue.settings.copy_unknown = false;
      ModelConfig config;
      config.system = c.spec;
      config.search = Unpruned(glue.settings);
      const Model model(config, WriteGrammar(c.spec, rules),
                        RandomLanguageModel({"World", "Cup", "was", "held", "in"}, 2, &random));
      Translator translator(model);
      const auto found = translator.Translate(ToSentence(PaperSentence()), {.nbest = 200'000});
      EXPECT_EQ(found.size(), glue.s) << c.system << " glue limit " << glue.settings.glue_limit;
    }
  }
}

// The derivation of `target` has these values, by brute force and by the library.
struct Distances {
  int gap, glue_distortion, glue_jump;
};
void ExpectDistances(const SystemSpec& spec, const GrammarInput& input, const std::vector<GrammarRule>& rules,
                     const std::vector<std::string>& target, const Distances& expected) {
  std::mt19937 random(4);
  const std::string arpa = RandomArpa({"x"}, 2, &random);
  for (bool jump_only : {false, true}) {
    const GrammarSettings settings{.jump_only = jump_only, .copy_unknown = false};
    const double distortion = -(jump_only ? expected.glue_jump : expected.glue_distortion);
    ModelConfig config;
    config.system = spec;
    config.search = Unpruned(settings);
    const Model model(config, WriteGrammar(spec, rules), LanguageModelOf(arpa));
    int derivations = 0;
    for (const auto& derivation : AllGrammarDerivations(rules, spec, model.lm(), config.weights, input, settings)) {
      if (derivation.target != target) continue;
      ++derivations;
      EXPECT_EQ(derivation.features[kGap], -expected.gap);
      EXPECT_EQ(derivation.features[kGlueDistortion], distortion);
    }
    EXPECT_EQ(derivations, 1);
    const auto forced = Translator(model).Force(ToSentence(input), {target}, 1000);
    ASSERT_EQ(forced[0].result, ForcedResult::kDerived);
    EXPECT_EQ(forced[0].best.features[kGap], -expected.gap);
    EXPECT_EQ(forced[0].best.features[kGlueDistortion], distortion);
  }
}

// {1,2,3,7}, then {4,5,6}: jumps 0 and 4, three words in the gap of the first.
TEST(GrammarFeatures, DistancesOfThePapersExample) {
  const SystemSpec spec = MakeSystemSpec({{"name", "gramgbmt-b"}, {"graph", "dsg"}});
  const GrammarInput input = PaperSentence();
  ExpectDistances(
      spec, input,
      {MakeGrammarRule(spec, input, 0b1000111, {}, {{"x"}}), MakeGrammarRule(spec, input, 0b0111000, {}, {{"y"}})},
      {"x", "y"}, {3, 7, 4});
}

// {1,3} and {2,5} fill non-terminals of a rule with word 8: words 6 and 7 are its gap, word 4 is inside the second.
TEST(GrammarFeatures, WordsInsideANonterminalAreNoGap) {
  const SystemSpec spec = MakeSystemSpec({{"name", "gramgbmt-b"}, {"graph", "tree"}, {"projectivise", false}});
  const GrammarInput input = {{"a", "b", "c", "d", "e", "f", "g", "h"}, {}, {3, 5, 8, 8, 8, 8, 8, 0}};
  std::vector<GrammarRule> rules = {
      MakeGrammarRule(spec, input, 0b00000101, {}, {{"x"}}),
      MakeGrammarRule(spec, input, 0b00010010, {}, {{"y"}}),
      MakeGrammarRule(spec, input, 0b10010111, {0b00000101, 0b00010010}, {{"", 1}, {"", 2}, {"z"}}),
  };
  rules.push_back(MakeGrammarRule(spec, input, 0b00001000, {}, {{"t"}}));
  rules.push_back(MakeGrammarRule(spec, input, 0b00100000, {}, {{"u"}}));
  rules.push_back(MakeGrammarRule(spec, input, 0b01000000, {}, {{"v"}}));
  // Gaps: 1 in {1,3}, 2 in {2,5}, 2 of the rule. Then 4, 6, 7 after 8: jumps 5, 1, 0; 3 words in the gaps of the first.
  ExpectDistances(spec, input, rules, {"x", "y", "z", "t", "u", "v"}, {5, 9, 6});
}

class RandomGrammars : public ::testing::TestWithParam<std::tuple<std::string, std::string, int>> {
 protected:
  void RunCase();
  int Below(int n) { return static_cast<int>(random_() % static_cast<uint32_t>(n)); }
  bool Coin() { return Below(2) == 0; }

  std::mt19937 random_{20261};
  int with_nonterminals_ = 0, with_glue_ = 0, with_gaps_ = 0, copied_ = 0;  // of best derivations
};

void RandomGrammars::RunCase() {
  SystemOptions options;
  options["name"] = std::get<0>(GetParam());
  options["adjacent_nt"] = Coin();
  if (!std::get<1>(GetParam()).empty()) {
    options["graph"] = std::get<1>(GetParam());
    options["edge_labels"] = Below(3) == 0;
  }
  if (std::get<0>(GetParam()) != std::string("hpbmt")) options["pos"] = Below(3) == 0;
  const SystemSpec spec = MakeSystemSpec(options);
  GrammarSettings settings;
  if (Coin()) settings.max_span = 1 + Below(6);
  if (Below(3) == 0) settings.table_limit = 1 + Below(2);
  if (spec.search == SearchKind::kBottomUp) {
    if (Coin()) settings.max_words = 1 + Below(6);
    settings.glue_limit = Below(5) - 1;
    settings.free_order = Coin();
    settings.jump_only = Coin();
  }
  const GrammarCase test = RandomGrammarCase(spec, settings, 3000, &random_);
  ModelConfig config;
  config.system = spec;
  config.weights = RandomWeights(&random_);
  config.search = Unpruned(settings);
  config.search.algorithm = Coin() ? SearchAlgorithm::kCube : SearchAlgorithm::kExhaustive;
  const std::string arpa = RandomArpa({"x", "y", "z", "unseen"}, 2 + Below(3), &random_);
  const Model model(config, WriteGrammar(spec, test.rules), LanguageModelOf(arpa));
  const auto expected = AllGrammarDerivations(test.rules, spec, model.lm(), config.weights, test.input, settings);
  ASSERT_FALSE(expected.empty());

  Translator translator(model);
  const Sentence sentence = ToSentence(test.input);
  const size_t wanted = expected.size() <= 300 ? 1000 : 10;
  const auto found = translator.Translate(sentence, {.nbest = static_cast<uint32_t>(wanted)});
  ASSERT_EQ(found.size(), std::min(wanted, expected.size()));
  ExpectList(found, expected, config.weights, sentence);
  ExpectForced(&translator, sentence, expected);

  // Pruning never finds better than what there is, and always finds something.
  config.search.beam = Below(3) == 0 ? 1 : 200;
  config.search.pop_limit = Below(3) == 0 ? 1 : 1000;
  config.search.threshold = Coin() ? 1e-5 : 0.5;
  const Model pruned(config, WriteGrammar(spec, test.rules), LanguageModelOf(arpa));
  const auto some = Translator(pruned).Translate(sentence, {.nbest = 5});
  ASSERT_FALSE(some.empty());
  ASSERT_LE(some[0].score, expected[0].score + kTolerance);
  for (const Translation& translation : some) ExpectFeatures(translation, config.weights);

  with_glue_ += expected[0].features[kGlue] < -1 ? 1 : 0;
  with_gaps_ += expected[0].features[kGap] < 0 ? 1 : 0;
  copied_ += expected[0].features[kUnknownWord] < 0 ? 1 : 0;
  with_nonterminals_ += expected[0].features[kRulePenalty] < expected[0].features[kGlue] ? 1 : 0;
}

TEST_P(RandomGrammars, EqualBruteForce) {
  const int cases = std::get<2>(GetParam());
  for (int c = 0; c < cases; ++c) {
    RunCase();
    if (HasFatalFailure()) FAIL() << "case " << c;
  }
  // The cases are not too easy.
  EXPECT_GT(with_nonterminals_, cases / 20);
  EXPECT_GT(with_glue_, cases / 20);
  EXPECT_GT(copied_, cases / 20);
  if (std::get<0>(GetParam()) == "gramgbmt-b") {
    EXPECT_GT(with_gaps_, cases / 50);
  }
}

INSTANTIATE_TEST_SUITE_P(Systems, RandomGrammars,
                         ::testing::Values(std::tuple("hpbmt", "", 2000), std::tuple("serg", "", 1500),
                                           std::tuple("gramgbmt-c", "tree", 700), std::tuple("gramgbmt-c", "dsg", 700),
                                           std::tuple("gramgbmt-c", "dbg", 700), std::tuple("gramgbmt-b", "tree", 700),
                                           std::tuple("gramgbmt-b", "dsg", 700), std::tuple("gramgbmt-b", "dbg", 700)),
                         [](const auto& test) {
                           std::string name = std::get<0>(test.param) + std::get<1>(test.param);
                           name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
                           return name;
                         });

// On a sentence whose tree is the chain of its bigrams, edges of the bigram graph say nothing that the order of symbols
// does not: every run of words is connected, and neighbours have the one edge from the later to the earlier.
TEST(Equivalence, BigramGraphOfAChainIsHpbmt) {
  const SystemSpec plain = MakeSystemSpec({{"name", "hpbmt"}});
  const SystemSpec graph = MakeSystemSpec({{"name", "gramgbmt-c"}, {"graph", "dbg"}});
  std::mt19937 random(31);
  for (int c = 0; c < 300; ++c) {
    GrammarCase test = RandomGrammarCase(plain, {}, 100'000, &random);
    const int n = static_cast<int>(test.input.words.size());
    for (int i = 0; i < n; ++i) test.input.heads[i] = i + 1 < n ? i + 2 : 0;
    std::vector<GrammarRule> with_edges = test.rules;
    for (GrammarRule& rule : with_edges)
      for (int k = 1; k < static_cast<int>(rule.source.size()); ++k) rule.edges[{k, k - 1}] = "";
    ModelConfig config;
    config.weights = RandomWeights(&random);
    const std::string arpa = RandomArpa({"x", "y", "z"}, 3, &random);
    config.system = plain;
    const Model hpbmt(config, WriteGrammar(plain, test.rules), LanguageModelOf(arpa));
    config.system = graph;
    const Model gramgbmt(config, WriteGrammar(graph, with_edges), LanguageModelOf(arpa));
    const Sentence sentence = ToSentence(test.input);
    const auto expected = Translator(hpbmt).Translate(sentence, {.nbest = 50});
    const auto found = Translator(gramgbmt).Translate(sentence, {.nbest = 50});
    ASSERT_EQ(found.size(), expected.size());
    for (size_t k = 0; k < found.size(); ++k) {
      ASSERT_EQ(found[k].score, expected[k].score) << "case " << c << " rank " << k;
      ASSERT_EQ(found[k].tokens, expected[k].tokens);
      ASSERT_EQ(found[k].features, expected[k].features);
    }
  }
}

// Every run of words is connected in the bigram graph, so extraction finds what HPBMT's finds, with edges.
TEST(Equivalence, RulesOfTheBigramGraphWithoutEdgesAreHpbmts) {
  std::mt19937_64 random(32);
  for (int c = 0; c < 500; ++c) {
    const oracle::Example example = oracle::RandomExample(&random);
    auto lines = oracle::EngineExtract(example, MakeSystemSpec({{"name", "gramgbmt-c"}, {"graph", "dbg"}}));
    for (oracle::RuleLine& line : lines) line.edges.clear();
    EXPECT_EQ(oracle::Merged(lines),
              oracle::Merged(oracle::EngineExtract(example, MakeSystemSpec({{"name", "hpbmt"}}))))
        << oracle::ToString(example);
  }
}

// With rules of words only, glue in free order is a segmentation: units one after another, each at its distance.
TEST(Equivalence, BottomUpWithoutNonterminalsIsSegmentation) {
  std::mt19937 random(33);
  for (const std::string name : {"tree", "dsg", "dbg"})
    for (int c = 0; c < 150; ++c) {
      SystemOptions options{{"name", "seggbmt"}, {"graph", name}, {"edge_labels", c % 3 == 0}};
      const SystemSpec segments = MakeSystemSpec(options);
      options["name"] = "gramgbmt-b";
      const SystemSpec grammar = MakeSystemSpec(options);
      SystemSpec terminals = grammar;
      terminals.grammar.max_nonterminals = 0;
      const GrammarSettings settings{.max_span = 1 + static_cast<int>(random() % 6),
                                     .free_order = true,
                                     .glue_limit = static_cast<int>(random() % 5)};
      const GrammarCase test = RandomGrammarCase(terminals, settings, 3000, &random);
      ModelConfig config;
      config.weights = RandomWeights(&random);
      config.search = Unpruned(settings);
      config.search.distortion_limit = settings.glue_limit;
      const std::string arpa = RandomArpa({"x", "y", "z"}, 3, &random);
      config.system = segments;
      config.weights[kGap] = config.weights[kJump];
      const Model seggbmt(config, WriteGrammar(segments, test.rules), LanguageModelOf(arpa));
      config.system = grammar;
      config.weights[kGlueDistortion] = config.weights[kJump];
      config.weights[kGap] = config.weights[kGlue] = 0;
      const Model gramgbmt(config, WriteGrammar(grammar, test.rules), LanguageModelOf(arpa));
      const Sentence sentence = ToSentence(test.input);
      const auto expected = Translator(seggbmt).Translate(sentence, {.nbest = 5000});
      const auto found = Translator(gramgbmt).Translate(sentence, {.nbest = 5000});
      ASSERT_EQ(found.size(), expected.size());
      for (size_t k = 0; k < found.size(); ++k)
        ASSERT_NEAR(found[k].score, expected[k].score, kTolerance) << name << " case " << c << " rank " << k;
    }
}

}  // namespace
}  // namespace graft::engine::fixtures
