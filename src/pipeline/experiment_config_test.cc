#include "pipeline/experiment_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graft/error.h"
#include "temporary_folder.h"

namespace graft::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kCommon =
    "[corpus]\nsource = \"s.conllu\"\ntarget = \"t\"\n[test.a]\nsource = \"s.conllu\"\nreferences = [\"t\"]\n";

class ExperimentConfigTest : public testing::Test {
 protected:
  ExperimentConfig Read(const std::string& head, const std::string& tail = "") {
    for (const char* name : {"s.conllu", "t"}) folder_.Write(name, "\n");
    return ReadExperimentConfig(folder_.Write("e.toml", "output = \"out\"\n" + head + kCommon + tail), {});
  }
  std::string ErrorOf(const std::string& head, const std::string& tail = "") {
    try {
      Read(head, tail);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  TemporaryFolder folder_;
};

SystemSpec Spec(const SystemOptions& options) { return MakeSystemSpec(options); }

TEST(RowIdTest, SaysWhatIsNotTheDefault) {
  EXPECT_EQ(RowId(Spec({{"name", "pbmt"}})), "pbmt");
  EXPECT_EQ(RowId(Spec({{"name", "gramgbmt-c"}, {"graph", "dsg"}, {"mgs", 1}, {"pos", true}})),
            "gramgbmt-c-dsg-pos-mgs1");
  EXPECT_EQ(RowId(Spec({{"name", "seggbmt"}, {"graph", "dbg"}, {"edge_labels", true}})), "seggbmt-dbg-edge-labels");
  EXPECT_EQ(RowId(Spec({{"name", "pbmt"}, {"max_length", 5}})), "pbmt-max-length5");
  EXPECT_EQ(RowId(Spec({{"name", "dep2str"}, {"blocks", false}})), "dep2str-no-blocks");
  EXPECT_EQ(RowId(Spec({{"name", "tbmt"}, {"upos", true}})), "tbmt") << "how the corpus is read is no matter of rows";
}

TEST_F(ExperimentConfigTest, SettingsReachTheRowsTheyMeanSomethingFor) {
  const ExperimentConfig config = Read(
      "baselines = [\"hpbmt\"]\n[[row]]\nname = \"seggbmt\"\ngraph = \"dbg\"\n[row.search]\nbeam = 7\n"
      "[[row]]\nname = \"hpbmt\"\n",
      "[search]\nbeam = 50\ndistortion_limit = 3\n[weights]\nGlue = 0.5\nJump = 0.25\n");
  ASSERT_EQ(config.rows.size(), 2u);
  EXPECT_EQ(config.rows[0].id, "seggbmt-dbg");
  EXPECT_EQ(config.rows[0].train.search.beam, 7);
  EXPECT_EQ(config.rows[0].train.search.distortion_limit, 3);
  EXPECT_EQ(config.rows[0].train.weights[kJump], 0.25f);
  EXPECT_EQ(config.rows[1].train.search.beam, 50);
  EXPECT_EQ(config.search.beam, 50) << "that of rows without one of their own";
  EXPECT_THAT(config.rows[0].own_search, ElementsAre("beam=7"));
  EXPECT_EQ(config.rows[1].train.weights[kGlue], 0.5f);
  EXPECT_THAT(config.baselines, ElementsAre(1u));
  EXPECT_EQ(config.rows[0].train.shared_folder(), config.rows[1].train.shared_folder());
  EXPECT_NE(config.rows[0].train.work_folder(), config.rows[1].train.work_folder());
}

TEST_F(ExperimentConfigTest, AllRowsReadTheCorpusOneWay) {
  const ExperimentConfig config = Read("[system]\nupos = true\n[[row]]\nname = \"pbmt\"\n[[row]]\nname = \"tbmt\"\n");
  for (const ExperimentRow& row : config.rows) EXPECT_TRUE(row.train.reading.upos);
  EXPECT_FALSE(config.rows[0].train.system.reading.upos);
  EXPECT_TRUE(config.rows[1].train.system.reading.upos);
}

TEST_F(ExperimentConfigTest, ANamedSystemIsTheFirstRow) {
  const ExperimentConfig config = Read("[system]\nname = \"hpbmt\"\nmgs = 1\n[[row]]\nname = \"pbmt\"\n");
  ASSERT_EQ(config.rows.size(), 2u);
  EXPECT_EQ(config.rows[0].id, "hpbmt-mgs1");
  EXPECT_EQ(config.rows[1].id, "pbmt");
}

TEST_F(ExperimentConfigTest, MistakesAreNamedWithTheirLine) {
  EXPECT_THAT(ErrorOf("[[row]]\nname = \"pbmt\"\ngraph = \"dbg\"\n"), HasSubstr("e.toml:4: [[row]]: graph means"));
  EXPECT_THAT(ErrorOf("[[row]]\nname = \"pbmt\"\n", "[search]\nbaem = 3\n"), HasSubstr("unknown key search.baem"));
  EXPECT_THAT(ErrorOf("[system]\ngraph = \"dsg\"\n[[row]]\nname = \"pbmt\"\n"), HasSubstr("unknown key system.graph"));
  EXPECT_THAT(ErrorOf("[[row]]\nname = \"pbmt\"\n[[consensus]]\nrows = [\"hpbmt\"]\n"),
              HasSubstr("there is no row `hpbmt`"));
  EXPECT_THAT(ErrorOf("[[row]]\nname = \"pbmt\"\nid = \"a/b\"\n"), HasSubstr("becomes the name of a folder"));
  EXPECT_THAT(ErrorOf("[[row]]\nname = \"pbmt\"\nserach = 1\n"), HasSubstr("did you mean `search`"));
  EXPECT_THAT(ErrorOf("[[row]]\nname = \"pbmt\"\n", "[search]\nglue_limit = 3\n"),
              HasSubstr("e.toml:11: search.glue_limit: means nothing for any of the rows"));
  EXPECT_THAT(ErrorOf("[[row]]\nname = \"pbmt\"\n", "[search]\nbeam = -1\n"), HasSubstr("e.toml:11: search.beam"));
  EXPECT_THAT(ErrorOf("[[row]]\nname = \"pbmt\"\n[row.search]\nbeam = \"x\"\n"), HasSubstr("e.toml:5: search.beam"));
}

// The ranges of `graft combine` hold for [[consensus]], those of `graft tune` for [tune].
TEST_F(ExperimentConfigTest, SettingsOfVerbsHaveTheirRanges) {
  const std::string consensus = "[[row]]\nname = \"pbmt\"\n[[consensus]]\nrows = [\"pbmt\"]\n";
  const ConsensusRow usual = Read(consensus).consensus.at(0);
  EXPECT_EQ(usual.combine.nbest, 50u);
  EXPECT_EQ(usual.combine.scale, 12);
  const ConsensusRow large = Read(consensus + "nbest = 10000\nscale = 1000000\n").consensus.at(0);
  EXPECT_EQ(large.combine.nbest, 10'000u);
  EXPECT_EQ(large.combine.scale, 1e6);
  EXPECT_THAT(ErrorOf(consensus + "nbest = 10001\n"), HasSubstr("consensus.nbest: must be between 1 and 10000"));
  EXPECT_THAT(ErrorOf(consensus + "scale = -1\n"), HasSubstr("consensus.scale: must be 0 to 1000000"));
  EXPECT_THAT(ErrorOf(consensus + "weights = [1.0]\n"), HasSubstr("unknown key consensus.weights"));

  const std::string dev = "[dev]\nsource = \"s.conllu\"\nreferences = [\"t\"]\n[tune]\n";
  EXPECT_EQ(Read("[[row]]\nname = \"pbmt\"\n", dev + "nbest = 30\n").common().tune.nbest, 30);
  EXPECT_THAT(ErrorOf("[[row]]\nname = \"pbmt\"\n", dev + "nbest = 1\n"), HasSubstr("tune.nbest"));
}

TEST_F(ExperimentConfigTest, ATestSetIsChosenForMeasurements) {
  const std::string two = "[test.b]\nsource = \"s.conllu\"\nreferences = [\"t\"]\n";
  EXPECT_EQ(Read("[[row]]\nname = \"pbmt\"\n", two).report.test, 0u);
  EXPECT_EQ(Read("[[row]]\nname = \"pbmt\"\n", two + "[report]\ntest = \"b\"\n").report.test, 1u);
  EXPECT_THAT(ErrorOf("[[row]]\nname = \"pbmt\"\n", two + "[report]\ntest = \"c\"\n"), HasSubstr("report.test"));
}

}  // namespace
}  // namespace graft::engine
