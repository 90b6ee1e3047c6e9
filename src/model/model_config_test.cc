#include "model/model_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "graft/error.h"
#include "support/small_model.h"

namespace graft::engine {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

ModelConfig Pbmt() {
  ModelConfig config;
  config.system = MakeSystemSpec({{"name", "pbmt"}});
  return config;
}

class File {
 public:
  explicit File(const std::string& text) : path_(fixtures::TemporaryName(".toml")) { std::ofstream(path_) << text; }
  ~File() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string ErrorOf(const std::string& text) {
  const File file(text);
  ModelConfig config = Pbmt();
  try {
    ReadWeightsFile(file.path(), &config);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(ModelConfigTest, WhatIsWrittenReadsBackTheSame) {
  SystemOptions options;
  options["name"] = "seggbmt";
  options["graph"] = "dbg";
  ModelConfig config;
  config.system = MakeSystemSpec(options);
  config.text.truecase = true;
  config.text.tokeniser = "icu";
  config.text.languages = {"de", "en"};
  config.search.beam = 321;
  config.search.algorithm = SearchAlgorithm::kExhaustive;
  config.weights = {0.1f, 0.25f, 1, -3, 0.3f, 1e-7f, -1, 0.125f, 7, kDefaultWeights[kGlue], 0.3f, 1};
  const File file(ModelToml(config));
  const ModelConfig read = ReadModelToml(file.path(), {});
  EXPECT_EQ(read.system, config.system);
  EXPECT_EQ(read.text, config.text);
  EXPECT_EQ(read.search, config.search);
  EXPECT_EQ(read.weights, config.weights);
  EXPECT_EQ(ModelToml(read), ModelToml(config));
}

TEST(ModelConfigTest, EverySystemHasItsOwnKeys) {
  ModelConfig beam;
  beam.system = MakeSystemSpec({{"name", "gramgbmt-b"}, {"graph", "dsg"}});
  beam.search.max_words = 11;
  beam.search.glue_limit = -1;
  beam.search.glue_order = GlueOrder::kFree;
  beam.search.glue_distortion = GlueDistortion::kJump;
  beam.search.active_limit = 2000;
  beam.weights[kGlueDistortion] = 0.75f;
  const std::string text = ModelToml(beam);
  const File file(text);
  const ModelConfig read = ReadModelToml(file.path(), {});
  EXPECT_EQ(read.system, beam.system);
  EXPECT_EQ(read.search, beam.search);
  EXPECT_EQ(read.weights, beam.weights);
  EXPECT_THAT(text, Not(HasSubstr("distortion_limit")));
  EXPECT_THAT(text, Not(HasSubstr("Jump =")));

  ModelConfig chart;
  chart.system = MakeSystemSpec({{"name", "hpbmt"}});
  chart.search.max_span = 100;  // no window to fit into
  const std::string chart_text = ModelToml(chart);
  const File chart_file(chart_text);
  EXPECT_EQ(ReadModelToml(chart_file.path(), {}).search, chart.search);
  EXPECT_THAT(chart_text, HasSubstr("Glue = -1"));
  for (const char* foreign : {"glue_limit", "max_words", "distortion_limit", "Gap =", "GlueDistortion"})
    EXPECT_THAT(chart_text, Not(HasSubstr(foreign)));
  EXPECT_THAT(ErrorOf("[search]\nglue_limit = 3\n"), HasSubstr("search.glue_limit"));
  EXPECT_THAT(ErrorOf("[search]\nglue_limit = 3\n"), HasSubstr("means nothing for pbmt"));
  EXPECT_THAT(ErrorOf("[weights]\nGlue = 3\n"), HasSubstr("the system pbmt has no such feature"));
}

TEST(ModelConfigTest, ForestSearchHasNoSpans) {
  ModelConfig forest;
  forest.system = MakeSystemSpec({{"name", "dep2str"}});
  const std::string text = ModelToml(forest);
  const File file(text);
  EXPECT_EQ(ReadModelToml(file.path(), {}).search, forest.search);
  EXPECT_THAT(text, HasSubstr("Glue = -1"));
  for (const char* foreign : {"max_span", "glue_limit", "distortion_limit", "Gap =", "GlueDistortion"})
    EXPECT_THAT(text, Not(HasSubstr(foreign)));
  EXPECT_THROW(ReadModelToml(file.path(), {"search.max_span=10"}), Error);
}

TEST(ModelConfigTest, OverridesReplaceKeys) {
  const File file(ModelToml(Pbmt()));
  const ModelConfig read =
      ReadModelToml(file.path(), {"search.beam=500", "search.algorithm=exhaustive", "weights.LM=0.75"});
  EXPECT_EQ(read.search.beam, 500);
  EXPECT_EQ(read.search.algorithm, SearchAlgorithm::kExhaustive);
  EXPECT_EQ(read.weights[kLanguageModel], 0.75f);
  EXPECT_THROW(ReadModelToml(file.path(), {"beam=500"}), Error);
  EXPECT_THROW(ReadModelToml(file.path(), {"search.beem=500"}), Error);
}

TEST(ModelConfigTest, ErrorsNameLineAndRemedy) {
  EXPECT_THAT(ErrorOf("[weights]\nLM = 0.5\nWordPenatly = 1\n"), AllOf(HasSubstr(":3: "), HasSubstr("WordPenalty")));
  EXPECT_THAT(ErrorOf("[weights]\nTranslationModel = [1, 2]\n"), HasSubstr("list of 4 numbers"));
  EXPECT_THAT(ErrorOf("[weights]\nGap = 1.0\n"), HasSubstr("pbmt has no such feature"));
  EXPECT_THAT(ErrorOf("[search]\nbeam = \"big\"\n"), HasSubstr("whole number"));
  EXPECT_THAT(ErrorOf("[search]\nglue_limit = 3\n"), HasSubstr("means nothing"));
  EXPECT_THAT(ErrorOf("[weights]\nLM = 1e39\n"), HasSubstr("at most 1000000"));
  EXPECT_THAT(ErrorOf("[search]\ndistortion_rule = \"phrasal\"\n"), HasSubstr("moses"));
  EXPECT_THAT(ErrorOf("[search]\nthreshold = 2.0\n"), HasSubstr("less than 1"));
  EXPECT_THAT(ErrorOf("[sarch]\nbeam = 3\n"), HasSubstr("search"));
  EXPECT_THAT(ErrorOf("[weights\n"), HasSubstr(":1: "));
  EXPECT_THAT(ErrorOf("[text]\ntokeniser = \"moses\"\n"), AllOf(HasSubstr(":2: "), HasSubstr("icu")));
  EXPECT_THAT(ErrorOf("[text]\nlowercase = true\ntruecase = true\n"),
              AllOf(HasSubstr(":2: text.lowercase"), HasSubstr("exclude")));
  EXPECT_THAT(ErrorOf("[text]\nlanguages = [\"a\", \"b\", \"c\"]\n"), HasSubstr("source and target"));
  EXPECT_EQ(ErrorOf("[text]\ntokeniser = \"none\"\ntruecase = false\nlowercase = true\n"), "no error");
}

TEST(ModelConfigTest, WindowBoundsDistortionAndSpan) {
  const SystemSpec pbmt = Pbmt().system;
  SearchOptions options;
  options.distortion_limit = 28;
  CheckSearchOptions(pbmt, options);
  options.max_span = 21;
  EXPECT_THROW(CheckSearchOptions(pbmt, options), Error);
}

TEST(ModelConfigTest, MosesRuleIsForUnitsWithoutGaps) {
  SearchOptions options;
  options.distortion_rule = DistortionRule::kMoses;
  CheckSearchOptions(Pbmt().system, options);
  EXPECT_THROW(CheckSearchOptions(MakeSystemSpec({{"name", "sdtu"}}), options), Error);
}

}  // namespace
}  // namespace graft::engine
