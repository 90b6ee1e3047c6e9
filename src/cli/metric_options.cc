#include "cli/metric_options.h"

#include "cli/option_flags.h"
#include "eval/metric_table.h"

namespace graft::engine::cli {

void MetricOption::AddTo(CLI::App* app) { AddFlags(app, MetricOptionTable(), {.check_values = false}, &options); }

}  // namespace graft::engine::cli
