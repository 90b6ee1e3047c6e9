// Bottom-up search by itself: the search space of the paper's example, equality with brute force and with left-to-right
// search where the models are the same, and a translation under any pruning.
#include "search/bottom_up.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "search/beam_stacks.h"
#include "search/grammar_cases.h"
#include "search/item_graph.h"
#include "search/kbest.h"
#include "search/left_to_right.h"
#include "support/small_model.h"
#include "support/specs.h"

namespace graft::engine::fixtures {
namespace {

constexpr uint32_t kAll = UINT32_MAX;

SearchOptions Options(const GrammarSettings& settings) {
  SearchOptions options = NoPruning();
  options.max_span = settings.max_span;
  options.max_words = settings.max_words;
  options.glue_order = settings.free_order ? GlueOrder::kFree : GlueOrder::kLeft;
  options.glue_limit = settings.glue_limit;
  options.glue_distortion = settings.jump_only ? GlueDistortion::kJump : GlueDistortion::kFull;
  options.table_limit = settings.table_limit;
  options.copy_unknown = settings.copy_unknown;
  return options;
}

std::vector<std::string> TargetWords(const std::vector<GrammarRule>& rules) {
  std::set<std::string> words;
  for (const GrammarRule& rule : rules)
    for (const TargetText& symbol : rule.target)
      if (symbol.nonterminal == 0) words.insert(symbol.word);
  return {words.begin(), words.end()};
}

FeatureVector RandomWeights(std::mt19937* random) {
  std::uniform_real_distribution<float> weight(-0.3f, 1);
  FeatureVector weights;
  for (float& w : weights) w = weight(*random);
  weights[kLanguageModel] = std::abs(weights[kLanguageModel]);
  weights[kUnknownWord] = 0.01f;
  return weights;
}

// A model in memory and everything a sentence needs.
class Engine {
 public:
  Engine(const SystemSpec& spec, const std::vector<GrammarRule>& rules, const SearchOptions& options,
         const FeatureVector& weights, std::unique_ptr<LanguageModel> lm)
      : model_(Config(spec, options, weights), WriteGrammar(spec, rules), std::move(lm)),
        input_(model_),
        stacks_(model_, &items_),
        search_(model_) {}

  const Hypergraph& Run(const GrammarInput& input, uint32_t alternatives = kAll) {
    sentence_ = ToSentence(input);
    input_.Build(sentence_);
    stacks_.Reset(alternatives > 1);
    const auto goals = search_.Run(&input_, StackLimits(model_.search()), &items_, &stacks_);
    WriteItemGraph(items_, stacks_,
                   {.goals = goals, .lm_weight = model_.weights()[kLanguageModel], .alternatives = alternatives},
                   input_.stop(), &graph_);
    return graph_;
  }
  const ItemStore& items() const { return items_; }
  const Model& model() const { return model_; }

 private:
  static ModelConfig Config(const SystemSpec& spec, const SearchOptions& options, const FeatureVector& weights) {
    ModelConfig config;
    config.system = spec;
    config.search = options;
    config.weights = weights;
    return config;
  }

