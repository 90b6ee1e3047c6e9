// The engine and the brute-force extractor against the golden files: the rules of the paper's running example under
// three alignments (A, B, C: juxing-was linked; not linked; zai unaligned too).
#include <gtest/gtest.h>

#include <fstream>
#include <optional>
#include <set>
#include <sstream>

#include "oracle/brute_force.h"
#include "oracle/examples.h"
#include "support/paths.h"

namespace graft::engine::oracle {
namespace {

const std::string kGolden = TestData("golden/");

struct Setting {
  const char* file_name;   // in the golden files' names
  const char* count_name;  // in the first column of *.counts.txt
  SystemOptions options;
};

SystemOptions Options(const std::string& name, std::optional<std::string> graph = {}, std::optional<bool> labels = {}) {
  SystemOptions options;
  options["name"] = name;
  if (graph) options["graph"] = *graph;
  if (labels) options["edge_labels"] = *labels;
  return options;
}

const std::vector<Setting>& Settings() {
  static const std::vector<Setting> settings = {
      {"PBMT", "PBMT", Options("pbmt")},
      {"SDTU", "SDTU", Options("sdtu")},
      {"TBMT", "TBMT", Options("tbmt")},
      {"SegGBMT-tree", "SegGBMT tree", Options("seggbmt", "tree")},
      {"SegGBMT-dsg", "SegGBMT dsg", Options("seggbmt", "dsg")},
      {"SegGBMT-dbg", "SegGBMT dbg", Options("seggbmt", "dbg")},
  };
  return settings;
}

// With the defaults: two words under a non-terminal, non-terminals not adjacent.
const std::vector<Setting>& GrammarSettings() {
  static const std::vector<Setting> settings = {
      {"HPBMT", "HPBMT", Options("hpbmt")},
      {"SERG", "SERG", Options("serg")},
      {"GramGBMT_c-tree", "GramGBMT_c tree", Options("gramgbmt-c", "tree")},
      {"GramGBMT_c-dsg", "GramGBMT_c dsg", Options("gramgbmt-c", "dsg")},
      {"GramGBMT_c-dbg", "GramGBMT_c dbg", Options("gramgbmt-c", "dbg")},
      {"GramGBMT_b-tree", "GramGBMT_b tree", Options("gramgbmt-b", "tree")},
      {"GramGBMT_b-dsg", "GramGBMT_b dsg", Options("gramgbmt-b", "dsg")},
      {"GramGBMT_b-dbg", "GramGBMT_b dbg", Options("gramgbmt-b", "dbg")},
  };
  return settings;
}

// Blocks, floating blocks and unaligned words in the way the files are named.
std::vector<Setting> BlockSettings() {
  std::vector<Setting> settings;
  const auto add = [&](const char* file_name, const char* count_name, bool blocks, bool floating, bool extend) {
    settings.push_back({file_name, count_name, Options("dep2str")});
    settings.back().options["blocks"] = blocks;
    settings.back().options["floating"] = floating;
    settings.back().options["extend"] = extend;
  };
  add("Dep2Str", "Dep2Str", false, false, false);
  add("Dep2Str.ext1", "Dep2Str,ext=1", false, false, true);
  add("Dep2Str.blocks1", "Dep2Str,blocks=1", true, false, false);
  add("Dep2Str.blocks1.ext1", "Dep2Str,blocks=1,ext=1", true, false, true);
  add("Dep2Str.blocks1.float1", "Dep2Str,blocks=1,float=1", true, true, false);
  return settings;
}

std::string ReadAll(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

template <class Lines>
std::string Joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// `X -> source | edges ||| target`; a gap is written X here.
std::string Listed(const RuleLine& line) {
  std::istringstream symbols(line.source);
  std::string source;
  for (std::string symbol; symbols >> symbol;) {
    if (!source.empty()) source += ' ';
    source += symbol == "[*]" ? "X" : symbol;
  }
  return line.lhs + " -> " + source + " | " + line.edges + " ||| " + line.target;
}

// `(x1:NR) (chenggong) juxing ||| x1 held successfully`: structures with a head as the literature writes them.
std::string ListedBlock(const RuleLine& line) {
  if (line.edges.empty()) return Listed(line);
  const std::string head = line.edges.substr(0, line.edges.find('>'));
  std::istringstream symbols(line.source + " ||| " + line.target);
  std::string text;
  int place = 0;
  bool in_source = true;
  for (std::string symbol; symbols >> symbol; ++place) {
    in_source = in_source && symbol != "|||";
    if (symbol.front() == '[') {
      const size_t comma = symbol.rfind(',');
      const std::string number = symbol.substr(comma + 1, symbol.size() - comma - 2);
      symbol = "x" + number + (in_source ? ":" + symbol.substr(3, comma - 3) : "");
    }
    if (in_source && std::to_string(place) != head) symbol = "(" + symbol + ")";
    text += (text.empty() ? "" : " ") + symbol;
  }
  return text;
}

using Extractor = std::vector<RuleLine> (*)(const Example&, const SystemSpec&);

class GoldenTest : public testing::TestWithParam<Extractor> {
 protected:
  static std::vector<Example> Corpus() { return ReadExamples(kGolden + "ABC.corpus.txt"); }
};

TEST_P(GoldenTest, LinesAndListingsOfSingleSentences) {
  const std::vector<Example> corpus = Corpus();
  ASSERT_EQ(corpus.size(), 3u);
  for (size_t k = 0; k < corpus.size(); ++k) {
    for (const Setting& setting : Settings()) {
      const std::vector<RuleLine> lines = GetParam()(corpus[k], MakeSystemSpec(setting.options));
      const std::string path = kGolden + "ABC"[k] + "." + setting.file_name;
      EXPECT_EQ(Joined(Merged(lines)), ReadAll(path + ".extract")) << path;
      std::set<std::string> listing;
      for (const RuleLine& line : lines) listing.insert(Listed(line));
      EXPECT_EQ(Joined(listing), ReadAll(path + ".txt")) << path;
    }
  }
}

TEST_P(GoldenTest, LinesOfSingleSentencesWithNonTerminals) {
  const std::vector<Example> corpus = Corpus();
  for (size_t k = 0; k < corpus.size(); ++k) {
    for (const Setting& setting : GrammarSettings()) {
      const std::string path = kGolden + "ABC"[k] + "." + setting.file_name + ".mgs2.adj0.extract";
      EXPECT_EQ(Joined(Merged(GetParam()(corpus[k], MakeSystemSpec(setting.options)))), ReadAll(path)) << path;
    }
  }
}

TEST_P(GoldenTest, LinesAndListingsOfBlocks) {
  const std::vector<Example> corpus = Corpus();
  for (size_t k = 0; k < corpus.size(); ++k) {
    for (const Setting& setting : BlockSettings()) {
      const std::vector<RuleLine> lines = GetParam()(corpus[k], MakeSystemSpec(setting.options));
      const std::string path = kGolden + "ABC"[k] + "." + setting.file_name;
      EXPECT_EQ(Joined(Merged(lines)), ReadAll(path + ".extract")) << path;
      if (setting.options.at("floating") == OptionValue(true))
        continue;  // a phrase and a structure without a head may be the same line
      std::set<std::string> words, structures;
      for (const RuleLine& line : lines) (line.edges.empty() ? words : structures).insert(ListedBlock(line));
      const std::string row = std::string("\n") + setting.count_name + " | head and phrasal rules | " +
                              std::to_string(words.size()) + " | HDR rules | " + std::to_string(structures.size()) +
                              "\n";
      const std::string counts = ReadAll(kGolden + "ABC"[k] + ".counts.txt");
      EXPECT_NE(counts.find(row), std::string::npos) << row << "not in\n" << counts;
      structures.merge(words);
      EXPECT_EQ(Joined(structures), ReadAll(path + ".txt")) << path;
    }
  }
}

TEST_P(GoldenTest, LinesOfTheCorpus) {
  std::vector<Setting> settings = Settings();
  settings.erase(settings.begin() + 3, settings.begin() + 5);  // there are no such files for tree and dsg
  settings.push_back({"SegGBMT-dbg.el1", "", Options("seggbmt", "dbg", true)});
  settings.push_back({"HPBMT", "", Options("hpbmt")});
  settings.push_back({"SERG", "", Options("serg")});
  settings.push_back({"Dep2Str.blocks1.ext1", "", Options("dep2str")});
  settings.push_back({"GramGBMT_b-dbg", "", Options("gramgbmt-b", "dbg")});
  settings.push_back({"GramGBMT_c-dsg", "", Options("gramgbmt-c", "dsg")});
  settings.push_back({"GramGBMT_c-dsg.mgs1.pos1", "", Options("gramgbmt-c", "dsg")});
  settings.back().options["mgs"] = 1;
  settings.back().options["pos"] = true;
  for (const Setting& setting : settings) {
    std::vector<RuleLine> lines;
    for (const Example& example : Corpus()) {
      const auto some = GetParam()(example, MakeSystemSpec(setting.options));
      lines.insert(lines.end(), some.begin(), some.end());
    }
    EXPECT_EQ(Joined(Merged(lines)), ReadAll(kGolden + "ABC." + setting.file_name + ".extract")) << setting.file_name;
  }
}

INSTANTIATE_TEST_SUITE_P(Extractors, GoldenTest, testing::Values(&EngineExtract, &BruteForceExtract),
                         [](const auto& param_info) { return param_info.index == 0 ? "Engine" : "BruteForce"; });

TEST(GoldenCountsTest, InstancesTypesAndDiscontinuousUnits) {
  const std::vector<Example> corpus = ReadExamples(kGolden + "ABC.corpus.txt");
  for (size_t k = 0; k < corpus.size(); ++k) {
    const std::string counts = ReadAll(kGolden + "ABC"[k] + ".counts.txt");
    for (const Setting& setting : Settings()) {
      const SystemSpec spec = MakeSystemSpec(setting.options);
      Vocabulary source_words, target_words;
      size_t instances = 0, discontinuous = 0;
      UnitExtractor(spec).Extract(Index(corpus[k], spec, &source_words, &target_words),
                                  [&](const RuleOccurrence&, const UnitPair& where) {
                                    ++instances;
                                    const int span = where.unit.last() - where.unit.first() + 1;
                                    discontinuous += span != where.unit.size() ? 1 : 0;
                                  });
      std::set<std::string> types;
      for (const RuleLine& line : EngineExtract(corpus[k], spec)) types.insert(Listed(line));
      const std::string row = std::string("\n") + setting.count_name + " | " + std::to_string(instances) + " | " +
                              std::to_string(types.size()) + " | " + std::to_string(discontinuous) + "\n";
      EXPECT_NE(counts.find(row), std::string::npos) << row << "not in\n" << counts;
    }
  }
}

std::set<std::string> Listing(const std::vector<RuleLine>& lines) {
  std::set<std::string> listing;
  for (const RuleLine& line : lines) listing.insert(Listed(line));
  return listing;
}

TEST(GoldenCountsTest, InstancesAndTypesOfRulesWithNonTerminals) {
  const std::vector<Example> corpus = ReadExamples(kGolden + "ABC.corpus.txt");
  for (size_t k = 0; k < corpus.size(); ++k) {
    const std::string counts = ReadAll(kGolden + "ABC"[k] + ".counts.txt");
    for (const Setting& setting : GrammarSettings()) {
      for (int mgs : {1, 2}) {
        for (bool adjacent : {false, true}) {
          SystemOptions options = setting.options;
          options["mgs"] = mgs;
          options["adjacent_nt"] = adjacent;
          const std::vector<RuleLine> lines = EngineExtract(corpus[k], MakeSystemSpec(options));
          std::string row = std::string("\n") + setting.count_name + " | " + std::to_string(mgs) + " | " +
                            (adjacent ? "True" : "False") + " | " + std::to_string(lines.size()) + " | " +
                            std::to_string(Listing(lines).size());
          if (options["name"] == OptionValue("hpbmt")) {
            row += " | - | -\n";
          } else {
            SystemOptions pos = options, labels = options;
            pos["pos"] = true;
            labels["edge_labels"] = true;
            row += " | " + std::to_string(Listing(EngineExtract(corpus[k], MakeSystemSpec(pos))).size()) + " | ";
            row += options["name"] == OptionValue("serg")
                       ? "-\n"
                       : std::to_string(Listing(EngineExtract(corpus[k], MakeSystemSpec(labels))).size()) + "\n";
          }
          EXPECT_NE(counts.find(row), std::string::npos) << row << "not in\n" << counts;
        }
      }
    }
  }
}

// The listings of all settings are large; they are compared where the folder of real data is.
TEST(GoldenListingsTest, RulesWithNonTerminalsOfEverySetting) {
  const std::string folder = SharedData("oracle/golden/");
  if (!std::ifstream(folder + "A.counts.txt").good()) GTEST_SKIP() << "no " << folder;
  const std::vector<Example> corpus = ReadExamples(kGolden + "ABC.corpus.txt");
  for (size_t k = 0; k < corpus.size(); ++k) {
    for (const Setting& setting : GrammarSettings()) {
      for (int mgs : {1, 2}) {
        for (bool adjacent : {false, true}) {
          SystemOptions options = setting.options;
          options["mgs"] = mgs;
          options["adjacent_nt"] = adjacent;
          const std::string path = folder + "ABC"[k] + "." + setting.file_name + ".mgs" + std::to_string(mgs) + ".adj" +
                                   (adjacent ? "1" : "0") + ".txt";
          EXPECT_EQ(Joined(Listing(EngineExtract(corpus[k], MakeSystemSpec(options)))), ReadAll(path)) << path;
        }
      }
    }
  }
}

}  // namespace
}  // namespace graft::engine::oracle
