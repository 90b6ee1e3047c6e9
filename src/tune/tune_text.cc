#include <fmt/format.h>

#include <cmath>

#include "tune/tune.h"
#include "util/output_file.h"

namespace graft::engine {

double TuneResult::mean_bleu() const {
  double sum = 0;
  for (const TuneRun& run : runs) sum += run.bleu;
  return runs.empty() ? 0 : sum / static_cast<double>(runs.size());
}

double TuneResult::bleu_deviation() const {
  if (runs.size() < 2) return 0;
  double sum = 0;
  for (const TuneRun& run : runs) sum += (run.bleu - mean_bleu()) * (run.bleu - mean_bleu());
  return std::sqrt(sum / static_cast<double>(runs.size() - 1));
}

std::string TuneTableHeader() {
  return fmt::format("{:>4} {:>9} {:>8} {:>12} {:>11} {:>8}", "run", "iteration", "BLEU", "length ratio", "candidates",
                     "seconds");
}

std::string TuneTableRow(const TuneIteration& row) {
  return fmt::format("{:>4} {:>9} {:>8.2f} {:>12.3f} {:>11} {:>8.1f}", row.run, row.iteration, row.bleu,
                     row.length_ratio, row.candidates, row.seconds);
}

std::vector<std::string> TuneSummary(const TuneResult& result) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < result.runs.size(); ++i) {
    const TuneRun& run = result.runs[i];
    lines.push_back(fmt::format("run {} (seed {}): dev BLEU {:.2f} at iteration {} of {}; stopped: {}", i + 1, run.seed,
                                run.bleu, run.best_iteration, run.iterations.size(), run.stopped));
  }
  if (result.runs.size() > 1)
    lines.push_back(fmt::format("dev BLEU of {} runs: mean {:.2f}, standard deviation {:.2f}; run {} is the best",
                                result.runs.size(), result.mean_bleu(), result.bleu_deviation(), result.best_run + 1));
  return lines;
}

std::string WeightsToml(ModelConfig config, const TuneRun& run, std::string_view method) {
  config.weights = run.weights;
  return fmt::format("# graft tune: method {}, seed {}, dev BLEU {:.2f} at iteration {} of {}\n{}", method, run.seed,
                     run.bleu, run.best_iteration, run.iterations.size(), WeightsFileToml(config));
}

void WriteWeights(const std::string& path, const ModelConfig& config, const TuneRun& run, std::string_view method) {
  OutputFile file(path);
  file.Write(WeightsToml(config, run, method));
  file.Close();
}

std::string RunWeightsPath(const std::string& path, int number) {
  constexpr std::string_view kExtension = ".toml";
  const bool named = path.ends_with(kExtension);
  const std::string stem = named ? path.substr(0, path.size() - kExtension.size()) : path;
  return fmt::format("{}.run{}{}", stem, number, named ? kExtension : "");
}

}  // namespace graft::engine
