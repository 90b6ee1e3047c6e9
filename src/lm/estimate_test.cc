#include "lm/estimate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "graft/error.h"
#include "lm/language_model.h"

namespace graft::engine {
namespace {

class EstimateTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              (std::string("estimate_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
    options_.temp_folder = folder_.string();
    reporter_.warn = [this](std::string_view message) { warnings_.emplace_back(message); };
    reporter_.progress = [this](std::string_view step, uint64_t done, uint64_t total) {
      progress_[std::string(step)] = {done, total};
    };
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string Path(const std::string& name) const { return (folder_ / name).string(); }
  std::string Write(const std::string& name, std::string_view bytes) const {
    std::ofstream(Path(name), std::ios::binary) << bytes;
    return Path(name);
  }

  std::filesystem::path folder_;
  EstimateOptions options_;
  Reporter reporter_;
  std::vector<std::string> warnings_;
  std::map<std::string, std::pair<uint64_t, uint64_t>> progress_;
};

TEST_F(EstimateTest, TheModelLoadsAndPrefersWhatItHasSeen) {
  options_.order = 3;
  EstimateLanguageModel({Write("text", "a b c\na b d\na b c\na b c\na b c\na b c\na b c\n")}, Path("lm.bin"), options_,
                        reporter_);
  const auto model = LanguageModel::Load(Path("lm.bin"));
  EXPECT_EQ(model->order(), 3);
  LmState a, b, unused;
  model->Score(model->BeginState(), model->Word("a"), &a);
  model->Score(a, model->Word("b"), &b);
  EXPECT_GT(model->Score(b, model->Word("c"), &unused), model->Score(b, model->Word("d"), &unused));
  EXPECT_GT(model->Score(b, model->Word("d"), &unused), model->Score(b, model->Word("a"), &unused));
}

TEST_F(EstimateTest, SpeaksThroughTheReporterOnly) {
  testing::internal::CaptureStderr();
  EstimateLanguageModel({Write("text", "a b c\n")}, Path("lm.arpa"), options_, reporter_);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_THAT(warnings_, testing::ElementsAre(testing::HasSubstr("fallback discounts")));
  EXPECT_EQ(progress_.size(), 2);
  for (const auto& [step, progress] : progress_) EXPECT_EQ(progress.first, progress.second) << step;
}

TEST_F(EstimateTest, AFailureLeavesNothingBehind) {
  Write("text", "a <s> b\n");
  EXPECT_THROW(EstimateLanguageModel({Path("text")}, Path("lm.arpa"), options_, reporter_), Error);
  EXPECT_THROW(EstimateLanguageModel({Path("text")}, Path("lm.bin"), options_, reporter_), Error);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

}  // namespace
}  // namespace graft::engine
