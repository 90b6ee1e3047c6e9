// Chart search on the paper's running example and on small grammars written down here.
#include "search/chart.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>

#include "graft/format.h"
#include "search/grammar_cases.h"
#include "search/grammar_decoder.h"
#include "search/kbest.h"
#include "search/translator.h"
#include "support/paths.h"
#include "support/small_model.h"
#include "support/specs.h"
#include "translation/values.h"

namespace graft::engine::fixtures {
namespace {

std::vector<std::string> TargetWords(const std::vector<GrammarRule>& rules) {
  std::set<std::string> words;
  for (const GrammarRule& rule : rules)
    for (const TargetText& symbol : rule.target)
      if (symbol.nonterminal == 0) words.insert(symbol.word);
  return {words.begin(), words.end()};
}

Model MakeModel(const SystemSpec& spec, const std::vector<GrammarRule>& rules, const SearchOptions& search,
                std::mt19937* random) {
  ModelConfig config;
  config.system = spec;
  config.search = search;
  return {config, WriteGrammar(spec, rules), RandomLanguageModel(TargetWords(rules), 3, random)};
}

// `[X,1] b` → `y [X,1]`, links `1-0`; the left-hand side before a colon if it is not X.
GrammarRule Rule(const std::string& source, const std::string& target, const std::string& links = "") {
  GrammarRule rule;
  std::istringstream in(source);
  for (std::string symbol; in >> symbol;) {
    if (symbol.back() == ':')
      rule.lhs = symbol.substr(0, symbol.size() - 1);
    else if (symbol.front() == '[')
      rule.source.push_back({symbol.substr(1, symbol.find(',') - 1), true});
    else
      rule.source.push_back({symbol, false});
  }
  std::istringstream out(target);
  for (std::string symbol; out >> symbol;)
    rule.target.push_back(symbol.front() == '[' ? TargetText{"", symbol[symbol.size() - 2] - '0'}
                                                : TargetText{symbol, 0});
  std::istringstream pairs(links);
  for (std::string link; pairs >> link;)
    rule.links.emplace_back(std::stoi(link), std::stoi(link.substr(link.find('-') + 1)));
  rule.scores = {-1, -1, -1, -1};
  return rule;
}

Sentence Words(const std::vector<std::string>& tokens) {
  Sentence sentence;
  sentence.tokens = tokens;
  return sentence;
}

SearchOptions Everything() {
  SearchOptions search = NoPruning();
  search.algorithm = SearchAlgorithm::kExhaustive;
  return search;
}

TEST(ChartTest, HasTheDerivationsOfThePapersExample) {
  std::mt19937 random(7);
  for (const PaperCount& c : PaperCounts()) {
    if (c.spec.search != SearchKind::kChart) continue;
    for (const SearchAlgorithm algorithm : {SearchAlgorithm::kCube, SearchAlgorithm::kExhaustive}) {
      SearchOptions search = NoPruning();
      search.algorithm = algorithm;
      search.copy_unknown = false;
      const Model model = MakeModel(c.spec, PaperRules(c, &random), search, &random);
      const Sentence sentence = ToSentence(PaperSentence());
      GrammarDecoder decoder(model);
      decoder.Prepare(sentence, {});
      const Hypergraph& graph = decoder.Search(std::numeric_limits<uint32_t>::max());
      EXPECT_EQ(CountDerivations(graph), c.glue[0].s) << c.system;

      // The list ends after as many, and those with a single glue rule are those of X over the whole sentence.
      KBest kbest(graph);
      std::vector<const HyperEdge*> edges;
      uint64_t listed = 0, whole = 0;
      float score = 0, previous = std::numeric_limits<float>::infinity();
      for (; kbest.Get(static_cast<uint32_t>(listed), &edges, &score); ++listed) {
        EXPECT_LE(score, previous);
        previous = score;
        whole += std::count_if(edges.begin(), edges.end(), [](auto* e) { return e->kind == EdgeKind::kGlue; }) == 1;
      }
      EXPECT_EQ(listed, c.glue[0].s) << c.system;
      EXPECT_EQ(whole, c.x) << c.system;
    }
  }
}

TEST(ChartTest, FeaturesOfEveryDerivationAddUpToItsScore) {
  std::mt19937 random(3);
  for (const PaperCount& c : PaperCounts()) {
    if (c.spec.search != SearchKind::kChart) continue;
    const Model model = MakeModel(c.spec, PaperRules(c, &random), Everything(), &random);
    const Sentence sentence = ToSentence(PaperSentence());
    for (const Translation& t : Translator(model).Translate(sentence, {.nbest = 200})) {
      EXPECT_NEAR(Dot(model.weights(), t.features), t.score, 1e-3);
      LmState state = model.lm().BeginState();
      float lm = 0;
      for (const std::string& token : t.tokens) lm += model.lm().Score(LmState(state), model.lm().Word(token), &state);
      lm += model.lm().ScoreEnd(state);
      EXPECT_NEAR(t.features[kLanguageModel], lm, 1e-3);
      int rules = 0, glue = 0;
      for (const DerivationStep& step : t.derivation) (step.glue ? glue : rules)++;
      EXPECT_EQ(t.features[kRulePenalty], -rules);
      EXPECT_EQ(t.features[kGlue], -glue);
      EXPECT_EQ(t.derivation.back().positions.size(), sentence.tokens.size());
    }
  }
}

// Symbols that are edges get their node numbers from the sentence: the same as the rule has in its text.
TEST(ChartTest, StepsOfADerivationAreTheRulesThatMatched) {
  std::mt19937 random(9);
  for (const PaperCount& c : PaperCounts()) {
    if (c.spec.search != SearchKind::kChart) continue;
    std::ifstream file(TestData("golden/") + c.system + ".mgs2.adj0.extract");
    std::set<std::string> rules;  // up to the target
    for (std::string line; std::getline(file, line);)
      rules.insert(line.substr(0, line.rfind(" ||| ", line.rfind(" ||| ") - 1)));
    const Model model = MakeModel(c.spec, PaperRules(c, &random), Everything(), &random);
    for (const Translation& t : Translator(model).Translate(ToSentence(PaperSentence()), {.nbest = 500}))
      for (const DerivationStep& step : t.derivation) {
        if (step.glue || step.copied) continue;
        const std::string rule = step.lhs + " ||| " + JoinTokens(step.source_symbols) + " ||| " +
                                 JoinTokens(step.edges) + " ||| " + JoinTokens(step.target_symbols);
        EXPECT_EQ(rules.count(rule), 1u) << rule;
      }
  }
}

// Sixteen symbols whose edges meet late: a prefix has more nodes than the whole.
TEST(ChartTest, TheLongestRuleMatchesItsOwnTreeOnly) {
  std::mt19937 random(5);
  const SystemSpec spec = MakeSystemSpec({{"name", "serg"}, {"max_length", 16}, {"max_symbols", 16}});
  GrammarInput pairs, chain;
  for (int word = 1; word <= 16; ++word) {
    pairs.words.push_back("w" + std::to_string(word));
    pairs.heads.push_back(word == 16 ? 0 : word % 2 == 1 ? word + 1 : 16);
    chain.heads.push_back(word == 16 ? 0 : word + 1);
  }
  chain.words = pairs.words;
  const Model model = MakeModel(spec, {MakeGrammarRule(spec, pairs, 0xffff, {}, {{"x"}})}, Everything(), &random);
  Translator translator(model);
  EXPECT_EQ(translator.Translate(ToSentence(pairs), {.nbest = 10}).size(), 2u) << "the rule, and sixteen copies";
  EXPECT_EQ(translator.Translate(ToSentence(chain), {.nbest = 10}).size(), 1u);
}

TEST(ChartTest, ForcedDecodingFindsTheBestDerivationOfEachString) {
  std::mt19937 random(11);
  for (const PaperCount& c : PaperCounts()) {
    if (c.spec.search != SearchKind::kChart) continue;
    const Model model = MakeModel(c.spec, PaperRules(c, &random), Everything(), &random);
    const Sentence sentence = ToSentence(PaperSentence());
    Translator translator(model);
    std::vector<Translation> best = translator.Translate(sentence, {.nbest = 1000});
    std::set<std::vector<std::string>> seen;
    std::erase_if(best, [&](const Translation& t) { return !seen.insert(t.tokens).second; });
    std::vector<std::vector<std::string>> targets;
    for (const Translation& t : best) targets.push_back(t.tokens);
    targets.push_back({"held", "held"});
    const std::vector<ForcedTranslation> forced = translator.Force(sentence, targets, 1'000'000);
    for (size_t i = 0; i < best.size(); ++i) {
      ASSERT_EQ(forced[i].result, ForcedResult::kDerived);
      EXPECT_EQ(forced[i].best.tokens, best[i].tokens);
      EXPECT_NEAR(forced[i].best.score, best[i].score, 1e-3);
      EXPECT_NEAR(Dot(model.weights(), forced[i].best.features), forced[i].best.score, 1e-3);
    }
    EXPECT_EQ(forced.back().result, ForcedResult::kNotDerivable);
    EXPECT_EQ(translator.Force(sentence, {best[0].tokens}, 10)[0].result, ForcedResult::kTooLarge);
  }
}

TEST(ChartTest, AnUnknownWordIsCopiedAndMayFillANonterminal) {
  std::mt19937 random(5);
  const std::vector<GrammarRule> rules = {Rule("a", "x", "0-0"), Rule("a [X,1] b", "y [X,1] x", "0-2 2-0")};
  const Model model = MakeModel(SpecOf("hpbmt"), rules, Everything(), &random);
  Translator translator(model);
  bool inside = false;
  for (const Translation& t : translator.Translate(Words({"a", "Unseen", "b"}), {.nbest = 10})) {
    EXPECT_EQ(std::count(t.tokens.begin(), t.tokens.end(), "Unseen"), 1);
    if (t.tokens != std::vector<std::string>{"y", "Unseen", "x"}) continue;
    inside = true;
    EXPECT_EQ(t.features[kUnknownWord], -100);
    EXPECT_EQ(t.alignment, (std::vector<std::pair<int, int>>{{0, 2}, {1, 1}, {2, 0}}));
  }
  EXPECT_TRUE(inside);
  const auto forced = translator.Force(Words({"a", "Unseen", "b"}), {{"y", "Unseen", "x"}, {"y", "unseen", "x"}}, 1000);
  EXPECT_EQ(forced[0].result, ForcedResult::kDerived);
  EXPECT_EQ(forced[1].result, ForcedResult::kNotDerivable);
}

TEST(ChartTest, WithoutRulesAndCopiesThereIsNoDerivation) {
  std::mt19937 random(5);
  SearchOptions search = Everything();
  search.copy_unknown = false;
  const Model model = MakeModel(SpecOf("hpbmt"), {Rule("a", "x")}, search, &random);
  const Sentence sentence = Words({"a", "b"});
  GrammarDecoder decoder(model);
  decoder.Prepare(sentence, {});
  EXPECT_TRUE(decoder.Search(10).empty());
}

TEST(ChartTest, ANonterminalTakesItsOwnLabelOnlyAndACopyTakesItsTag) {
  std::mt19937 random(5);
  GrammarRule with_verb = Rule("S_: [V,1] a", "[X,1] x", "1-1");
  with_verb.edges[{0, 1}] = "";
  const std::vector<GrammarRule> rules = {Rule("V: a", "v"), Rule("N: a", "n"), with_verb};
  const Model model = MakeModel(SpecOf("gramgbmt-c", "tree", {.pos = true}), rules, Everything(), &random);
  Sentence sentence = Words({"a", "a"});
  sentence.tags = {"N", "N"};
  sentence.heads = {0, 1};
  sentence.relations = {"dep", "dep"};
  Translator translator(model);
  // Glue joins two words in 2 x 2 ways; the rule with a non-terminal takes the verb alone, whatever the input's tag.
  const std::vector<Translation> translations = translator.Translate(sentence, {.nbest = 100});
  EXPECT_EQ(translations.size(), 5u);
  const auto with_rule = std::find_if(translations.begin(), translations.end(),
                                      [](const Translation& t) { return t.derivation.size() == 3; });
  ASSERT_NE(with_rule, translations.end());
  EXPECT_EQ(JoinTokens(with_rule->tokens), "v x");
  EXPECT_EQ(with_rule->derivation[1].source_symbols, (std::vector<std::string>{"[V,1]", "a"}));
  EXPECT_EQ(with_rule->derivation[1].target_symbols, (std::vector<std::string>{"[X,1]", "x"}));

  sentence.tokens = {"unseen", "a"};
  for (const bool verb : {false, true}) {
    sentence.tags = {verb ? "V" : "N", "N"};
    EXPECT_EQ(translator.Translate(sentence, {.nbest = 100}).size(), verb ? 3u : 2u);
  }
  sentence.tags = {"TAG_THE_TABLE_LACKS", "N"};
  EXPECT_EQ(translator.Translate(sentence, {.nbest = 100}).size(), 2u);
}

TEST(ChartTest, ExplainsADerivationAsATree) {
  std::mt19937 random(5);
  const std::vector<GrammarRule> rules = {Rule("zai", "in", "0-0"), Rule("Nanfei", "South Africa", "0-0 0-1"),
                                          Rule("zai [X,1] juxing", "held in [X,1]", "0-1 2-0")};
  SearchOptions search = Everything();
  const Model model = MakeModel(SpecOf("hpbmt"), rules, search, &random);
  const Sentence sentence = Words({"zai", "Nanfei", "juxing"});
  const Translation best = Translator(model).Translate(sentence, {})[0];
  ASSERT_EQ(JoinTokens(best.tokens), "held in South Africa");
  EXPECT_EQ(best.alignment, (std::vector<std::pair<int, int>>{{0, 1}, {1, 2}, {1, 3}, {2, 0}}));
  ASSERT_EQ(best.derivation.size(), 3u);
  EXPECT_EQ(best.derivation[0].positions, std::vector<int>{1});
  EXPECT_EQ(best.derivation[1].positions, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(best.derivation[1].children, std::vector<int>{0});
  EXPECT_EQ(best.derivation[0].target_begin, 2);
  EXPECT_EQ(best.derivation[0].target_end, 4);
  const graft::Sentence value = ToValue(model.system(), sentence, {best}, /*derivation=*/true);
  const std::string text = ExplanationOf(value, 0);
  EXPECT_NE(text.find("\n   1. S: [X,1] → [X,1]   (glue)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n       2. X: zai [X,1] juxing → held in [X,1]\n          words 0-2\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("\n           3. [X,1] = X: Nanfei → South Africa\n"), std::string::npos) << text;
  const std::string json = JsonOf(value, /*derivation=*/true);
  EXPECT_NE(
      json.find(
          R"("lhs":"X","rule_source":["zai","[X,1]","juxing"],"rule_target":["held","in","[X,1]"],"children":[0])"),
      std::string::npos)
      << json;
}

}  // namespace
}  // namespace graft::engine::fixtures
