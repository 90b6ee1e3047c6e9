// graft compare: several systems on one test set, with significance.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/common.h"
#include "cli/metric_options.h"
#include "cli/text_table.h"
#include "eval/comparison.h"
#include "eval/test_set.h"
#include "graft/error.h"
#include "util/output_file.h"
#include "util/suggest.h"

namespace graft::engine::cli {

namespace {

constexpr std::string_view kMarks = "*+#^~";  // of the first baseline, the second, …

struct Arguments {
  std::vector<std::string> references;
  std::vector<std::vector<std::string>> systems;  // name, then one file per run
  std::vector<std::string> baselines;
  MetricOption metrics{{"bleu", "chrf", "ter"}};
  SignificanceOptions significance;
  ThreadOption threads;
  double alpha = 0.01;
  bool json = false;
  bool markdown = false;
  std::string output = "-";
};

struct Report {
  const Arguments& arguments;
  const std::vector<std::unique_ptr<Metric>>& metrics;
  const std::vector<std::vector<SystemResult>>& results;  // [metric][system]
  const std::vector<size_t>& baselines;
  size_t sentences;
  size_t runs;

  bool Significant(const Contrast& contrast) const { return contrast.better && contrast.p <= arguments.alpha; }

  std::string Marks(const SystemResult& system) const {
    std::string marks;
    for (size_t i = 0; i < baselines.size(); ++i)
      for (const Contrast& contrast : system.contrasts)
        if (contrast.baseline == baselines[i] && Significant(contrast)) marks += kMarks[i];
    return marks;
  }

  std::string Name(size_t system) const { return arguments.systems[system].front(); }

  std::vector<TableRow> Table(size_t metric) const {
    TableRow head = {"system", metrics[metric]->name(), "s_sel", "s_opt"};
    for (const size_t baseline : baselines) {
      head.push_back("Δ " + Name(baseline));
      head.push_back("p");
      head.push_back("p boot");
    }
    // Marks stand to the right of the digits, which stay below each other.
    size_t most_marks = 0;
    for (const SystemResult& system : results[metric]) most_marks = std::max(most_marks, Marks(system).size());
    std::vector<TableRow> rows = {head};
    for (size_t system = 0; system < results[metric].size(); ++system) {
      const SystemResult& result = results[metric][system];
      TableRow row = {result.name, fmt::format("{:.2f}{:<{}}", result.mean, Marks(result), most_marks),
                      fmt::format("{:.2f}", result.s_sel), result.s_opt ? fmt::format("{:.2f}", *result.s_opt) : "-"};
      for (const size_t baseline : baselines) {
        const auto contrast = std::find_if(result.contrasts.begin(), result.contrasts.end(),
                                           [baseline](const Contrast& c) { return c.baseline == baseline; });
        if (contrast == result.contrasts.end()) {
          row.insert(row.end(), {"-", "-", "-"});
          continue;
        }
        row.push_back(fmt::format("{:+.2f}", contrast->difference));
        row.push_back(fmt::format("{:.4f}", contrast->p));
        row.push_back(fmt::format("{:.4f}", contrast->p_bootstrap));
      }
      rows.push_back(std::move(row));
    }
    return rows;
  }

  std::string Legend() const {
    std::string text;
    for (size_t i = 0; i < baselines.size(); ++i)
      text +=
          fmt::format("{} significantly better than {} (p <= {})\n", kMarks[i], Name(baselines[i]), arguments.alpha);
    text += fmt::format(
        "p: stratified approximate randomisation, {} shuffles{}; p boot: paired bootstrap, {} replicas; seed {}.\n",
        arguments.significance.shuffles, arguments.significance.strictly_greater ? ", strictly greater (MultEval)" : "",
        arguments.significance.replicas, arguments.significance.seed);
    text += fmt::format(
        "Means of {} run{} on {} sentence{}. s_sel: standard deviation by choice of the test sentences (bootstrap); "
        "s_opt: over the runs.\n",
        runs, runs == 1 ? "" : "s", sentences, sentences == 1 ? "" : "s");
    return text;
  }

  std::string Text() const {
    std::string text;
    for (size_t metric = 0; metric < metrics.size(); ++metric) {
      const std::string title = fmt::format("{}|{}{}", metrics[metric]->name(), metrics[metric]->signature(),
                                            metrics[metric]->higher_is_better() ? "" : " (lower is better)");
      if (arguments.markdown) {
        text += fmt::format("`{}`\n\n{}\n", title, MarkdownTable(Table(metric)));
      } else {
        text += fmt::format("{}\n{}\n", title, PlainTable(Table(metric)));
      }
    }
    return text + (arguments.markdown ? "```\n" + Legend() + "```\n" : Legend());
  }

  std::string Json() const {
    nlohmann::ordered_json all;
    all["sentences"] = sentences;
    all["runs"] = runs;
    all["shuffles"] = arguments.significance.shuffles;
    all["replicas"] = arguments.significance.replicas;
    all["seed"] = arguments.significance.seed;
    all["alpha"] = arguments.alpha;
    all["multeval"] = arguments.significance.strictly_greater;
    all["baselines"] = nlohmann::ordered_json::array();
    for (const size_t baseline : baselines) all["baselines"].push_back(Name(baseline));
    all["metrics"] = nlohmann::ordered_json::array();
    for (size_t metric = 0; metric < metrics.size(); ++metric) {
      nlohmann::ordered_json object;
      object["name"] = metrics[metric]->name();
      object["signature"] = metrics[metric]->signature();
      object["higher_is_better"] = metrics[metric]->higher_is_better();
      object["systems"] = nlohmann::ordered_json::array();
      for (const SystemResult& system : results[metric]) object["systems"].push_back(Json(system));
      all["metrics"].push_back(std::move(object));
    }
    return all.dump(1) + "\n";
  }

