// Searches without pruning against exhaustive enumeration (search/): the first bytes decide about system and limits,
// the others about the sentence, its rules and scores.
#include <cmath>
#include <random>

#include "fuzz/fuzz_target.h"
#include "graph/projectivise.h"
#include "search/brute_forest.h"
#include "search/brute_search.h"
#include "search/grammar_cases.h"
#include "search/translator.h"
#include "support/small_model.h"
#include "support/specs.h"

namespace graft::engine::fuzz {
namespace {

using namespace fixtures;  // NOLINT(google-build-using-namespace): all of it is theirs

constexpr double kTolerance = 2e-3;  // of sums of floats

FeatureVector DrawWeights(std::mt19937* random) {
  std::uniform_real_distribution<float> weight(0.05f, 1.0f);
  FeatureVector weights;
  for (float& w : weights) w = weight(*random);
  weights[kWordPenalty] *= -1;
  return weights;
}

// Cube pruning with limits that are never reached finds what exhaustive search finds, in the same order of scores.
template <class Derivation>
void Compare(ModelConfig config, const std::function<RuleTable()>& table, const std::string& arpa,
             const Sentence& sentence, const std::function<std::vector<Derivation>(const LanguageModel&)>& brute) {
  const std::string path = WriteScratch("search.arpa", arpa);
  for (const SearchAlgorithm algorithm : {SearchAlgorithm::kCube, SearchAlgorithm::kExhaustive}) {
    config.search.algorithm = algorithm;
    const Model model(config, table(), LanguageModel::Load(path));
    const std::vector<Derivation> expected = brute(model.lm());
    Translator translator(model);
    std::vector<Translation> found;
    const bool taken = Accepts([&] { found = translator.Translate(sentence, {.nbest = 20}); });
    Require(taken == !expected.empty(), "a derivation where there is none, or none where there is one");
    Require(found.size() == std::min<size_t>(20, expected.size()), "another number of derivations");
    for (size_t k = 0; k < found.size(); ++k) {
      Require(std::abs(found[k].score - expected[k].score) < kTolerance, "another score than the best there is");
      Require(std::abs(Dot(config.weights, found[k].features) - found[k].score) < kTolerance,
              "features that do not make the score");
    }
  }
}

// Left to right: rules are those of a pair drawn from the bytes.
void RunUnits(ByteSource* source) {
  static const std::vector<std::pair<const char*, const char*>> systems = {
      {"pbmt", ""}, {"sdtu", ""}, {"tbmt", ""}, {"seggbmt", "dsg"}, {"seggbmt", "dbg"}, {"seggbmt-union", ""}};
  const auto& [name, graph] = systems[static_cast<size_t>(source->Below(static_cast<int>(systems.size())))];
  const SystemSpec spec = SpecOf(name, graph);
  ModelConfig config;
  config.system = spec;
  config.search = NoPruning();
  config.search.distortion_limit = source->Below(5);
  config.search.max_span = 2 + source->Below(5);
  const BruteSettings settings{.distortion_limit = config.search.distortion_limit, .max_span = config.search.max_span};
  static const std::vector<std::string> words = {"a", "b", "c", "unseen"};
  const int n = 1 + source->Below(5), m = 1 + source->Below(4);
  Sentence sentence;
  std::vector<std::string> target;
  std::vector<WordLink> links;
  for (int i = 0; i < n; ++i) {
    const uint8_t byte = source->Byte();
    sentence.tokens.push_back(words[byte % words.size()]);
    sentence.heads.push_back(i == 0 ? 0 : byte / 4 % (i + 1));  // to an earlier word, or a root
    if (sentence.tokens.back() == "unseen") continue;
    for (int j = 0; j < m; ++j)
      if ((source->Byte() & 3) == 0) links.push_back({static_cast<uint16_t>(i), static_cast<uint16_t>(j)});
  }
  for (int j = 0; j < m; ++j) target.push_back(std::string(1, static_cast<char>('x' + source->Below(3))));
  Projectivise(&sentence.heads);
  sentence.tags.assign(sentence.tokens.size(), "X");
  sentence.relations.assign(sentence.tokens.size(), "dep");
  std::mt19937 random(source->Seed());
  RuleBook book(spec);
  book.AddRulesOf(sentence.tokens, sentence.heads, target, links, &random);
  if (book.rules().empty()) return;
  config.weights = DrawWeights(&random);
  const std::string arpa = RandomArpa({"x", "y", "z", "unseen"}, 2 + source->Below(3), &random);
  Compare<BruteTranslation>(
      config, [&] { return book.Write(); }, arpa, sentence,
      [&](const LanguageModel& lm) {
        return AllDerivations(book, lm, config.weights, sentence.tokens, sentence.heads, settings);
      });
}

void RunGrammar(ByteSource* source) {
  SystemOptions options;
  static const char* const names[] = {"hpbmt", "serg", "gramgbmt-c", "gramgbmt-b"};
  static const char* const graphs[] = {"tree", "dsg", "dbg"};
  const std::string name = names[source->Below(4)];
  options["name"] = name;
  options["adjacent_nt"] = source->Coin();
  if (name.starts_with("gram")) {
    options["graph"] = graphs[source->Below(3)];
    options["edge_labels"] = source->Coin();
  }
  if (name != "hpbmt") options["pos"] = source->Coin();
  const SystemSpec spec = MakeSystemSpec(options);
  GrammarSettings settings;
  settings.max_span = 1 + source->Below(8);
  settings.table_limit = source->Below(3);
  if (spec.search == SearchKind::kBottomUp) {
    settings.max_words = 1 + source->Below(8);
    settings.glue_limit = source->Below(5) - 1;
    settings.free_order = source->Coin();
    settings.jump_only = source->Coin();
  }
  std::mt19937 random(source->Seed());
  const GrammarCase test = RandomGrammarCase(spec, settings, 1000, &random);
  ModelConfig config;
  config.system = spec;
  config.weights = DrawWeights(&random);
  config.search = NoPruning();
  config.search.table_limit = settings.table_limit;
  config.search.max_span = settings.max_span;
  config.search.max_words = settings.max_words;
  config.search.glue_limit = settings.glue_limit;
  config.search.glue_order = settings.free_order ? GlueOrder::kFree : GlueOrder::kLeft;
  config.search.glue_distortion = settings.jump_only ? GlueDistortion::kJump : GlueDistortion::kFull;
  const std::string arpa = RandomArpa({"x", "y", "z", "unseen"}, 2 + source->Below(3), &random);
  Compare<GrammarDerivation>(
      config, [&] { return WriteGrammar(spec, test.rules); }, arpa, ToSentence(test.input),
      [&](const LanguageModel& lm) {
        return AllGrammarDerivations(test.rules, spec, lm, config.weights, test.input, settings);
      });
}

void RunForest(ByteSource* source) {
  const bool blocks = source->Coin();
  const SystemSpec spec =
      MakeSystemSpec({{"name", "dep2str"}, {"blocks", blocks}, {"floating", blocks && source->Coin()}});
  std::mt19937 random(source->Seed());
  const GrammarInput input = RandomGrammarSentence(true, &random);
  std::vector<GrammarRule> rules;
  for (GrammarRule rule : ForestSources(spec, input)) {
    if (random() % 3 != 0) continue;
    bool known = true;
    int variables = 0;
    for (const SourceText& symbol : rule.source) {
      known = known && symbol.text.find("unseen") == std::string::npos;
      if (symbol.nonterminal) rule.target.push_back({"", ++variables});
    }
    if (!known) continue;
    if (variables == 0 || random() % 2 == 0) rule.target.push_back({std::string(1, "xyz"[random() % 3]), 0});
    rule.scores = RandomScores(&random);
    rules.push_back(std::move(rule));
  }
  const ForestSettings settings;
  while (!rules.empty() && CountForestDerivations(rules, spec, input, settings) > 500) rules.pop_back();
  ModelConfig config;
  config.system = spec;
  config.weights = DrawWeights(&random);
  config.search = NoPruning();
  const std::string arpa = RandomArpa({"x", "y", "z", "unseen"}, 2 + source->Below(3), &random);
  Compare<GrammarDerivation>(
      config, [&] { return WriteGrammar(spec, rules); }, arpa, ToSentence(input),
      [&](const LanguageModel& lm) { return AllForestDerivations(rules, spec, lm, config.weights, input, settings); });
}

void Run(std::string_view bytes) {
  ByteSource source(bytes);
  switch (source.Below(3)) {
    case 0: RunUnits(&source); break;
    case 1: RunGrammar(&source); break;
    default: RunForest(&source);
  }
}

const bool registered = Register({"search", "cube pruning without limits against exhaustive search", Run, 64});

}  // namespace
}  // namespace graft::engine::fuzz
