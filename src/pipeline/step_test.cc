#include "pipeline/step.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <regex>

#include "graft/error.h"
#include "support/cpu_time.h"
#include "temporary_folder.h"

namespace graft::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Two steps: `copy` appends its settings to the input, `twice` doubles what came out.
class StepTest : public testing::Test {
 protected:
  StepTest() : work_(folder_.File("work")), input_(folder_.File("input")) { folder_.Write("input", "a"); }

  std::vector<Step> Steps(const std::string& settings) {
    Step copy{"copy", settings, {input_}, {"copied"}, {}, {}};
    copy.run = [this, settings](const StepContext&) {
      folder_.Write("work/copied", folder_.Read("input") + settings);
      return TextFacts{.pairs = folder_.Read("input").size()};
    };
    Step twice{"twice", "", {work_ + "/copied"}, {"doubled"}, {}, {}};
    twice.run = [this](const StepContext& context) {
      seen_ = context.FactsOf<TextFacts>("copy").pairs;
      const std::string text = folder_.Read("work/copied");
      folder_.Write("work/doubled", text + text);
      return StepFacts{};
    };
    return {copy, twice};
  }

  std::vector<std::string> Done(const std::vector<Step>& steps) {
    StepRunner runner(work_);
    std::vector<std::string> done;
    StepObserver observer;
    observer.begin = [&](const std::string& step, size_t, size_t) { done.push_back(step); };
    runner.Run(steps, observer, {});
    return done;
  }

  TemporaryFolder folder_;
  const std::string work_;
  const std::string input_;
  uint64_t seen_ = 0;
};

TEST_F(StepTest, RunsOnceAndThenOnlyWhatChanged) {
  EXPECT_THAT(Done(Steps("x")), ElementsAre("copy", "twice"));
  EXPECT_EQ(folder_.Read("work/doubled"), "axax");
  EXPECT_EQ(seen_, 1u) << "facts of an earlier step";
  EXPECT_THAT(Done(Steps("x")), ElementsAre());
  EXPECT_THAT(Done(Steps("y")), ElementsAre("copy", "twice"));
  EXPECT_EQ(folder_.Read("work/doubled"), "ayay");
  folder_.Write("input", "b");
  EXPECT_THAT(Done(Steps("y")), ElementsAre("copy", "twice"));
  EXPECT_EQ(folder_.Read("work/doubled"), "byby");
}

TEST_F(StepTest, AStepThatMakesTheSameFileStopsTheWave) {
  Done(Steps("x"));
  folder_.Write("input", "ax");
  EXPECT_THAT(Done(Steps("")), ElementsAre("copy")) << "copied is `ax` again";
}

TEST_F(StepTest, FilesThatAreNotWhatTheyWereAreMadeAgain) {
  Done(Steps("x"));
  std::filesystem::remove(work_ + "/doubled");
  EXPECT_THAT(Done(Steps("x")), ElementsAre("twice"));
  folder_.Write("work/copied", "other");
  EXPECT_THAT(Done(Steps("x")), ElementsAre("copy"));
  EXPECT_EQ(folder_.Read("work/doubled"), "axax");
}

TEST_F(StepTest, WhatIsPromisedIsLookedForWhereItMustBe) {
  const auto steps = [this](const std::string& place) {
    Step step{"install", "", {input_}, {folder_.File(place)}, {}, {}};
    step.run = [this, place](const StepContext&) {
      folder_.Write(place, folder_.Read("input"));
      return StepFacts{};
    };
    return std::vector<Step>{step};
  };
  EXPECT_THAT(Done(steps("here")), ElementsAre("install"));
  EXPECT_THAT(Done(steps("here")), ElementsAre());
  EXPECT_THAT(Done(steps("there")), ElementsAre("install")) << "the ledger knows of another place";
  EXPECT_EQ(folder_.Read("there"), "a");
  folder_.Write("there", "damaged");
  EXPECT_THAT(Done(steps("there")), ElementsAre("install"));
  EXPECT_EQ(folder_.Read("there"), "a");
}

