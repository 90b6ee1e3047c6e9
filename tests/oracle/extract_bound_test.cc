// The bound on the rules of one pair: what is kept of a pair beyond it, against brute force and against extraction
// without a bound; and that the worst pairs there are cost little.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <functional>
#include <map>
#include <ostream>
#include <random>
#include <utility>

#include "graft/error.h"
#include "oracle/brute_force.h"
#include "oracle/examples.h"
#include "oracle/setting.h"
#include "support/cpu_time.h"

namespace graft::engine::oracle {
namespace {

constexpr uint64_t kBound = kLeastMaxPairRules;

const Setting kUnitSettings[] = {{"Pbmt", "pbmt", "", false},
                                 {"Sdtu", "sdtu", "", false},
                                 {"Tbmt", "tbmt", "", false},
                                 {"SegGbmtTree", "seggbmt", "tree", false},
                                 {"SegGbmtDsg", "seggbmt", "dsg", false},
                                 {"SegGbmtDbgLabels", "seggbmt", "dbg", true},
                                 {"SegGbmtUnion", "seggbmt-union", "", false}};
const Setting kOtherSettings[] = {{"Hpbmt", "hpbmt", "", false},
                                  {"Serg", "serg", "", false},
                                  {"GramGbmtBTree", "gramgbmt-b", "tree", false},
                                  {"GramGbmtBDbg", "gramgbmt-b", "dbg", false},
                                  {"GramGbmtCDsg", "gramgbmt-c", "dsg", false},
                                  {"Dep2Str", "dep2str", "", false}};

std::vector<Setting> AllSettings() {
  std::vector<Setting> all(std::begin(kUnitSettings), std::end(kUnitSettings));
  all.insert(all.end(), std::begin(kOtherSettings), std::end(kOtherSettings));
  return all;
}

int Below(int end, std::mt19937_64* random) { return static_cast<int>((*random)() % static_cast<uint64_t>(end)); }

// A projective tree over all words and few links, most of them one to one.
Example HardlyAligned(int words, int links, std::mt19937_64* random) {
  Example example;
  const int shape = Below(3, random);  // a star, a chain, something between
  const int top = Below(words, random);
  for (int w = 0; w < words; ++w) {
    example.source.push_back("s" + std::to_string(Below(5, random)));
    example.target.push_back("t" + std::to_string(Below(5, random)));
    example.tags.push_back("T" + std::to_string(Below(2, random)));
    const int towards_top = w < top ? w + 2 : w;
    const bool direct = shape == 0 || (shape == 2 && Below(2, random) == 0);
    example.heads.push_back(w == top ? 0 : direct ? top + 1 : towards_top);
  }
  for (int k = 0; k < links; ++k) {
    const std::pair<int, int> link(Below(words, random), Below(words, random));
    if (std::find(example.links.begin(), example.links.end(), link) == example.links.end())
      example.links.push_back(link);
  }
  return example;
}

// Where a size is the words of the longer side of the pair that a rule is made of.
std::vector<Setting> SettingsOfWords() {
  std::vector<Setting> settings = AllSettings();
  std::erase_if(settings, [](const Setting& setting) { return std::string(setting.system) == "dep2str"; });
  return settings;
}

// As documented: the units, or initial pairs, of so many words on a side as fit, found with the definition for each
// length.
TEST(ExtractBoundTest, RulesAreThoseOfTheGreatestLengthThatFitsByBruteForce) {
  std::mt19937_64 random(13);
  const std::vector<Setting> settings = SettingsOfWords();
  int bounded = 0, examples = 0;
  for (; examples < 100; ++examples) {
    const Setting& setting = settings[static_cast<size_t>(examples) % settings.size()];
    Example example = HardlyAligned(11, 1 + Below(4, &random), &random);
    if (examples % 3 == 0)
      for (int w = 0; w < 11; ++w)
        if (w % 5 != 3) example.links.emplace_back(w, w);
    std::sort(example.links.begin(), example.links.end());
    example.links.erase(std::unique(example.links.begin(), example.links.end()), example.links.end());
    SystemOptions options = setting.options();
    std::vector<RuleLine> expected;
    for (int length = 1; length <= MakeSystemSpec(setting.options()).max_length; ++length) {
      options["max_length"] = length;
      std::vector<RuleLine> rules = BruteForceExtract(example, MakeSystemSpec(options));
      if (rules.size() > kBound) {
        ++bounded;
        break;
      }
      expected = std::move(rules);
    }
    ASSERT_TRUE(BoundedExtract(example, MakeSystemSpec(setting.options()), kBound) == expected)
        << setting.test_name << ToString(example);
  }
  EXPECT_GT(bounded, examples / 4) << "the bound is hardly ever met";
}

// Rules by size, and how many of them fit: whole sizes only, of each the first words as well as the last.
TEST(ExtractBoundTest, RulesOfAllSystemsAreThoseOfWholeSizes) {
  std::mt19937_64 random(17);
  for (const Setting& setting : SettingsOfWords()) {
    const SystemSpec spec = MakeSystemSpec(setting.options());
    LabelNumbers labels;
    for (const int words : {20, 60, kMaxSentenceWords}) {
      Example example = HardlyAligned(words, 0, &random);
      for (int w = 0; w < words; ++w)
        if (words < 100 || Below(20, &random) > 0) example.links.emplace_back(w, w);
      Vocabulary source_words, target_words;
      const IndexedPair pair = Index(example, spec, &source_words, &target_words);
      std::map<int, uint64_t> of_size;
      const auto count = [&](const RuleOccurrence&, const UnitPair& where) {
        ++of_size[std::max(where.unit.size(), where.target_last - where.target_first + 1)];
      };
      RuleExtractor(spec, &labels).Extract(pair, count);
      const std::map<int, uint64_t> all = std::exchange(of_size, {});
      for (const uint64_t bound : {kBound, uint64_t{600}, uint64_t{1500}, uint64_t{5000}}) {
        std::map<int, uint64_t> expected;
        uint64_t fit = 0;
        for (auto size = all.begin(); size != all.end() && fit + size->second <= bound; ++size) {
          expected.insert(*size);
          fit += size->second;
        }
        EXPECT_EQ(RuleExtractor(spec, &labels, bound).Extract(pair, count), expected.size() == all.size());
        ASSERT_EQ(std::exchange(of_size, {}), expected) << setting.test_name << ", " << words << " words, " << bound;
      }
    }
  }
}

class ExtractBoundOracleTest : public testing::TestWithParam<Setting> {};

TEST_P(ExtractBoundOracleTest, RulesUnderTheBoundAreSomeOfAllAndAllWhereTheyFit) {
  std::mt19937_64 random(31);
  const SystemSpec spec = MakeSystemSpec(GetParam().options());
  int bounded = 0;
  Vocabulary source_words, target_words;
  LabelNumbers labels;
  RuleExtractor kept_extractor(spec, &labels, kBound);  // one for all, as threads have it
  for (int i = 0; i < 150; ++i) {
    const int words = 6 + Below(22, &random);
    Example example = HardlyAligned(words, 1 + Below(i % 2 == 0 ? 6 : 2 * words, &random), &random);
    if (i % 3 == 0) {  // as aligners do it, but for some words
      example.links.clear();
      for (int w = 0; w < words; ++w)
        if (w % 4 != i % 5) example.links.emplace_back(w, w);
    }
    std::sort(example.links.begin(), example.links.end());
    example.links.erase(std::unique(example.links.begin(), example.links.end()), example.links.end());
    const std::vector<RuleLine> all = BoundedExtract(example, spec, uint64_t{100'000});
    const std::vector<RuleLine> kept = BoundedExtract(example, spec, kBound);
    ASSERT_LE(kept.size(), kBound);
    ASSERT_TRUE(std::includes(all.begin(), all.end(), kept.begin(), kept.end())) << ToString(example);
    if (all.size() <= kBound) {
      ASSERT_TRUE(kept == all) << ToString(example);
    }
    bounded += all.size() > kBound ? 1 : 0;
    std::vector<RuleLine> again;
    const bool complete = kept_extractor.Extract(
        Index(example, spec, &source_words, &target_words), [&](const RuleOccurrence& rule, const UnitPair&) {
          again.push_back(Line(rule, spec, source_words, target_words, labels));
        });
    std::sort(again.begin(), again.end());
    ASSERT_TRUE(again == kept) << "what came before makes a difference";
    ASSERT_EQ(complete, kept == all) << ToString(example);
  }
  EXPECT_GT(bounded, 5) << "the bound is hardly ever met";
}

INSTANTIATE_TEST_SUITE_P(Systems, ExtractBoundOracleTest, testing::ValuesIn(AllSettings()),
                         [](const auto& param_info) { return std::string(param_info.param.test_name); });

// A tree and links by name, of a pair with so many words on each side.
struct Shape {
  const char* name;
  std::function<int(int word, int words)> head;  // 1-based, 0 = root
};
struct Links {
  const char* name;
  std::function<bool(int i, int j, int words)> linked;
};

const Shape kShapes[] = {
    {"chain", [](int w, int) { return w; }},
    {"star", [](int w, int words) { return w == words / 2 ? 0 : words / 2 + 1; }},
    {"heap", [](int w, int) { return w == 0 ? 0 : (w - 1) / 2 + 1; }},
    {"combs", [](int w, int) { return w == 0       ? 0
                                      : w % 8 == 0 ? w - 7
                                                   : w / 8 * 8 + 1; }},
};
const Links kLinks[] = {
    {"one", [](int i, int j, int words) { return i == words / 2 && j == words / 2; }},
    {"ends", [](int i, int j, int words) { return i == j && (i == 0 || i == words - 1); }},
    {"diagonal", [](int i, int j, int) { return i == j; }},
    {"reversed", [](int i, int j, int words) { return i + j + 1 == words; }},
    {"every 3rd", [](int i, int j, int) { return i == j && i % 3 == 1; }},
    {"every 5th", [](int i, int j, int) { return i == j && i % 5 == 2; }},
    {"every 8th", [](int i, int j, int) { return i == j && i % 8 == 3; }},
    {"every 10th", [](int i, int j, int) { return i == j && i % 10 == 6; }},
    {"every 16th, two words", [](int i, int j, int) { return j % 16 == 4 && (i == j || i == j + 3); }},
    {"every 2nd to one in 20", [](int i, int j, int) { return i % 2 == 0 && j == i / 14 * 14 + 10; }},
    {"one to all", [](int i, int, int words) { return i == words / 2; }},
    {"all to one", [](int, int j, int words) { return j == words / 2; }},
    {"crossing", [](int i, int j, int) { return (i ^ 1) == j && i % 6 < 2; }},
    {"random", [](int i, int j, int) { return (i * 7919 + j * 104729 + i * j * 31) % 997 < 3; }},
    {"all", [](int i, int j, int words) { return words <= 60 && i >= 0 && j >= 0; }},
};

IndexedPair WorstPair(const Shape& shape, const Links& links, int words) {
  IndexedPair pair;
  for (int w = 0; w < words; ++w) {
    pair.source.push_back(static_cast<WordId>(w));
    pair.target.push_back(static_cast<WordId>(w));
    pair.heads.push_back(shape.head(w, words));
    pair.tags.push_back(w % 3 == 0 ? "A" : "B");
    pair.words.push_back("w" + std::to_string(w));
    for (int j = 0; j < words; ++j)
      if (links.linked(w, j, words)) pair.links.push_back({static_cast<uint16_t>(w), static_cast<uint16_t>(j)});
  }
  return pair;
}

long PeakMegabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

// The largest limits that a system has.
SystemSpec Greediest(const Setting& setting) {
  SystemOptions options = setting.options();
  const std::string name = setting.system;
  options["max_length"] = setting.edge_labels ? 8 : 16;
  if (name == "hpbmt" || name == "serg" || name.starts_with("gramgbmt")) {
    options["max_symbols"] = 16;
    options["mgs"] = 1;
    options["adjacent_nt"] = true;
  }
  if (name == "sdtu") options["max_extract_span"] = 0;
  if (name == "dep2str") {
    options["max_symbols"] = 15;
    options["floating"] = true;
  }
  return MakeSystemSpec(options);
}

TEST_P(ExtractBoundOracleTest, TheWorstPairsTakeLittleTimeAndMemory) {
  const long memory_before = PeakMegabytes();
  for (const SystemSpec& spec : {MakeSystemSpec(GetParam().options()), Greediest(GetParam())}) {
    LabelNumbers labels;
    RuleExtractor extractor(spec, &labels);
    for (const Shape& shape : kShapes) {
      for (const Links& links : kLinks) {
        for (const int words : {40, kMaxSentenceWords}) {
          const IndexedPair pair = WorstPair(shape, links, words);
          uint64_t rules = 0;
          const double start = CpuSeconds();
          extractor.Extract(pair, [&](const RuleOccurrence&, const UnitPair&) { ++rules; });
          const double seconds = CpuSeconds() - start;
          EXPECT_LE(rules, MaxPairRules(spec, kMaxPairRulesOfSystem));
          EXPECT_LT(seconds, 3 * kSlowness) << shape.name << ", links " << links.name << ", " << words << " words";
          if (!spec.reads_tree() && &shape != kShapes) break;
        }
      }
    }
  }
  EXPECT_LT(PeakMegabytes() - memory_before, 400);
}

// A pair of 250 words by chance: a projective tree between chain and star, links every so many words, some of them to
// several target words, or moved anywhere.
struct Recipe {
  int straight = 0;  // per cent of the words that hang on the word before
  int period = 1;    // source words for one that is linked
  int width = 1;     // target words that it is linked to
  int moved = 0;     // per cent of links that lead anywhere
  uint64_t seed = 0;
};

Recipe RandomRecipe(std::mt19937_64* random) {
  return {Below(101, random), 1 + Below(24, random), 1 + Below(4, random), Below(101, random), (*random)()};
}

Recipe Changed(Recipe recipe, std::mt19937_64* random) {
  const Recipe other = RandomRecipe(random);
  switch (Below(5, random)) {
    case 0: recipe.straight = other.straight; break;
    case 1: recipe.period = other.period; break;
    case 2: recipe.width = other.width; break;
    case 3: recipe.moved = other.moved; break;
    default: recipe.seed = other.seed;
  }
  return recipe;
}

std::ostream& operator<<(std::ostream& out, const Recipe& recipe) {
  return out << "straight " << recipe.straight << ", period " << recipe.period << ", width " << recipe.width
             << ", moved " << recipe.moved << ", seed " << recipe.seed;
}

IndexedPair Cook(const Recipe& recipe) {
  std::mt19937_64 random(recipe.seed);
  IndexedPair pair;
  std::vector<int> above;  // the word before, its head, and so on to the root
  for (int w = 0; w < kMaxSentenceWords; ++w) {
    pair.source.push_back(static_cast<WordId>(w));
    pair.target.push_back(static_cast<WordId>(w));
    pair.tags.push_back(w % 3 == 0 ? "A" : "B");
    pair.words.push_back("w" + std::to_string(w));
    if (w > 0 && Below(100, &random) >= recipe.straight)
      above.resize(1 + static_cast<size_t>(Below(static_cast<int>(above.size()), &random)));
    pair.heads.push_back(above.empty() ? 0 : above.back() + 1);
    above.push_back(w);
    if (w % recipe.period != 0) continue;
    const int first = Below(100, &random) < recipe.moved ? Below(kMaxSentenceWords, &random) : w;
    for (int j = first; j < std::min(first + recipe.width, kMaxSentenceWords); ++j)
      pair.links.push_back({static_cast<uint16_t>(w), static_cast<uint16_t>(j)});
  }
  return pair;
}

// Climbs from the slowest of some random pairs; the time that a pair takes is what is looked for.
TEST_P(ExtractBoundOracleTest, ASearchFindsNoPairThatTakesLong) {
  constexpr int kBegin = 5, kSteps = 12;
  std::mt19937_64 random(59);
  const long memory_before = PeakMegabytes();
  for (const SystemSpec& spec : {MakeSystemSpec(GetParam().options()), Greediest(GetParam())}) {
    LabelNumbers labels;
    RuleExtractor extractor(spec, &labels);
    Recipe slowest;
    double most_seconds = -1;
    for (int step = 0; step < kSteps; ++step) {
      const Recipe recipe = step < kBegin ? RandomRecipe(&random) : Changed(slowest, &random);
      const IndexedPair pair = Cook(recipe);
      uint64_t rules = 0;
      const double start = CpuSeconds();
      extractor.Extract(pair, [&](const RuleOccurrence&, const UnitPair&) { ++rules; });
      const double seconds = CpuSeconds() - start;
      EXPECT_LE(rules, MaxPairRules(spec, kMaxPairRulesOfSystem)) << recipe;
      EXPECT_LT(seconds, 3 * kSlowness) << recipe;
      if (seconds <= most_seconds) continue;
      slowest = recipe;
      most_seconds = seconds;
    }
  }
  EXPECT_LT(PeakMegabytes() - memory_before, 400);
}

TEST(ExtractBoundTest, ABoundThatSingleWordsOrMemoryDoNotFitIsRefused) {
  for (const char* system : {"pbmt", "hpbmt"})
    for (const uint64_t bound : {kLeastMaxPairRules - 1, kMostMaxPairRules + 1})
      EXPECT_THROW(RuleExtractor(MakeSystemSpec({{"name", system}}), nullptr, bound), Error);
}

}  // namespace
}  // namespace graft::engine::oracle
