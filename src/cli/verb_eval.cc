// graft eval: scores of one output.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/common.h"
#include "cli/metric_options.h"
#include "eval/test_set.h"
#include "util/output_file.h"
#include "util/utf8.h"

namespace graft::engine::cli {

namespace {

struct Arguments {
  std::string hypotheses;
  std::vector<std::string> references;
  MetricOption metrics{{"bleu", "chrf", "chrf++", "ter"}};
  ThreadOption threads;
  int width = 2;
  bool json = false;
  bool score_only = false;
  std::string output = "-";
};

struct Result {
  const Metric* metric;
  std::vector<double> sums;
};

// `sacrebleu --format text`: name, signature, score and its parts, the equal signs below each other.
std::string AsText(const std::vector<Result>& results, int width) {
  std::vector<std::string> names;
  size_t longest = 0;
  for (const Result& result : results) {
    names.push_back(fmt::format("{}|{}", result.metric->name(), result.metric->signature()));
    longest = std::max(longest, names.back().size());
  }
  std::string text;
  for (size_t i = 0; i < results.size(); ++i) {
    const Metric& metric = *results[i].metric;
    const std::string details = metric.Details(results[i].sums);
    text += fmt::format("{:>{}} = {:.{}f}{}{}\n", names[i], longest, metric.Score(results[i].sums), width,
                        details.empty() ? "" : " ", details);
  }
  return text;
}

// sacreBLEU's keys, then the parts of the score as numbers.
std::string AsJson(const std::vector<Result>& results, int width) {
  auto array = nlohmann::ordered_json::array();
  for (const Result& result : results) {
    const Metric& metric = *result.metric;
    nlohmann::ordered_json object;
    object["name"] = metric.name();
    object["score"] = std::stod(fmt::format("{:.{}f}", metric.Score(result.sums), width));
    const std::string signature = metric.signature();
    object["signature"] = signature;
    const std::string details = metric.Details(result.sums);
    if (!details.empty()) object["verbose_score"] = details;
    for (const std::string_view field : SplitFields(signature, "|")) {
      const std::vector<std::string_view> pair = SplitFields(field, ":");
      object[std::string(pair[0])] = pair[1];
    }
    object.update(metric.Fields(result.sums));
    array.push_back(std::move(object));
  }
  return array.dump(1) + "\n";
}

void Run(const Arguments& arguments) {
  const Reporter reporter = ConsoleReporter();
  std::vector<std::string> files = arguments.references;
  files.push_back(arguments.hypotheses);
  RequireOneStdin(files);
  const TestSet test = ReadTestSet(arguments.references, reporter);
  const std::vector<std::string> hypotheses = test.ReadHypotheses(arguments.hypotheses, reporter);
  WarnIfTokenised(arguments.metrics, arguments.hypotheses, hypotheses, reporter);

  std::vector<Result> results;
  const auto metrics = arguments.metrics.Create(test.references);
  for (const auto& metric : metrics)
    results.push_back({metric.get(), StatisticsOf(*metric, {hypotheses}, arguments.threads.value()).Sum(0)});

  OutputFile output(arguments.output);
  if (arguments.json) {
    output.Write(AsJson(results, arguments.width));
  } else if (arguments.score_only) {
    for (const Result& result : results)
      output.Write(fmt::format("{:.{}f}\n", result.metric->Score(result.sums), arguments.width));
  } else {
    output.Write(AsText(results, arguments.width));
  }
  output.Close();
}

}  // namespace

void AddEval(CLI::App* app) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* verb = app->add_subcommand("eval", "Score a translation: BLEU, chrF, chrF++ and TER, as sacreBLEU does");
  verb->add_option("HYP", arguments->hypotheses, "The translation, one sentence a line (- is stdin)")
      ->required()
      ->type_name("FILE");
  verb->add_option("REF", arguments->references, "Reference translations, line by line the same sentences")
      ->required()
      ->type_name("FILE");
  arguments->metrics.AddTo(verb);
  verb->add_option("--width", arguments->width, "Digits after the point")
      ->check(CLI::Range(0, 15))
      ->type_name("N")
      ->capture_default_str();
  CLI::Option* json = verb->add_flag("--json", arguments->json, "A list with one object per metric");
  verb->add_flag("--score-only", arguments->score_only, "Nothing but the scores, one a line")->excludes(json);
  verb->add_option("-o,--output", arguments->output, "Where the scores go (default: stdout)")->type_name("FILE");
  arguments->threads.AddTo(verb);
  verb->footer(fmt::format(
      "Scores, digits and signatures are those of sacreBLEU {0}: the signature's version says so.\n"
      "Higher is better, but for TER.\n\n"
      "Examples:\n"
      "  graft eval out.en test.en\n"
      "  graft translate -m model test.de | graft eval - test.en --tokenize none --metrics bleu --score-only",
      kSacrebleuVersion));
  verb->callback([arguments] { Run(*arguments); });
}

}  // namespace graft::engine::cli