TEST_F(StepTest, AStepWithOtherOutputsIsDoneAgain) {
  std::vector<Step> steps = Steps("x");
  Done(steps);
  steps[1].outputs.push_back("copied");
  EXPECT_THAT(Done(steps), ElementsAre("twice"));
  steps[1].outputs = {"doubled"};
  EXPECT_THAT(Done(steps), ElementsAre("twice"));
}

TEST_F(StepTest, AFailureKeepsWhatIsDoneAndNamesTheStep) {
  std::vector<Step> steps = Steps("x");
  const auto works = steps[1].run;
  steps[1].run = [](const StepContext&) -> StepFacts { throw Error("file:3: bad"); };
  try {
    Done(steps);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("file:3: bad\n(step twice)"));
    EXPECT_THAT(error.what(), HasSubstr("the same command goes on"));
  }
  steps[1].run = works;
  EXPECT_THAT(Done(steps), ElementsAre("twice"));
}

TEST_F(StepTest, PlansSayWhatWouldBeDone) {
  const auto plan = [this](const std::string& settings) {
    std::vector<bool> done;
    std::set<std::string> to_be_made;
    for (const PlannedStep& step : PlanSteps(work_, Steps(settings), &to_be_made, {})) done.push_back(step.done);
    return done;
  };
  EXPECT_THAT(plan("x"), ElementsAre(false, false));
  EXPECT_FALSE(std::filesystem::exists(work_));
  Done(Steps("x"));
  EXPECT_THAT(plan("x"), ElementsAre(true, true));
  EXPECT_THAT(plan("y"), ElementsAre(false, false));
  std::filesystem::remove(work_ + "/doubled");
  EXPECT_THAT(plan("x"), ElementsAre(true, false));
}

TEST_F(StepTest, LeftoversOfAKilledRunGoAndOthersStay) {
  std::filesystem::create_directories(work_);
  for (const char* name :
       {"copied.tmp123.4", "rules.graft.tmp77", "graft-lm-aB3dE6", "notes.tmpl", "notes.tmp", "a.tmp1.txt"})
    folder_.Write(std::string("work/") + name, "");
  const StepRunner runner(work_);
  EXPECT_FALSE(std::filesystem::exists(work_ + "/copied.tmp123.4"));
  EXPECT_FALSE(std::filesystem::exists(work_ + "/rules.graft.tmp77"));
  EXPECT_FALSE(std::filesystem::exists(work_ + "/graft-lm-aB3dE6"));
  EXPECT_TRUE(std::filesystem::exists(work_ + "/notes.tmp"));
  EXPECT_TRUE(std::filesystem::exists(work_ + "/notes.tmpl"));
  EXPECT_TRUE(std::filesystem::exists(work_ + "/a.tmp1.txt"));
}

TEST_F(StepTest, OneRunAtATime) {
  const StepRunner first(work_);
  EXPECT_THROW(StepRunner second(work_), Error);
}

TEST_F(StepTest, ADamagedLedgerCountsAsEmpty) {
  Done(Steps("x"));
  for (const char* text : {"", "{", "[]", R"({"format": 2, "steps": {}})", R"({"format": 1, "steps": {"copy": {}}})"}) {
    folder_.Write("work/ledger.json", text);
    EXPECT_THAT(Done(Steps("x")), ElementsAre("copy", "twice")) << text;
  }
}

