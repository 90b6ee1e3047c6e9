// Scores as sacreBLEU gives them, and how sure a difference is.
//
//   const std::vector<graft::Score> scores = graft::Evaluate({.hypotheses = "out.en", .references = {"test.en"}});
//   for (const graft::Score& score : scores) std::printf("%s = %.2f\n", score.name.c_str(), score.value);
//
//   const graft::ComparisonSummary compared = graft::Compare(
//       {.references = {"test.en"}, .systems = {{"pbmt", {"pbmt.out"}}, {"dbg", {"dbg.out"}}}});
//   std::puts(compared.text.c_str());
//
// reporter.stop ends any of them with Stopped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graft/reporter.h"

#pragma GCC visibility push(default)
namespace graft {

struct MetricOptions {
  std::vector<std::string> metrics{};  // of bleu, chrf, chrf++, ter; empty: the usual ones
  std::string tokeniser = "13a";       // of BLEU, as sacreBLEU names them
  std::string smoothing = "exp";       // of BLEU
  bool lowercase = false;
  bool ter_case_sensitive = false;
};

struct EvaluateOptions {
  std::string hypotheses{};               // a file, one sentence a line; - is stdin
  std::vector<std::string> references{};  // files
  MetricOptions metric{};
  int threads = 0;  // 0: as many as the machine has cores
};
struct Score {
  std::string name;  // "BLEU"
  double value = 0;
  std::string details;    // of BLEU: precisions, brevity penalty, lengths
  std::string signature;  // "nrefs:1|case:mixed|…"
  std::string json;       // the parts of the score, an object
};
std::vector<Score> Evaluate(const EvaluateOptions& options, const Reporter& reporter = {});
// The same for lines in memory.
std::vector<Score> EvaluateLines(const std::vector<std::string>& hypotheses,
                                 const std::vector<std::vector<std::string>>& references,
                                 const MetricOptions& metric = {}, int threads = 0, const Reporter& reporter = {});
// The same for people, as `sacrebleu --format text`, and for programs: sacreBLEU's keys, then the parts of each score.
std::string ScoresText(const std::vector<Score>& scores, int digits = 2);
std::string ScoresJson(const std::vector<Score>& scores, int digits = 2);

struct ComparedSystem {
  std::string name;
  std::vector<std::string> outputs;  // files, one for each tuning run
};
struct CompareOptions {
  std::vector<std::string> references{};
  std::vector<ComparedSystem> systems{};
  std::vector<std::string> baselines{};  // names; empty: the first system
  MetricOptions metric{};
  int shuffles = 10'000;  // of the randomisation test
  int replicas = 10'000;  // of the test set, by bootstrap
  uint64_t seed = 1;
  double alpha = 0.01;            // largest p that is called significant
  bool strictly_greater = false;  // as MultEval counts
  int threads = 0;
};
// A system against a baseline.
struct Contrast {
  std::string baseline;
  double difference = 0;  // of the means
  double pooled = 0;      // of the scores of all runs' sums
  double p = 1;           // stratified approximate randomisation
  double p_bootstrap = 1;
  bool significantly_better = false;
};
struct SystemScores {
  std::string name;
  std::vector<double> runs;
  double mean = 0;
  double s_sel = 0;             // standard deviation by choice of the test sentences
  std::optional<double> s_opt;  // over the runs
  std::vector<Contrast> contrasts;
};
struct MetricComparison {
  std::string metric, signature;
  bool higher_is_better = true;
  std::vector<SystemScores> systems;
};
struct ComparisonSummary {
  size_t sentences = 0, runs = 0;
  std::vector<std::string> baselines;
  std::vector<MetricComparison> metrics;
  std::string text, markdown, json;  // the same for people, for documents, for programs
};
ComparisonSummary Compare(const CompareOptions& options, const Reporter& reporter = {});

}  // namespace graft
#pragma GCC visibility pop
