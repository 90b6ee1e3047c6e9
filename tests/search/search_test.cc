// Search against exhaustive enumeration: with pruning off, the number of derivations, the best score and the ten best
// scores are those of brute force.
#include <gtest/gtest.h>

#include <random>

#include "graph/projectivise.h"
#include "search/brute_search.h"
#include "search/kbest.h"
#include "search/left_to_right.h"
#include "search/translator.h"
#include "support/small_model.h"
#include "support/specs.h"

namespace graft::engine::fixtures {
namespace {

std::vector<std::string> Words(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

// The running example of the paper; links are 1-based as printed there.
struct PaperExample {
  std::vector<std::string> source = Words("2010nian FIFA shijiebei zai Nanfei chenggong juxing");
  std::vector<int> heads = {3, 3, 7, 7, 4, 7, 0};
  std::vector<std::string> target = Words("2010 FIFA World Cup was held successfully in South Africa");
  std::vector<WordLink> links;
};
PaperExample Paper(char variant) {
  PaperExample example;
  for (auto [i, j] : std::vector<std::pair<int, int>>{
           {1, 1}, {2, 2}, {3, 3}, {3, 4}, {4, 8}, {5, 9}, {5, 10}, {6, 7}, {7, 5}, {7, 6}}) {
    if (variant != 'A' && i == 7 && j == 5) continue;
    if (variant == 'C' && i == 4) continue;
    example.links.push_back({static_cast<uint16_t>(i - 1), static_cast<uint16_t>(j - 1)});
  }
  return example;
}

Sentence MakeSentence(const std::vector<std::string>& words, const std::vector<int>& heads) {
  Sentence sentence;
  sentence.tokens = words;
  sentence.heads = heads;
  sentence.tags.assign(words.size(), "X");
  sentence.relations.assign(words.size(), "dep");
  return sentence;
}

uint64_t DerivationsOf(const SystemSpec& spec, char variant, int distortion_limit, SearchAlgorithm algorithm) {
  std::mt19937 random(7);
  const PaperExample example = Paper(variant);
  RuleBook book(spec);
  book.AddRulesOf(example.source, example.heads, example.target, example.links, &random);
  ModelConfig config;
  config.system = spec;
  config.search = NoPruning();
  config.search.algorithm = algorithm;
  config.search.distortion_limit = distortion_limit;
  config.search.copy_unknown = false;
  const Model model(config, book.Write(), RandomLanguageModel(Words("World Cup was held in"), 2, &random));
  OptionSet options(model);
  const Sentence sentence = MakeSentence(example.source, example.heads);
  options.Build(sentence);
  LeftToRightSearch search(model);
  const Hypergraph& graph = search.Run(options, 1'000'000);
  const uint64_t counted = CountDerivations(graph);
  KBest kbest(graph);  // the list is exhausted after exactly as many
  std::vector<const HyperEdge*> edges;
  float score = 0;
  float last = INFINITY;
  uint32_t listed = 0;
  for (; kbest.Get(listed, &edges, &score); ++listed) {
    EXPECT_LE(score, last);
    last = score;
  }
  EXPECT_EQ(listed, counted);
  return counted;
}

struct CountCase {
  SystemSpec spec;
  char variant;
  std::array<uint64_t, 3> expected;  // distortion limits 0, 2, 6
};

class DerivationCount : public ::testing::TestWithParam<SearchAlgorithm> {};

TEST_P(DerivationCount, EqualsThePapersExample) {
  const std::vector<CountCase> cases = {
      {SpecOf("pbmt"), 'A', {24, 415, 8954}},
      {SpecOf("sdtu"), 'A', {59, 770, 11730}},
      {SpecOf("tbmt"), 'A', {32, 517, 9166}},
      {SpecOf("seggbmt", "tree"), 'A', {32, 517, 9166}},
      {SpecOf("seggbmt", "dsg"), 'A', {59, 770, 11730}},
      {SpecOf("seggbmt", "dbg"), 'A', {51, 671, 10572}},
      {SpecOf("seggbmt", "dbg"), 'C', {388, 3505, 40516}},
  };
  for (const CountCase& c : cases)
    for (int i = 0; i < 3; ++i)
      EXPECT_EQ(DerivationsOf(c.spec, c.variant, std::array{0, 2, 6}[i], GetParam()), c.expected[i])
          << c.spec.name << " " << GraphName(c.spec.graph) << " " << c.variant << " limit " << std::array{0, 2, 6}[i];
}
INSTANTIATE_TEST_SUITE_P(Algorithms, DerivationCount,
                         ::testing::Values(SearchAlgorithm::kCube, SearchAlgorithm::kExhaustive));

// Rules trained on one graph, matched on another: extra sibling or bigram edges make an induced subgraph another rule.
TEST(OptionCount, ObeysInducedSubgraphs) {
  const std::vector<std::string> graphs = {"tree", "dsg", "dbg"};
  const int expected[3][3] = {{21, 14, 14}, {14, 24, 17}, {14, 17, 23}};
  const PaperExample example = Paper('A');
  for (int train = 0; train < 3; ++train) {
    std::mt19937 random(1);
    RuleBook book(SpecOf("seggbmt", graphs[train]));
    book.AddRulesOf(example.source, example.heads, example.target, example.links, &random);
    const RuleTable table = book.Write();
    for (int input = 0; input < 3; ++input) {
      const DependencyGraph graph(SpecOf("seggbmt", graphs[input]).graph, 7, example.heads);
      std::vector<WordId> ids;
      for (const std::string& word : example.source) ids.push_back(table.FindSource(word));
      std::vector<UnitMatch> matches;
      UnitMatcher(table).Match(ids, graph, 20, &matches);
      int options = 0;
      std::vector<TableEntry> entries;
      for (const UnitMatch& match : matches) {
        table.ReadEntries(match.node, &entries);
        options += static_cast<int>(entries.size());
      }
      EXPECT_EQ(options, expected[train][input]) << "trained on " << graphs[train] << ", matched on " << graphs[input];
    }
  }
}

// The features of the paper's worked example: units {3,4,5}, {1,2,6}, {7}.
TEST(Features, JumpAndGapOfThePapersFigure) {
  std::mt19937 random(3);
  const std::vector<std::string> source = Words("a b c d e f g");
  const std::vector<int> heads = {0, 1, 2, 3, 4, 5, 6};
  RuleBook book(SpecOf("sdtu"));
  auto unit = [&](const std::vector<int>& positions, const std::string& target) {
    BookRule rule;
    for (size_t k = 0; k < positions.size(); ++k)
      rule.source.push_back(
          {book.Source(source[positions[k] - 1]), k > 0 && positions[k] > positions[k - 1] + 1 ? 1u : 0u});
    rule.target = {TargetWord(book.Target(target))};
    rule.links = {{0, 0}};
    book.Add(rule);
  };
  unit({3, 4, 5}, "x");
  unit({1, 2, 6}, "y");
  unit({7}, "z");
  ModelConfig config;
  config.system = book.spec();
  config.search.copy_unknown = false;
  const Model model(config, book.Write(), RandomLanguageModel(Words("x y z"), 2, &random));
  Translator translator(model);
  const Sentence sentence = MakeSentence(source, heads);
  const auto forced = translator.Force(sentence, {Words("x y z")}, 1000);
  ASSERT_EQ(forced[0].result, ForcedResult::kDerived);
  const auto& steps = forced[0].best.derivation;
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(std::vector<float>({steps[0].features[kJump], steps[0].features[kGap]}), std::vector<float>({-2, 0}));
  EXPECT_EQ(std::vector<float>({steps[1].features[kJump], steps[1].features[kGap]}), std::vector<float>({-5, -3}));
  EXPECT_EQ(std::vector<float>({steps[2].features[kJump], steps[2].features[kGap]}), std::vector<float>({0, 0}));
}

// A random sentence with its tree, and rules from it and from other random pairs over the same few words.
class RandomCases : public ::testing::TestWithParam<std::tuple<std::string, std::string, bool>> {
 protected:
  void Run(uint32_t seed, int cases);
};

void RandomCases::Run(uint32_t seed, int cases) {
  const auto& [name, graph_name, labels] = GetParam();
  const SystemSpec spec = SpecOf(name, graph_name, {.edge_labels = labels});
  std::mt19937 random(seed);
  auto below = [&](int n) { return static_cast<int>(random() % static_cast<uint32_t>(n)); };
  int with_gap = 0;
  for (int c = 0; c < cases; ++c) {
    const std::vector<std::string> source_words = {"a", "b", "c", "d", "unseen"};
    const std::vector<std::string> target_words = {"x", "y", "z"};
    auto random_heads = [&](int n) {
      std::vector<int> order(n), heads(n, 0);
      for (int i = 0; i < n; ++i) order[i] = i + 1;
      std::shuffle(order.begin(), order.end(), random);
      for (int i = 1; i < n; ++i) heads[order[i] - 1] = below(6) == 0 ? 0 : order[below(i)];
      Projectivise(&heads);
      return heads;
    };
    RuleBook book(spec);
    const int n = 1 + below(5);
    std::vector<std::string> source;
    for (int i = 0; i < n; ++i) source.push_back(source_words[below(12) == 0 ? 4 : below(4)]);
    const std::vector<int> heads = random_heads(n);
    for (int pair = 0; pair < 2; ++pair) {
      std::vector<std::string> words = source;
      std::vector<int> tree = heads;
      if (pair > 0) {
        words.clear();
        for (int i = 0, m = 1 + below(4); i < m; ++i) words.push_back(source_words[below(4)]);
        tree = random_heads(static_cast<int>(words.size()));
      }
      std::vector<std::string> target;
      for (int j = 0, m = 1 + below(4); j < m; ++j) target.push_back(target_words[below(3)]);
      std::vector<WordLink> links;
      for (size_t i = 0; i < words.size(); ++i)
        if (words[i] != "unseen" && below(5) > 0)
          links.push_back({static_cast<uint16_t>(i), static_cast<uint16_t>(below(static_cast<int>(target.size())))});
      book.AddRulesOf(words, tree, target, links, &random);
    }
    ModelConfig config;
    config.system = spec;
    config.search = NoPruning();
    config.search.algorithm = below(2) == 0 ? SearchAlgorithm::kCube : SearchAlgorithm::kExhaustive;
    config.search.distortion_limit = below(5);
    config.search.max_span = 2 + below(5);
    BruteSettings settings;
    settings.distortion_limit = config.search.distortion_limit;
    settings.max_span = config.search.max_span;
    if (name == "pbmt" && below(2) == 0) {
      config.search.distortion_rule = DistortionRule::kMoses;
      settings.moses_rule = true;
    }
    std::uniform_real_distribution<float> weight(0.05f, 1.0f);
    for (float& w : config.weights) w = weight(random);
    config.weights[kWordPenalty] *= -1;
    config.weights[kRulePenalty] *= below(2) == 0 ? 1.0f : -1.0f;
    const Model model(config, book.Write(), RandomLanguageModel({"x", "y", "z", "unseen"}, 2 + below(3), &random));
    const auto expected = AllDerivations(book, model.lm(), config.weights, source, heads, settings);
    Translator translator(model);
    const Sentence sentence = MakeSentence(source, heads);
    const auto found = translator.Translate(sentence, {.nbest = 10});
    ASSERT_EQ(found.size(), std::min<size_t>(10, expected.size())) << "case " << c;
    for (size_t k = 0; k < found.size(); ++k) {
      ASSERT_NEAR(found[k].score, expected[k].score, 2e-3) << "case " << c << " rank " << k;
      ASSERT_NEAR(Dot(config.weights, found[k].features), found[k].score, 2e-3);
    }
    for (const DerivationStep& step : found[0].derivation) with_gap += step.features[kGap] < 0 ? 1 : 0;
    // Forced decoding of the best string finds its best derivation.
    const auto forced = translator.Force(sentence, {found[0].tokens, {"nowhere"}}, 1'000'000);
    ASSERT_EQ(forced[0].result, ForcedResult::kDerived);
    ASSERT_NEAR(forced[0].best.score, expected[0].score, 2e-3);
    ASSERT_EQ(forced[1].result, ForcedResult::kNotDerivable);
  }
  if (spec.has_gap_feature()) {
    EXPECT_GT(with_gap, 0) << "no best derivation used a gap: the cases are too easy";
  }
}

TEST_P(RandomCases, EqualBruteForce) { Run(20260, 2000); }

INSTANTIATE_TEST_SUITE_P(Systems, RandomCases,
                         ::testing::Values(std::tuple("pbmt", "", false), std::tuple("sdtu", "", false),
                                           std::tuple("tbmt", "", false), std::tuple("seggbmt", "tree", false),
                                           std::tuple("seggbmt", "dsg", false), std::tuple("seggbmt", "dbg", false),
                                           std::tuple("seggbmt", "dbg", true), std::tuple("seggbmt-union", "", false)),
                         [](const auto& test) {
                           std::string name = std::get<0>(test.param) + std::get<1>(test.param) +
                                              (std::get<2>(test.param) ? "Labels" : "");
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace graft::engine::fixtures