TEST_F(StepTest, ALedgerOfManyKeysIsReadQuickly) {
  std::string text = R"({"format": 1, "steps": {)";
  for (int i = 0; i < 200'000; ++i) text += fmt::format(R"("{}": 0, )", i);
  folder_.Write("work/ledger.json", text + R"("x": 0}})");
  const double start = CpuSeconds();
  EXPECT_THAT(Done(Steps("x")), ElementsAre("copy", "twice"));
  EXPECT_LT(CpuSeconds() - start, 2 * kSlowness);
}

TEST_F(StepTest, AnEntryThatIsNoneCostsItsOwnStepOnly) {
  folder_.Write("input", "12345");
  Done(Steps("x"));
  std::string text = folder_.Read("work/ledger.json");
  text.replace(text.find("\"steps\": {"), 10, "\"steps\": {\"other\": {\"key\": 1}, \"another\": [],");
  folder_.Write("work/ledger.json", text);
  seen_ = 0;
  EXPECT_THAT(Done(Steps("x")), ElementsAre());
}

TEST_F(StepTest, AnEntryThatWasChangedIsOfAStepThatIsNotDone) {
  folder_.Write("input", "12345");
  Done(Steps("x"));
  const std::string ledger = folder_.Read("work/ledger.json");
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = ledger;
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    folder_.Write("work/ledger.json", text.replace(at, from.size(), to));
    seen_ = 0;
    return Done(Steps("x"));
  };
  EXPECT_THAT(changed("\"pairs\": 5.0", "\"pairs\": 5.0"), ElementsAre());
  EXPECT_THAT(changed("\"pairs\": 5.0", "\"pairs\": 7.0"), ElementsAre("copy")) << "a digit of what was found";
  EXPECT_THAT(changed("\"peak_bytes\": ", "\"peak_bytes\": 1"), ElementsAre("copy"));
  EXPECT_THAT(changed("\"sum\"", "\"sun\""), ElementsAre("copy")) << "others have sums";
  EXPECT_THAT(changed("\"twice\"", "\"thrice\""), ElementsAre("twice"));
}

TEST_F(StepTest, LedgersOfBeforeThereWereSumsAreBelieved) {
  Done(Steps("x"));
  const std::string ledger =
      std::regex_replace(folder_.Read("work/ledger.json"), std::regex(",\\s*\"sum\": \"\\w+\""), "");
  EXPECT_EQ(ledger.find("sum"), std::string::npos);
  folder_.Write("work/ledger.json", ledger);
  EXPECT_THAT(Done(Steps("x")), ElementsAre());
  for (const char* pairs : {"-1", "0.5", "1e300", "18446744073709551616"}) {
    folder_.Write("work/ledger.json",
                  std::regex_replace(ledger, std::regex("\"pairs\": 1.0"), std::string("\"pairs\": ") + pairs));
    EXPECT_THAT(Done(Steps("x")), ElementsAre("copy")) << pairs << ": no program writes that";
  }
}

