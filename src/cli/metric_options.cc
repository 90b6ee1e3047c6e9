#include "cli/metric_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/common.h"
#include "graft/error.h"
#include "util/suggest.h"

namespace graft::engine::cli {

namespace {

BleuSmoothing SmoothingByName(const std::string& name) {
  if (name == "exp") return BleuSmoothing::kExp;
  if (name == "floor") return BleuSmoothing::kFloor;
  if (name == "add-k") return BleuSmoothing::kAddK;
  if (name == "none") return BleuSmoothing::kNone;
  const std::vector<std::string> known = {"exp", "floor", "add-k", "none"};
  throw Error("unknown smoothing `" + name + "`" + Suggestion(name, known));
}

}  // namespace

void MetricOption::AddTo(CLI::App* app) {
  app->add_option("--metrics", names, "Of bleu, chrf, chrf++ and ter, joined by commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME,…")
      ->default_str(fmt::format("{}", fmt::join(names, ",")));
  app->add_option("--tokenize,--tokenise", tokeniser, "Tokens of BLEU: 13a, zh, none, intl or char")
      ->type_name("NAME")
      ->capture_default_str();
  app->add_flag("--lowercase", options.lowercase, "Ignore case in BLEU and chrF");
  app->add_option("--smooth", smoothing, "For n-gram orders of BLEU without a match: exp, floor, add-k or none")
      ->type_name("NAME")
      ->capture_default_str();
  app->add_flag("--ter-case-sensitive", options.ter_case_sensitive, "Mind case in TER");
}

std::vector<std::unique_ptr<Metric>> MetricOption::Create(
    const std::vector<std::vector<std::string>>& references) const {
  MetricOptions all = options;
  all.tokeniser = BleuTokeniserByName(tokeniser);
  all.smoothing = SmoothingByName(smoothing);
  std::vector<std::unique_ptr<Metric>> metrics;
  for (const std::string& name : names) metrics.push_back(Metric::Create(name, references, all));
  return metrics;
}

void WarnIfTokenised(const MetricOption& metrics, const std::string& path, const std::vector<std::string>& lines,
                     const Reporter& reporter) {
  const bool bleu = std::find(metrics.names.begin(), metrics.names.end(), "bleu") != metrics.names.end();
  if (!bleu || metrics.tokeniser == "none" || metrics.tokeniser == "char") return;
  const auto count =
      std::count_if(lines.begin(), lines.end(), [](const std::string& line) { return line.ends_with(" ."); });
  if (count < 100) return;
  reporter.Warn(
      fmt::format("{}: {} lines end in a tokenised full stop; BLEU of others is that of detokenised text "
                  "(--tokenize none scores the tokens as they are)",
                  path, count));
}

}  // namespace graft::engine::cli
