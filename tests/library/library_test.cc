// Models, consensus, training and evaluation as calls of the library.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <thread>

#include "graft/graft.h"
#include "support/example_models.h"

namespace graft {
namespace {

using ::testing::HasSubstr;

class LibraryTest : public ::testing::Test {
 protected:
  std::string File(const std::string& name) const { return models_.files().File(name); }
  std::string Write(const std::string& name, const std::string& text) const {
    return models_.files().Write(name, text);
  }
  fixtures::ExampleModels models_;
};

TEST_F(LibraryTest, AModelSaysWhatItIs) {
  const auto model = models_.Train("graph", {"name=seggbmt", "graph=dbg"}, false);
  const ModelInfo& info = model->info();
  EXPECT_EQ(info.system, "seggbmt");
  EXPECT_EQ(info.title, "SegGBMT DBG");
  EXPECT_EQ(info.source_language, "de");
  EXPECT_EQ(info.target_language, "en");
  EXPECT_TRUE(info.reads_trees);
  EXPECT_FALSE(info.tokenises);
  EXPECT_GT(info.rules, 100u);
  EXPECT_EQ(info.lm_order, 3);
  EXPECT_GT(info.table_bytes, 1000u);
  EXPECT_THAT(model->Configuration(), HasSubstr("graph = \"dbg\""));
  EXPECT_THAT(Model::Open(info.folder, {"search.beam=17"})->Configuration(), HasSubstr("beam = 17"));
  EXPECT_THROW(Model::Open(File("nowhere")), Error);
}

TEST_F(LibraryTest, ReadersGiveWhatTheModelReads) {
  const auto raw = models_.Train("raw", {"name=hpbmt"}, true);
  InputReader lines(Write("new.de", "Der Lehrer kommt.\nEr geht.\n"), "", {raw});
  Input input;
  ASSERT_TRUE(lines.Next(&input));
  EXPECT_EQ(input.kind(), Input::Kind::kLine);
  EXPECT_EQ(input.text(), "Der Lehrer kommt.");
  ASSERT_TRUE(lines.Next(&input));
  EXPECT_FALSE(lines.Next(&input));
  EXPECT_THROW(InputReader(File("new.de"), "pdf", {raw}), Error);
  EXPECT_THROW(InputReader(File("new.de"), "", {models_.Train("graph", {"name=tbmt"}, false)}), Error);
}

TEST_F(LibraryTest, ConsensusOfOneModelIsItsTranslation) {
  const auto pbmt = models_.Train("pbmt", {"name=pbmt"}, true);
  const auto hpbmt = models_.Train("hpbmt", {"name=hpbmt"}, true);
  const std::string text = "Der Lehrer ruft den Arzt an. Die Frau kauft das Buch.";
  const Translator translator(pbmt, {.threads = 1});
  EXPECT_EQ(Combiner({pbmt}, {.nbest = 1, .threads = 2}).Combine(Input::Text(text)).text,
            translator.Translate(text).text);
  const CombinedResult both = Combiner({pbmt, hpbmt}, {.nbest = 20, .threads = 2}).Combine(Input::Text(text));
  ASSERT_EQ(both.sentences.size(), 2u);
  EXPECT_GT(both.sentences[0].expected_bleu, 0);
  EXPECT_FALSE(both.sentences[0].models.empty());
  EXPECT_THROW(Combiner({pbmt, hpbmt}, {.weights = {1}}), Error);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(Combiner({pbmt}).Combine(Input::Text(text), {.stop = stop.get_token()}), Stopped);
}

TEST_F(LibraryTest, TrainingStepsMakeATunedModel) {
  models_.Train("start", {"name=pbmt"}, false);
  const CheckSummary checked = CheckCorpus({.source = File("train.de.conllu"), .target = File("train.en")});
  EXPECT_EQ(checked.pairs, 600u);
  EXPECT_EQ(checked.errors, 0u);
  const AlignSummary aligned = Align({.source = File("train.de.conllu"),
                                      .target = File("train.en"),
                                      .output = File("own.align"),
                                      .gold = File("train.align"),
                                      .memory = "1G"});
  EXPECT_EQ(aligned.pairs, 600u);
  EXPECT_GT(aligned.links, 600u);
  EXPECT_LT(aligned.error_rate, 0.5);
  EXPECT_THAT(aligned.score_text, HasSubstr("AER"));
  std::vector<std::string> rows;
  const TuneSummary tuned = Tune({.model = models_.Folder("start"),
                                  .source = File("train.de.conllu"),
                                  .references = {File("train.en")},
                                  .output = File("weights.toml"),
                                  .iterations = 2,
                                  .nbest = 10},
                                 {}, [&](std::string_view row) { rows.emplace_back(row); });
  EXPECT_EQ(tuned.bleu.size(), 1u);
  EXPECT_EQ(tuned.iterations.size() + 1, rows.size());
  AssembleModel(
      {.table = File("start.graft"), .lm = File("lm.bin"), .weights = File("weights.toml"), .output = File("tuned")});
  EXPECT_NE(Model::Open(File("tuned"))->Configuration(), Model::Open(models_.Folder("start"))->Configuration());
}

TEST_F(LibraryTest, WorkCanBeStopped) {
  models_.Train("start", {"name=pbmt"}, false);
  std::stop_source stop;
  Reporter reporter;
  reporter.stop = stop.get_token();
  // As soon as anything is reported.
  reporter.progress = [&](std::string_view, uint64_t, uint64_t) { stop.request_stop(); };
  EXPECT_THROW(
      Align({.source = File("train.de.conllu"), .target = File("train.en"), .output = File("a"), .memory = "1G"},
            reporter),
      Stopped);
  stop = std::stop_source();
  reporter.stop = stop.get_token();
  EXPECT_THROW(Tune({.model = models_.Folder("start"),
                     .source = File("train.de.conllu"),
                     .references = {File("train.en")},
                     .output = File("weights.toml")},
                    reporter),
               Stopped);
  EXPECT_FALSE(std::filesystem::exists(File("a")));
  stop = std::stop_source();
  reporter.stop = stop.get_token();
  EXPECT_THROW(
      EstimateLanguageModel({.texts = {File("train.en")}, .output = File("stopped.bin"), .memory = "64M"}, reporter),
      Stopped);
  stop = std::stop_source();
  reporter.stop = stop.get_token();
  EXPECT_THROW(
      TrainQuickly(
          {.source = File("train.de.conllu"), .target = File("train.en"), .output = File("stopped"), .memory = "1G"},
          reporter),
      Stopped);
}

// Whatever takes long ends with Stopped and leaves nothing behind, also where it reports no progress.
TEST_F(LibraryTest, AllWorkCanBeStopped) {
  models_.Train("start", {"name=pbmt"}, false);
  const std::string source = File("train.de.conllu"), target = File("train.en"), links = File("train.align");
  const std::string config =
      Write("train.toml",
            "output = \"configured\"\n[system]\nname = \"pbmt\"\n[corpus]\nsource = \"train.de.conllu\"\n"
            "target = \"train.en\"\n[dev]\nsource = \"train.de.conllu\"\nreferences = [\"train.en\"]\n");
  const std::string experiment =
      Write("experiment.toml",
            "output = \"compared\"\n[[row]]\nname = \"pbmt\"\n[corpus]\nsource = \"train.de.conllu\"\n"
            "target = \"train.en\"\n[test.a]\nsource = \"train.de.conllu\"\nreferences = [\"train.en\"]\n");
  std::stop_source stop;
  stop.request_stop();
  Reporter reporter;
  reporter.stop = stop.get_token();
  const std::vector<std::pair<std::string, std::function<void()>>> calls = {
      {"CheckCorpus", [&] { CheckCorpus({.source = source, .target = target}, reporter); }},
      {"Align", [&] { Align({.source = source, .target = target, .output = File("made"), .memory = "1G"}, reporter); }},
      {"BuildTable",
       [&] {
         BuildTable({.system = {"name=pbmt"},
                     .source = source,
                     .target = target,
                     .align = links,
                     .output = File("made"),
                     .memory = "256M"},
                    reporter);
       }},
      {"EstimateLanguageModel",
       [&] { EstimateLanguageModel({.texts = {target}, .output = File("made"), .memory = "64M"}, reporter); }},
      {"AssembleModel",
       [&] { AssembleModel({.table = File("start.graft"), .lm = File("lm.bin"), .output = File("made")}, reporter); }},
      {"Tune",
       [&] {
         Tune({.model = models_.Folder("start"), .source = source, .references = {target}, .output = File("made")},
              reporter);
       }},
      {"Train", [&] { Train({.config = config, .memory = "1G"}, reporter); }},
      {"PlanTraining", [&] { PlanTraining({.config = config, .memory = "1G"}, reporter); }},
      {"TrainQuickly",
       [&] { TrainQuickly({.source = source, .target = target, .output = File("made"), .memory = "1G"}, reporter); }},
      {"PlanQuickTraining",
       [&] {
         PlanQuickTraining({.source = source, .target = target, .output = File("made"), .memory = "1G"}, reporter);
       }},
      {"RunExperiment", [&] { RunExperiment({.config = experiment, .memory = "1G"}, reporter); }},
      {"PlanExperiment", [&] { PlanExperiment({.config = experiment, .memory = "1G"}, reporter); }},
      {"Evaluate", [&] { Evaluate({.hypotheses = target, .references = {target}}, reporter); }},
      {"EvaluateLines", [&] { EvaluateLines({"a b c d"}, {{"a b c d"}}, {}, 1, reporter); }},
      {"Compare",
       [&] {
         Compare({.references = {target}, .systems = {{"a", {target}}, {"b", {target}}}}, reporter);
       }},
      {"Open", [&] { Model::Open(models_.Folder("start"), {}, reporter); }},
      {"InspectModel", [&] { InspectModel(models_.Folder("start"), reporter); }},
      {"VerifyModel", [&] { VerifyModel(models_.Folder("start"), reporter); }},
      {"SealModel", [&] { SealModel(models_.Folder("start"), reporter); }},
  };
  for (const auto& [name, call] : calls) {
    EXPECT_THROW(call(), Stopped) << name;
    EXPECT_FALSE(std::filesystem::exists(File("made"))) << name;
  }
}

// The time after the last progress and before the next is as long as it takes.
TEST_F(LibraryTest, ComparisonsEndInTheMiddle) {
  std::string reference, a, b;
  for (int i = 0; i < 20'000; ++i) {
    reference += "the cat sits on the mat and looks at " + std::to_string(i) + "\n";
    a += "a cat sits on the mat and looks at " + std::to_string(i % 77) + "\n";
    b += "the cat sat on a mat and looked at " + std::to_string(i % 99) + "\n";
  }
  Write("many.ref", reference);
  Write("many.a", a);
  Write("many.b", b);
  std::stop_source stop;
  Reporter reporter;
  reporter.stop = stop.get_token();
  std::jthread stopper;
  reporter.progress = [&](std::string_view, uint64_t done, uint64_t) {
    EXPECT_EQ(done, 0u) << "the first metric is done already";
    stopper = std::jthread([&] { stop.request_stop(); });
  };
  EXPECT_THROW(Compare({.references = {File("many.ref")},
                        .systems = {{"a", {File("many.a")}}, {"b", {File("many.b")}}},
                        .metric = {.metrics = {"bleu", "ter"}}},
                       reporter),
               Stopped);
}

TEST_F(LibraryTest, QuickTrainingGivesAModelFromTwoFiles) {
  models_.Train("start", {"name=pbmt"}, false);
  const TrainSummary trained = TrainQuickly({.source = File("train.de.conllu"),
                                             .target = File("train.en"),
                                             .output = File("quick"),
                                             .settings = {"system.name=tbmt", "tune.iterations=1"},
                                             .memory = "1G"});
  EXPECT_TRUE(std::filesystem::equivalent(trained.model, File("quick")));
  EXPECT_EQ(Model::Open(trained.model)->info().system, "tbmt");
  EXPECT_EQ(trained.tests.size(), 1u);
  EXPECT_THAT(trained.text, HasSubstr("BLEU"));
}

// Whatever a call is given is checked by the table of its settings before anything is read.
TEST_F(LibraryTest, SettingsOfCallsAreChecked) {
  const auto error = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const Error& caught) {
      return caught.what();
    }
    return "no error";
  };
  const std::shared_ptr<const Model> any;  // is not looked at
  EXPECT_EQ(error([&] { Combiner({any}, {.nbest = 0}); }), "combine.nbest (--nbest) is 0; it must be 1 to 10000");
  EXPECT_EQ(error([&] { Combiner({any}, {.weights = {-1}}); }),
            "combine.weights (--weights) is -1; it must be 0 to 1000000");
  EXPECT_THAT(error([&] { Combiner({}, {}); }), HasSubstr("no models"));
  EXPECT_EQ(error([] { Compare({.shuffles = -1}); }), "compare.shuffles (--shuffles) is -1; it must be 1 to 100000000");
  EXPECT_EQ(error([] { Compare({.replicas = 1}); }), "compare.replicas (--replicas) is 1; it must be 2 to 100000000");
  EXPECT_EQ(error([] { Compare({.alpha = 2}); }), "compare.alpha (--alpha) is 2; it must be 0 to 1");
  EXPECT_EQ(error([] {
              EvaluateLines({"a"}, {{"a"}}, {.metrics = {"bleu", "blue"}});
            }),
            "metric.metrics (--metrics) cannot be `blue`; did you mean `bleu`?");
  EXPECT_EQ(error([] { Evaluate({.metric = {.smoothing = "flor"}}); }),
            "metric.smoothing (--smooth) cannot be `flor`; did you mean `floor`?");
  EXPECT_EQ(error([] { Tune({.nbest = 1}); }), "tune.nbest (--nbest) is 1; it must be 2 to 10000");
  EXPECT_EQ(error([] { Tune({.runs = 0}); }), "tune.runs (--runs) is 0; it must be 1 to 1000");
  EXPECT_EQ(error([] { Align({.method = "hm"}); }), "align.method (--method) cannot be `hm`; did you mean `hmm`?");
  EXPECT_EQ(error([] { Align({.format = "txt"}); }), "align.format (--input) cannot be `txt`; did you mean `text`?");
  EXPECT_THAT(error([] { CheckCorpus({.format = "pdf"}); }), HasSubstr("check.format (--input) cannot be `pdf`"));
  EXPECT_EQ(error([] { EstimateLanguageModel({.order = 9}); }), "lm.order (--order) is 9; it must be 1 to 6");
  EXPECT_EQ(error([] { BuildTable({.scores = "float"}); }),
            "table.scores (--scores) cannot be `float`; known are q16, f32, q8");
  EXPECT_EQ(error([] { BuildTable({.max_pair_rules = 7}); }),
            "table.max_pair_rules (--max-pair-rules) is 7; it must be 250 to 2000000");
  EXPECT_THAT(error([] { AssembleModel({.tokeniser = "moses"}); }),
              HasSubstr("model.tokeniser (--tokeniser) cannot be `moses`"));
}

