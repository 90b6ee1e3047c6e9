// graft eval: scores of one output.
#include <fmt/format.h>

#include <memory>

#include "cli/common.h"
#include "cli/metric_options.h"
#include "eval/metric.h"
#include "eval/metric_table.h"
#include "graft/evaluation.h"
#include "util/output_file.h"

namespace graft::engine::cli {

namespace {

struct Arguments {
  std::string hypotheses;
  std::vector<std::string> references;
  MetricOption metrics{UsualMetrics()};
  ThreadOption threads;
  int width = 2;
  bool json = false;
  bool score_only = false;
  std::string output = "-";
};

void Run(const Arguments& arguments) {
  const std::vector<Score> scores = Evaluate({.hypotheses = arguments.hypotheses,
                                              .references = arguments.references,
                                              .metric = arguments.metrics.options,
                                              .threads = arguments.threads.value()},
                                             ConsoleReporter());
  OutputFile output(arguments.output);
  if (arguments.json) {
    output.Write(ScoresJson(scores, arguments.width));
  } else if (arguments.score_only) {
    for (const Score& score : scores) output.Write(fmt::format("{:.{}f}\n", score.value, arguments.width));
  } else {
    output.Write(ScoresText(scores, arguments.width));
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
