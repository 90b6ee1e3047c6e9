#include "pipeline/step.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "graft/error.h"
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
      return StepFacts{{"length", static_cast<double>(folder_.Read("input").size())}};
    };
    Step twice{"twice", "", {work_ + "/copied"}, {"doubled"}, {}, {}};
    twice.run = [this](const StepContext& context) {
      seen_ = context.Fact("copy", "length");
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
  double seen_ = -1;
};

TEST_F(StepTest, RunsOnceAndThenOnlyWhatChanged) {
  EXPECT_THAT(Done(Steps("x")), ElementsAre("copy", "twice"));
  EXPECT_EQ(folder_.Read("work/doubled"), "axax");
  EXPECT_EQ(seen_, 1) << "facts of an earlier step";
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
    for (const PlannedStep& step : PlanSteps(work_, Steps(settings), &to_be_made)) done.push_back(step.done);
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

}  // namespace
}  // namespace graft::engine
