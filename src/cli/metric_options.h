// What `eval` and `compare` share: which metrics, and how text is read for them.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "eval/metric.h"
#include "graft/reporter.h"

namespace graft::engine::cli {

// --metrics, --tokenize, --lowercase, --smooth, --ter-case-sensitive. Must outlive the application it is added to.
struct MetricOption {
  explicit MetricOption(std::vector<std::string> defaults) : names(std::move(defaults)) {}
  void AddTo(CLI::App* app);

  // Throws Error for unknown names.
  std::vector<std::unique_ptr<Metric>> Create(const std::vector<std::vector<std::string>>& references) const;

  std::vector<std::string> names;
  std::string tokeniser = "13a";
  std::string smoothing = "exp";
  MetricOptions options;  // the rest
};

// Warns when a hypothesis file looks tokenised though it is going to be tokenised for BLEU.
void WarnIfTokenised(const MetricOption& metrics, const std::string& path, const std::vector<std::string>& lines,
                     const Reporter& reporter);

}  // namespace graft::engine::cli