TEST(StepFactsTest, AreBelievedWhereAProgramCanHaveStoredThem) {
  EXPECT_TRUE(FactsFit<ComparisonFacts>(StoreFacts(ComparisonFacts{.against = {std::nullopt, {{.p = 0.5}}}})));
  EXPECT_TRUE(FactsFit<CorpusFacts>({{"pairs", 0x1p63}}));
  EXPECT_FALSE(FactsFit<CorpusFacts>({{"pairs", 0x1p64}}));
  EXPECT_FALSE(FactsFit<TuneFacts>({{"iterations", 0x1p31}}));
  EXPECT_TRUE(FactsFit<TuneFacts>({{"iterations", -0x1p31}}));
  EXPECT_FALSE(FactsFit<TuneFacts>({{"bleu", NAN}}));
  EXPECT_FALSE(FactsFit<TuneFacts>({{"bleu", 1e300}}));
  EXPECT_FALSE(FactsFit<RuleFacts>({{"trees", 2}}));
  for (const char* key : {"p.9999999999", "p.99999999999999999999999", "p.10001"}) {
    EXPECT_FALSE(FactsFit<ComparisonFacts>({{key, 0.5}})) << key;
    EXPECT_TRUE(ReadFacts<ComparisonFacts>({{key, 0.5}}).against.empty()) << key;
  }
  EXPECT_EQ(ReadFacts<ComparisonFacts>({{"p.10000", 0.5}}).against.size(), 10'000u);
}

TEST(StepFactsTest, AreStoredUnderTheirKeys) {
  const CorpusFacts corpus{.pairs = 3, .unusable = 1, .source_words = 20, .target_words = 22};
  EXPECT_EQ(StoreFacts(corpus),
            (StoredFacts{{"pairs", 3}, {"unusable", 1}, {"source_words", 20}, {"target_words", 22}}));
  const RuleFacts rules{.rules = 4, .trees = true, .neither = 2};
  EXPECT_EQ(StoreFacts(rules).at("trees"), 1);
  EXPECT_TRUE(ReadFacts<RuleFacts>(StoreFacts(rules)).trees);
  EXPECT_EQ(ReadFacts<RuleFacts>(StoreFacts(rules)).neither, 2u);
  EXPECT_EQ(ReadFacts<RuleFacts>({}).rules, 0u);
}

TEST(StepFactsTest, ListsAndWhatMayBeMissing) {
  ComparisonFacts facts{.mean = 30.5, .s_sel = 0.4, .bleu = {30, 31}};
  facts.against.resize(2);
  facts.against[1] = {.delta = -0.5, .p = 0.03, .p_bootstrap = 0.02, .better = true};
  const StoredFacts stored = StoreFacts(facts);
  EXPECT_EQ(stored, (StoredFacts{{"mean", 30.5},
                                 {"s_sel", 0.4},
                                 {"bleu.run1", 30},
                                 {"bleu.run2", 31},
                                 {"delta.2", -0.5},
                                 {"p.2", 0.03},
                                 {"p_bootstrap.2", 0.02},
                                 {"better.2", 1}}));
  const auto read = ReadFacts<ComparisonFacts>(stored);
  EXPECT_THAT(read.bleu, ElementsAre(30, 31));
  EXPECT_FALSE(read.s_opt);
  ASSERT_EQ(read.against.size(), 2u);
  EXPECT_FALSE(read.against[0]);
  EXPECT_EQ(read.against[1]->p, 0.03);
  EXPECT_TRUE(read.against[1]->better);
  facts.s_opt = 0.25;
  facts.against.clear();
  EXPECT_EQ(ReadFacts<ComparisonFacts>(StoreFacts(facts)).s_opt, 0.25);
  EXPECT_TRUE(ReadFacts<ComparisonFacts>(StoreFacts(facts)).against.empty());
}

TEST(StepFactsTest, RemarksTellWhatMatters) {
  EXPECT_EQ(CorpusFacts{.pairs = 1200}.Remark(), "1,200 pairs");
  EXPECT_EQ((CorpusFacts{.pairs = 1200, .unusable = 3}.Remark()), "1,200 pairs, 3 of them empty or too long");
  EXPECT_EQ((TableFacts{.rules = 5, .bytes = 31'000'000, .skipped = 2}.Remark()), "5 rules, 2 pairs skipped, 31 MB");
  EXPECT_EQ((TableFacts{.rules = 5, .bytes = 31'000'000, .bounded = 3}.Remark()),
            "5 rules, 3 pairs over the bound, 31 MB");
  EXPECT_EQ((TuneFacts{.bleu = 12.344, .iterations = 9, .best_iteration = 7}.Remark()), "BLEU 12.34, iteration 7 of 9");
}

TEST_F(StepTest, RemarksAreThoseOfTheKindOfFactsDoneOrReused) {
  for (const bool reused : {false, true}) {
    StepRunner runner(work_);
    const std::vector<StepReport> reports = runner.Run(Steps("x"), {}, {});
    EXPECT_EQ(reports[0].reused, reused);
    EXPECT_EQ(reports[0].remark, "1 pairs");
    EXPECT_EQ(reports[1].remark, "");
  }
}

}  // namespace
}  // namespace graft::engine