  nlohmann::ordered_json Json(const SystemResult& system) const {
    nlohmann::ordered_json object;
    object["name"] = system.name;
    object["scores"] = system.scores;
    object["mean"] = system.mean;
    object["s_sel"] = system.s_sel;
    object["s_opt"] = system.s_opt ? nlohmann::ordered_json(*system.s_opt) : nlohmann::ordered_json(nullptr);
    object["marks"] = Marks(system);
    object["against"] = nlohmann::ordered_json::array();
    for (const Contrast& contrast : system.contrasts) {
      object["against"].push_back({{"baseline", Name(contrast.baseline)},
                                   {"delta", contrast.difference},
                                   {"delta_pooled", contrast.pooled},
                                   {"p", contrast.p},
                                   {"p_bootstrap", contrast.p_bootstrap},
                                   {"significantly_better", Significant(contrast)}});
    }
    return object;
  }
};

// Indices of the baselines: the first system unless others are named.
std::vector<size_t> Baselines(const Arguments& arguments) {
  if (arguments.baselines.empty()) return {0};
  if (arguments.baselines.size() > kMarks.size())
    throw Error(fmt::format("at most {} baselines: there are marks for no more ({})", kMarks.size(), kMarks));
  std::vector<std::string> names;
  for (const auto& system : arguments.systems) names.push_back(system.front());
  std::vector<size_t> baselines;
  for (const std::string& name : arguments.baselines) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) throw Error("no system is called `" + name + "`" + Suggestion(name, names));
    baselines.push_back(static_cast<size_t>(found - names.begin()));
    if (std::count(baselines.begin(), baselines.end(), baselines.back()) > 1)
      throw Error("`" + name + "` is named as a baseline twice");
  }
  return baselines;
}

void CheckFiles(const Arguments& arguments) {
  if (arguments.systems.size() < 2)
    throw Error("one system alone cannot be compared; name two or more with --system NAME HYP…");
  for (size_t i = 0; i < arguments.systems.size(); ++i) {
    const auto& system = arguments.systems[i];
    if (system.size() < 2)
      throw Error(fmt::format("--system {}: no output; write --system NAME HYP…, one file per run", system.front()));
    for (size_t j = 0; j < i; ++j)
      if (arguments.systems[j].front() == system.front())
        throw Error(
            fmt::format("two systems are called {}; several runs of one system go into one --system", system.front()));
  }
  std::vector<std::string> files = arguments.references;
  for (const auto& system : arguments.systems) files.insert(files.end(), system.begin() + 1, system.end());
  RequireOneStdin(files);
}

void Run(const Arguments& arguments) {
  const Reporter reporter = ConsoleReporter();
  CheckFiles(arguments);
  const std::vector<size_t> baselines = Baselines(arguments);
  const TestSet test = ReadTestSet(arguments.references, reporter);
  std::vector<SystemOutputs> systems;
  for (const auto& system : arguments.systems) {
    SystemOutputs& outputs = systems.emplace_back();
    outputs.name = system.front();
    for (size_t run = 1; run < system.size(); ++run) {
      outputs.runs.push_back(test.ReadHypotheses(system[run], reporter));
      WarnIfTokenised(arguments.metrics, system[run], outputs.runs.back(), reporter);
    }
  }
  SignificanceOptions significance = arguments.significance;
  significance.threads = arguments.threads.value();
  const auto metrics = arguments.metrics.Create(test.references);
  std::vector<std::vector<SystemResult>> results;
  for (const auto& metric : metrics) results.push_back(Compare(*metric, systems, baselines, significance));

  const Report report{arguments, metrics, results, baselines, test.sentences(), systems.front().runs.size()};
  OutputFile output(arguments.output);
  output.Write(arguments.json ? report.Json() : report.Text());
  output.Close();
}

}  // namespace

void AddCompare(CLI::App* app) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* verb = app->add_subcommand("compare", "Compare systems on a test set, with significance");
  verb->add_option("--ref", arguments->references, "Reference translations")->required()->type_name("FILE…");
  verb->add_option("--system", arguments->systems, "A system and its output, several files for several tuning runs")
      ->required()
      ->type_name("NAME HYP…");
  verb->add_option("--baseline", arguments->baselines,
                   "A system the others are compared with (default: the first); may be repeated")
      ->allow_extra_args(false)
      ->type_name("NAME");
  arguments->metrics.AddTo(verb);
  verb->add_option("--shuffles", arguments->significance.shuffles, "Shuffles of the randomisation test")
      ->check(CLI::Range(1, 100'000'000))
      ->type_name("N")
      ->capture_default_str();
  verb->add_option("--replicas", arguments->significance.replicas, "Replicas of the test set (bootstrap)")
      ->check(CLI::Range(2, 100'000'000))
      ->type_name("N")
      ->capture_default_str();
  verb->add_option("--seed", arguments->significance.seed, "Of shuffles and replicas")
      ->type_name("N")
      ->capture_default_str();
  verb->add_option("--alpha", arguments->alpha, "Largest p that is called significant")
      ->check(CLI::Range(0.0, 1.0))
      ->type_name("P")
      ->capture_default_str();
  verb->add_flag("--multeval", arguments->significance.strictly_greater,
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
