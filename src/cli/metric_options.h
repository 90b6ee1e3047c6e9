// What `eval` and `compare` share: which metrics, and how text is read for them.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

#include "graft/evaluation.h"

namespace graft::engine::cli {

// --metrics, --tokenize, --lowercase, --smooth, --ter-case-sensitive. Must outlive the application it is added to.
struct MetricOption {
  explicit MetricOption(std::vector<std::string> defaults) { options.metrics = std::move(defaults); }
  void AddTo(CLI::App* app);

  graft::MetricOptions options;
};

}  // namespace graft::engine::cli