TEST_F(LibraryTest, ScoresAndComparisonsAreValues) {
  const std::string reference = Write("ref", "the cat sits on the mat\nthere is a dog\n");
  const std::string good = Write("good", "the cat sits on the mat\nthere is a dog\n");
  const std::string poor = Write("poor", "a cat sat\na dog is there\n");
  const std::vector<Score> scores =
      Evaluate({.hypotheses = good, .references = {reference}, .metric = {.metrics = {"bleu", "ter"}}});
  ASSERT_EQ(scores.size(), 2u);
  EXPECT_EQ(scores[0].name, "BLEU");
  EXPECT_NEAR(scores[0].value, 100, 1e-9);
  EXPECT_NEAR(scores[1].value, 0, 1e-9);
  EXPECT_EQ(EvaluateLines({"the cat sits on the mat", "there is a dog"},
                          {{"the cat sits on the mat", "there is a dog"}}, {.metrics = {"bleu"}})[0]
                .signature,
            scores[0].signature);
  EXPECT_THROW(EvaluateLines({"one"}, {{"one", "two"}}), Error);
  const ComparisonSummary compared = Compare({.references = {reference},
                                              .systems = {{"poor", {poor}}, {"good", {good}}},
                                              .metric = {.metrics = {"bleu"}},
                                              .shuffles = 100,
                                              .replicas = 100});
  ASSERT_EQ(compared.metrics.size(), 1u);
  const SystemScores& system = compared.metrics[0].systems[1];
  EXPECT_EQ(system.name, "good");
  ASSERT_EQ(system.contrasts.size(), 1u);
  EXPECT_EQ(system.contrasts[0].baseline, "poor");
  EXPECT_GT(system.contrasts[0].difference, 0);
  EXPECT_THAT(compared.text, HasSubstr("good"));
}

TEST(ErrorTest, PartsOfAMessageAreFields) {
  const Error error = Error::At("train.conllu", 12, "head 17 of word 5; fix the line");
  EXPECT_STREQ(error.what(), "train.conllu:12: head 17 of word 5; fix the line");
  EXPECT_EQ(error.file(), "train.conllu");
  EXPECT_EQ(error.line(), 12u);
  EXPECT_EQ(error.problem(), "head 17 of word 5");
  EXPECT_EQ(error.advice(), "fix the line");
  EXPECT_EQ(Error("no advice").advice(), "");
}

TEST(VersionTest, IsThatOfTheProject) { EXPECT_THAT(Version(), ::testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+")); }

}  // namespace
}  // namespace graft
