// graft compare: several systems on one test set, with significance.
#include <memory>

#include "cli/common.h"
#include "cli/metric_options.h"
#include "graft/evaluation.h"
#include "util/output_file.h"

namespace graft::engine::cli {

namespace {

struct Arguments {
  CompareOptions compare;
  std::vector<std::vector<std::string>> systems;  // name, then one file per run
  MetricOption metrics{{"bleu", "chrf", "ter"}};
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
  verb->add_option("--shuffles", arguments->compare.shuffles, "Shuffles of the randomisation test")
      ->check(CLI::Range(1, 100'000'000))
      ->type_name("N")
      ->capture_default_str();
  verb->add_option("--replicas", arguments->compare.replicas, "Replicas of the test set (bootstrap)")
      ->check(CLI::Range(2, 100'000'000))
      ->type_name("N")
      ->capture_default_str();
  verb->add_option("--seed", arguments->compare.seed, "Of shuffles and replicas")
      ->type_name("N")
      ->capture_default_str();
  verb->add_option("--alpha", arguments->compare.alpha, "Largest p that is called significant")
      ->check(CLI::Range(0.0, 1.0))
      ->type_name("P")
      ->capture_default_str();
  verb->add_flag("--multeval", arguments->compare.strictly_greater,
                 "Count only differences greater than the observed one, as MultEval does");
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