  Model model_;
  graft::engine::GrammarInput input_;
  ItemStore items_;
  BeamStacks stacks_;
  BottomUpSearch search_;
  Sentence sentence_;
  Hypergraph graph_;
};

std::vector<float> BestScores(const Hypergraph& graph, uint32_t count) {
  KBest kbest(graph);
  std::vector<float> scores;
  std::vector<const HyperEdge*> edges;
  float score = 0;
  for (uint32_t k = 0; k < count && kbest.Get(k, &edges, &score); ++k) scores.push_back(score);
  return scores;
}

// Derivations of [X, whole sentence]: those below S → X into a complete item.
uint64_t CountX(const Engine& engine, const Hypergraph& graph) {
  std::vector<uint64_t> count(graph.nodes.size(), 0);
  for (uint32_t node = 0; node < graph.nodes.size(); ++node)
    for (const HyperEdge& edge : graph.EdgesOf(node)) {
      uint64_t ways = 1;
      for (const uint32_t tail : graph.TailsOf(edge)) ways *= count[tail];
      count[node] += ways;
    }
  uint64_t x = 0;
  for (const HyperEdge& into_goal : graph.EdgesOf(graph.goal()))
    for (const uint32_t s : graph.TailsOf(into_goal))
      for (const HyperEdge& edge : graph.EdgesOf(s))
        if (edge.kind == EdgeKind::kGlue && engine.items().glue(edge.unit).s == kNoCell)
          x += count[graph.TailsOf(edge)[0]];
  return x;
}

TEST(BottomUpTest, DerivationCountsOfThePaper) {
  std::mt19937 random(5);
  for (const PaperCount& paper : PaperCounts()) {
    if (paper.spec.search != SearchKind::kBottomUp) continue;
    const std::vector<GrammarRule> rules = PaperRules(paper, &random);
    for (const PaperGlueCount& glue : paper.glue) {
      GrammarSettings settings = glue.settings;
      settings.copy_unknown = false;
      Engine engine(paper.spec, rules, Options(settings), kDefaultWeights,
                    RandomLanguageModel(TargetWords(rules), 3, &random));
      const Hypergraph& graph = engine.Run(PaperSentence());
      EXPECT_EQ(CountDerivations(graph), glue.s) << paper.system << " limit " << settings.glue_limit;
      EXPECT_EQ(CountX(engine, graph), paper.x) << paper.system;
      if (glue.s < 20000) {
        EXPECT_EQ(BestScores(graph, kAll).size(), glue.s) << paper.system;
      }
    }
  }
}

TEST(BottomUpTest, BestScoresEqualBruteForce) {
  std::mt19937 random(17);
  const std::vector<std::string> graphs = {"tree", "dsg", "dbg"};
  for (int round = 0; round < 300; ++round) {
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    const SystemSpec spec = SpecOf("gramgbmt-b", graphs[static_cast<size_t>(below(3))],
                                   {.edge_labels = below(3) == 0, .pos = below(3) == 0});
    GrammarSettings settings;
    if (below(3) == 0) settings.max_span = 1 + below(5);
    if (below(3) == 0) settings.max_words = 1 + below(5);
    settings.free_order = below(3) == 0;
    settings.glue_limit = std::vector<int>{6, 2, 1, 0, -1}[static_cast<size_t>(below(5))];
    settings.jump_only = below(3) == 0;
    settings.table_limit = below(4) == 0 ? 1 + below(2) : 0;
    const GrammarCase c = RandomGrammarCase(spec, settings, 20000, &random);
    std::unique_ptr<LanguageModel> lm = RandomLanguageModel(TargetWords(c.rules), 2 + below(2), &random);
    const FeatureVector weights = RandomWeights(&random);
    std::vector<GrammarDerivation> all = AllGrammarDerivations(c.rules, spec, *lm, weights, c.input, settings);
    Engine engine(spec, c.rules, Options(settings), weights, std::move(lm));
    const Hypergraph& graph = engine.Run(c.input);
    ASSERT_EQ(CountDerivations(graph), all.size()) << "case " << round;
    const std::vector<float> found = BestScores(graph, 10);
    ASSERT_EQ(found.size(), std::min<size_t>(10, all.size()));
    for (size_t k = 0; k < found.size(); ++k) ASSERT_NEAR(found[k], all[k].score, 2e-3) << "case " << round;
    const std::vector<float> again = BestScores(engine.Run(c.input), 10);
    ASSERT_EQ(found, again) << "case " << round << ": the second run differs";
  }
}

// Free order with the distance of units as glue distortion is SegGBMT.
TEST(BottomUpTest, TerminalRulesInFreeOrderAreSegGbmt) {
  std::mt19937 random(23);
  const std::vector<std::string> graphs = {"tree", "dsg", "dbg"};
  int with_gaps = 0;
  for (int round = 0; round < 300; ++round) {
    const std::string graph_name = graphs[random() % 3];
    const SystemSpec gram = SpecOf("gramgbmt-b", graph_name);
    const SystemSpec seg = SpecOf("seggbmt", graph_name);
    GrammarSettings settings;
    settings.free_order = true;
    settings.glue_limit = random() % 2 == 0 ? 6 : static_cast<int>(random() % 3);
    GrammarCase c = RandomGrammarCase(gram, settings, 20000, &random);
    std::erase_if(c.rules, [](const GrammarRule& rule) {
      return std::any_of(rule.source.begin(), rule.source.end(), [](const SourceText& s) { return s.nonterminal; });
    });
    if (c.rules.empty()) continue;
    const unsigned lm_seed = static_cast<unsigned>(random());
    auto lm = [&] {
      std::mt19937 same(lm_seed);
      return RandomLanguageModel(TargetWords(c.rules), 3, &same);
    };
    FeatureVector weights = RandomWeights(&random);
    weights[kGap] = weights[kGlue] = 0;
    Engine engine(gram, c.rules, Options(settings), weights, lm());
    const Hypergraph& graph = engine.Run(c.input);

    ModelConfig config;
    config.system = seg;
    config.search = Options(settings);
    config.search.distortion_limit = settings.glue_limit;
    config.weights = weights;
    config.weights[kJump] = config.weights[kGap] = weights[kGlueDistortion];
    Model model(config, WriteGrammar(seg, c.rules), lm());
    OptionSet options(model);
    const Sentence sentence = ToSentence(c.input);
    options.Build(sentence);
    LeftToRightSearch left_to_right(model);
    const Hypergraph& expected = left_to_right.Run(options, kAll);
    for (const Unit& unit : options.units()) with_gaps += unit.contiguous() ? 0 : 1;

    ASSERT_EQ(CountDerivations(graph), CountDerivations(expected)) << "case " << round;
    const std::vector<float> found = BestScores(graph, 50), wanted = BestScores(expected, 50);
    ASSERT_EQ(found.size(), wanted.size());
    for (size_t k = 0; k < found.size(); ++k) ASSERT_NEAR(found[k], wanted[k], 2e-4) << "case " << round;
  }
  EXPECT_GT(with_gaps, 100);
}

// A sentence of the case's words and others that no rule knows.
GrammarInput LongSentence(const GrammarInput& from, size_t length, std::mt19937* random) {
  GrammarInput input;
  for (size_t i = 0; i < length; ++i) {
    const bool unseen = (*random)() % 4 == 0;
    const size_t word = (*random)() % from.words.size();
    input.words.push_back(unseen ? "never" + std::to_string(i) : from.words[word]);
    input.tags.push_back(unseen ? "UNSEEN" : from.tags[word]);
    input.heads.push_back(i == 0 ? 0 : static_cast<int>(i));
  }
  return input;
}

TEST(BottomUpTest, ATranslationExistsUnderAnyPruning) {
  std::mt19937 random(31);
  const std::vector<std::string> graphs = {"tree", "dsg", "dbg"};
  for (int round = 0; round < 400; ++round) {
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    const SystemSpec spec = SpecOf("gramgbmt-b", graphs[static_cast<size_t>(below(3))],
                                   {.edge_labels = below(3) == 0, .pos = below(3) == 0});
    const GrammarCase c = RandomGrammarCase(spec, {}, 20000, &random);
    SearchOptions options;
    options.beam = 1 + below(3);
    options.pop_limit = 1 + below(10);
    options.threshold = std::vector<double>{0, 1e-5, 0.5, 1}[static_cast<size_t>(below(4))];
    options.table_limit = 1 + below(3);
    options.max_span = below(2) == 0 ? 1 + below(4) : 20;
    options.max_words = below(2) == 0 ? 1 + below(4) : 20;
    options.glue_limit = below(2) == 0 ? 0 : below(8) - 1;
    options.glue_order = below(2) == 0 ? GlueOrder::kLeft : GlueOrder::kFree;
    options.active_limit = below(2) == 0 ? 0 : 1 + below(5);
    FeatureVector weights = kDefaultWeights;
    if (below(2) == 0) weights = RandomWeights(&random);
    Engine engine(spec, c.rules, options, weights, RandomLanguageModel(TargetWords(c.rules), 3, &random));
    const GrammarInput input = LongSentence(c.input, 1 + static_cast<size_t>(below(30)), &random);
    const Hypergraph& graph = engine.Run(input, 1 + static_cast<uint32_t>(below(2)) * 99);
    ASSERT_GT(CountDerivations(graph), 0u) << "case " << round << ", " << input.words.size() << " words";
  }
}

// What is pruned is not better than what is found without pruning.
TEST(BottomUpTest, PruningNeverGainsScore) {
  std::mt19937 random(37);
  const SystemSpec spec = SpecOf("gramgbmt-b", "dsg");
  for (int round = 0; round < 100; ++round) {
    const GrammarCase c = RandomGrammarCase(spec, {}, 20000, &random);
    const unsigned lm_seed = static_cast<unsigned>(random());
    float unpruned = 0;
    for (const int beam : {0, 20, 3, 1}) {
      std::mt19937 same(lm_seed);
      SearchOptions options = Options({});
      options.beam = options.active_limit = beam;
      options.pop_limit = 5 * beam;
      Engine engine(spec, c.rules, options, kDefaultWeights, RandomLanguageModel(TargetWords(c.rules), 3, &same));
      const std::vector<float> best = BestScores(engine.Run(c.input, 1), 1);
      ASSERT_EQ(best.size(), 1u);
      if (beam == 0) unpruned = best[0];
      EXPECT_LE(best[0], unpruned + 2e-4f) << "case " << round << ", beam " << beam;
    }
  }
}

}  // namespace
}  // namespace graft::engine::fixtures
