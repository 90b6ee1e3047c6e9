#include "eval/significance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "eval/comparison.h"
#include "graft/error.h"

namespace graft::engine {
namespace {

// The mean of one number per sentence, so that p-values can be worked out by hand.
class MeanMetric : public Metric {
 public:
  std::string name() const override { return "mean"; }
  std::string signature() const override { return ""; }
  size_t width() const override { return 2; }
  void Statistics(size_t /*sentence*/, std::string_view hypothesis, std::span<double> out) const override {
    out[0] = std::stod(std::string(hypothesis));
    out[1] = 1;
  }
  double Score(std::span<const double> sums) const override { return sums[0] / sums[1]; }
  nlohmann::ordered_json Fields(std::span<const double> /*sums*/) const override { return {}; }
};

SystemStatistics Of(const std::vector<std::vector<std::string>>& runs) { return StatisticsOf(MeanMetric(), runs, 1); }

TEST(SignificanceTest, RandomisationOfTwoSentences) {
  // Differences 1 and 3: of the four shuffles two give the observed 2 (the mean), two 1: p = 1/2.
  const SystemStatistics a = Of({{"0", "0"}});
  const SystemStatistics b = Of({{"1", "3"}});
  SignificanceOptions options;
  EXPECT_NEAR(RandomisationP(MeanMetric(), a, b, options), 0.5, 4 * std::sqrt(0.25 / 10000));
  options.strictly_greater = true;
  EXPECT_DOUBLE_EQ(RandomisationP(MeanMetric(), a, b, options), 1. / 10001);
}

TEST(SignificanceTest, RunsAreMorePoints) {
  // Ten points that all differ by 1: only the two shuffles that swap all or none give the observed difference.
  const std::vector<std::string> zeros(5, "0");
  const std::vector<std::string> ones(5, "1");
  const SignificanceOptions options;
  const double exact = 2. / 1024;
  EXPECT_NEAR(RandomisationP(MeanMetric(), Of({zeros, zeros}), Of({ones, ones}), options), exact,
              4 * std::sqrt(exact / 10000) + 1e-4);
}

TEST(SignificanceTest, ASystemAgainstItself) {
  const SystemStatistics a = Of({{"1", "5", "2"}, {"2", "3", "7"}});
  SignificanceOptions options;
  const BootstrapScores bootstrap = Bootstrap(MeanMetric(), a, options);
  EXPECT_EQ(RandomisationP(MeanMetric(), a, a, options), 1);
  EXPECT_EQ(PairedBootstrapP(bootstrap, bootstrap, 0, options), 1);
  options.strictly_greater = true;
  EXPECT_DOUBLE_EQ(RandomisationP(MeanMetric(), a, a, options), 1. / 10001);
}

TEST(SignificanceTest, BootstrapDeviationIsThatOfTheMean) {
  // The standard error of a mean of n draws from {0, 1} with equal odds: 1/2 / sqrt(n).
  std::vector<std::string> half(100, "0");
  for (size_t i = 0; i < 50; ++i) half[i] = "1";
  const BootstrapScores bootstrap = Bootstrap(MeanMetric(), Of({half, half}), {});
  EXPECT_NEAR(bootstrap.deviation, 0.05, 0.002);
  EXPECT_NEAR(Mean(bootstrap.pooled), 0.5, 0.002);
}

TEST(SignificanceTest, PairedBootstrapByHand) {
  // |differences| 1, 1, 4, with mean 2: shifted -1, -1, 2; one of them is at least 2, none greater.
  const BootstrapScores a{0, {0, 2, 0}};
  const BootstrapScores b{0, {1, 1, 4}};
  SignificanceOptions options;
  EXPECT_DOUBLE_EQ(PairedBootstrapP(a, b, 2, options), 2. / 4);
  options.strictly_greater = true;
  EXPECT_DOUBLE_EQ(PairedBootstrapP(a, b, 2, options), 1. / 4);
}

TEST(SignificanceTest, ThreadsChangeNothingAndTheSeedDoes) {
  std::mt19937 random(3);
  std::vector<std::vector<std::string>> first(2);
  std::vector<std::vector<std::string>> second(2);
  for (auto* system : {&first, &second})
    for (auto& run : *system)
      for (int i = 0; i < 150; ++i) run.push_back(std::to_string(random() % 100));
  SignificanceOptions options;
  options.shuffles = options.replicas = 1000;
  const SystemStatistics a = Of(first);
  const SystemStatistics b = Of(second);
  const double p = RandomisationP(MeanMetric(), a, b, options);
  const BootstrapScores bootstrap = Bootstrap(MeanMetric(), a, options);
  options.threads = 3;
  EXPECT_EQ(RandomisationP(MeanMetric(), a, b, options), p);
  EXPECT_EQ(Bootstrap(MeanMetric(), a, options).pooled, bootstrap.pooled);
  EXPECT_EQ(Bootstrap(MeanMetric(), a, options).deviation, bootstrap.deviation);
  options.seed = 2;
  EXPECT_NE(Bootstrap(MeanMetric(), a, options).pooled, bootstrap.pooled);
}

TEST(SignificanceTest, StandardDeviationIsThatOfASample) {
  EXPECT_DOUBLE_EQ(StandardDeviation(std::vector<double>{1, 2, 3}), 1);
  EXPECT_EQ(StandardDeviation(std::vector<double>{5}), 0);
}

TEST(ComparisonTest, MeansDeviationsAndBaselines) {
  const std::vector<SystemOutputs> systems = {
      {"base", {{"1", "2"}, {"3", "4"}}}, {"other", {{"5", "6"}, {"7", "8"}}}, {"third", {{"1", "1"}, {"1", "1"}}}};
  SignificanceOptions options;
  options.shuffles = options.replicas = 100;
  const std::vector<SystemResult> results = Compare(MeanMetric(), systems, {0, 1}, options);
  EXPECT_EQ(results[0].scores, (std::vector<double>{1.5, 3.5}));
  EXPECT_EQ(results[0].mean, 2.5);
  EXPECT_DOUBLE_EQ(*results[0].s_opt, std::sqrt(2.));
  ASSERT_EQ(results[0].contrasts.size(), 1u);  // not against itself
  ASSERT_EQ(results[2].contrasts.size(), 2u);
  EXPECT_EQ(results[2].contrasts[1].baseline, 1u);
  EXPECT_EQ(results[2].contrasts[1].difference, -5.5);
  EXPECT_FALSE(results[2].contrasts[1].better);
  EXPECT_TRUE(results[1].contrasts[0].better);
}

TEST(ComparisonTest, NumbersOfRunsMustBeEqual) {
  EXPECT_THROW(Compare(MeanMetric(), {{"a", {{"1"}}}, {"b", {{"1"}, {"2"}}}}, {0}, {}), Error);
}

TEST(ComparisonTest, EndsWhenAskedTo) {
  std::stop_source stop;
  const SignificanceOptions options{.stop = StopCheck(stop.get_token())};
  const SystemStatistics a = Of({{"0", "1"}}), b = Of({{"1", "3"}});
  EXPECT_NO_THROW(RandomisationP(MeanMetric(), a, b, options));
  stop.request_stop();
  EXPECT_THROW(RandomisationP(MeanMetric(), a, b, options), Stopped);
  EXPECT_THROW(Bootstrap(MeanMetric(), a, options), Stopped);
  EXPECT_THROW(StatisticsOf(MeanMetric(), {{"1"}}, 1, options.stop), Stopped);
  for (const char* name : {"bleu", "chrf", "chrf++", "ter"})
    EXPECT_THROW(Metric::Create(name, {{"a b"}}, {}, options.stop), Stopped) << name;
}

}  // namespace
}  // namespace graft::engine
