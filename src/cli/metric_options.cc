#include "cli/metric_options.h"

#include <fmt/format.h>

namespace graft::engine::cli {

void MetricOption::AddTo(CLI::App* app) {
  app->add_option("--metrics", options.metrics, "Of bleu, chrf, chrf++ and ter, joined by commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME,…")
      ->default_str(fmt::format("{}", fmt::join(options.metrics, ",")));
  app->add_option("--tokenize,--tokenise", options.tokeniser, "Tokens of BLEU: 13a, zh, none, intl or char")
      ->type_name("NAME")
      ->capture_default_str();
  app->add_flag("--lowercase", options.lowercase, "Ignore case in BLEU and chrF");
  app->add_option("--smooth", options.smoothing, "For n-gram orders of BLEU without a match: exp, floor, add-k or none")
      ->type_name("NAME")
      ->capture_default_str();
  app->add_flag("--ter-case-sensitive", options.ter_case_sensitive, "Mind case in TER");
}

}  // namespace graft::engine::cli
