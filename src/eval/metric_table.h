// The settings of metrics and of comparisons, declared once: of `graft eval` and `graft compare`.
#pragma once

#include <string>
#include <vector>

#include "graft/evaluation.h"
#include "util/options.h"

namespace graft::engine {

const OptionTable<graft::MetricOptions>& MetricOptionTable();
const OptionTable<graft::CompareOptions>& CompareOptionTable();  // besides those of its metrics

// The usual metrics where none are named.
std::vector<std::string> UsualMetrics();
std::vector<std::string> UsualComparedMetrics();

}  // namespace graft::engine
