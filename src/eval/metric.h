// The metrics of sacreBLEU, each against fixed references, as statistics that add up: a corpus's score is that of the
// sum over its sentences, and so is that of a resampled or shuffled corpus (significance.h).
//
//   auto bleu = Metric::Create("bleu", references, {});
//   const SystemStatistics statistics = StatisticsOf(*bleu, {lines}, threads);
//   const std::vector<double> sums = statistics.Sum(0);
//   fmt::print("{} = {:.2f} {}\n", bleu->name(), bleu->Score(sums), bleu->Details(sums));
//
// Scores, printed digits and signatures equal those of sacreBLEU kSacrebleuVersion, which is what the signature's
// `version` says: it names the definition of the score, not the program that computed it.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graft/evaluation.h"
#include "util/stop_check.h"

namespace graft::engine {

inline constexpr std::string_view kSacrebleuVersion = "2.6.0";

std::vector<std::string> MetricNames();  // bleu, chrf, chrf++, ter

class Metric {
 public:
  // `name`: of MetricNames(); Error for another, and for names in the options that are none. What metrics the options
  // name is not asked. references[reference][sentence] = line of valid UTF-8, all with the same number of sentences; at
  // least one reference.
  static std::unique_ptr<Metric> Create(std::string_view name, const std::vector<std::vector<std::string>>& references,
                                        const graft::MetricOptions& options, const StopCheck& stop = {});
  virtual ~Metric() = default;

  virtual std::string name() const = 0;       // as sacreBLEU prints it: BLEU, chrF2, chrF2++, TER
  virtual std::string signature() const = 0;  // "nrefs:1|case:mixed|…|version:2.6.0"
  virtual bool higher_is_better() const { return true; }

  virtual size_t width() const = 0;  // numbers in the statistics of a sentence
  // Safe to call from several threads at once. `out` has width() numbers.
  virtual void Statistics(size_t sentence, std::string_view hypothesis, std::span<double> out) const = 0;
  virtual double Score(std::span<const double> sums) const = 0;

  // What follows the score: "70.1/45.6/… (BP = …)" of BLEU, otherwise nothing.
  virtual std::string Details(std::span<const double> /*sums*/) const { return ""; }
  // The parts of the score, by name.
  virtual nlohmann::ordered_json Fields(std::span<const double> sums) const = 0;
};

// Statistics of all runs of one system.
struct SystemStatistics {
  size_t runs = 0;
  size_t sentences = 0;
  size_t width = 0;
  std::vector<double> values;  // [run][sentence][number]

  const double* Point(size_t run, size_t sentence) const { return &values[(run * sentences + sentence) * width]; }
  std::vector<double> Sum(size_t run) const;
  std::vector<double> PooledSum() const;  // over all runs
};

// runs[run][sentence] = line, as many lines as the references have. Throws Stopped as `stop` says.
SystemStatistics StatisticsOf(const Metric& metric, const std::vector<std::vector<std::string>>& runs, int threads,
                              const StopCheck& stop = {});

}  // namespace graft::engine
