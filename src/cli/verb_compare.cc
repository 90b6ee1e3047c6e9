// graft compare: several systems on one test set, with significance.
#include <memory>

#include "cli/common.h"
#include "cli/metric_options.h"
#include "cli/option_flags.h"
#include "eval/metric_table.h"
#include "graft/evaluation.h"
#include "util/output_file.h"

namespace graft::engine::cli {

namespace {

struct Arguments {
  CompareOptions compare;
  std::vector<std::vector<std::string>> systems;  // name, then one file per run
  MetricOption metrics{UsualComparedMetrics()};
  ThreadOption threads;
  bool json = false;
  bool markdown = false;
  std::string output = "-";
};

void Run(const Arguments& arguments) {
  CompareOptions compare = arguments.compare;
  for (const std::vector<std::string>& system : arguments.systems)
    compare.systems.push_back({system.front(), {system.begin() + 1, system.end()}});
  compare.metric = arguments.metrics.options;
  compare.threads = arguments.threads.value();
  const ComparisonSummary summary = graft::Compare(compare, ConsoleReporter());
  OutputFile output(arguments.output);
  output.Write(arguments.json ? summary.json : arguments.markdown ? summary.markdown : summary.text);
  output.Close();
}

}  // namespace

void AddCompare(CLI::App* app) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* verb = app->add_subcommand("compare", "Compare systems on a test set, with significance");
  verb->add_option("--ref", arguments->compare.references, "Reference translations")->required()->type_name("FILE…");
  verb->add_option("--system", arguments->systems, "A system and its output, several files for several tuning runs")
      ->required()
      ->type_name("NAME HYP…");
  verb->add_option("--baseline", arguments->compare.baselines,
                   "A system the others are compared with (default: the first); may be repeated")
      ->allow_extra_args(false)
      ->type_name("NAME");
  arguments->metrics.AddTo(verb);
  AddFlags(verb, CompareOptionTable(), {}, &arguments->compare);
  CLI::Option* json = verb->add_flag("--json", arguments->json, "Everything, unrounded");
  verb->add_flag("--markdown", arguments->markdown, "Tables in Markdown")->excludes(json);
  verb->add_option("-o,--output", arguments->output, "Where the tables go (default: stdout)")->type_name("FILE");
  arguments->threads.AddTo(verb);
  verb->footer(
      "A mark says: significantly better than that baseline (* the first, + the second, …), p <= 0.01.\n"
      "Every system needs the same number of runs.\n\n"
      "Example:\n"
      "  graft compare --ref test.en --system pbmt pbmt.1 pbmt.2 pbmt.3 --system seggbmt seg.1 seg.2 seg.3");
  verb->callback([arguments] { Run(*arguments); });
}

}  // namespace graft::engine::cli
