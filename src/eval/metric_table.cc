#include "eval/metric_table.h"

#include "eval/bleu.h"
#include "eval/bleu_tokeniser.h"
#include "eval/metric.h"
#include "util/option_text.h"

namespace graft::engine {

const OptionTable<graft::MetricOptions>& MetricOptionTable() {
  static const OptionTable<graft::MetricOptions> table = {
      .section = "metric",
      .help = "How translations are scored; flags of `graft eval` and `graft compare`.",
      .options = {{.key = "metrics",
                   .field = {Member(&graft::MetricOptions::metrics), MetricNames()},
                   .help = "Of " + Joined(MetricNames(), "and") + ", joined by commas",
                   .flag = "--metrics",
                   .placeholder = "NAME,…",
                   .commas = true},
                  {.key = "tokeniser",
                   .field = {Member(&graft::MetricOptions::tokeniser), BleuTokeniserNames()},
                   .help = "Tokens of BLEU: " + Joined(BleuTokeniserNames(), "or"),
                   .flag = "--tokenize,--tokenise"},
                  {.key = "lowercase",
                   .field = Member(&graft::MetricOptions::lowercase),
                   .help = "Ignore case in BLEU and chrF",
                   .flag = "--lowercase"},
                  {.key = "smoothing",
                   .field = {Member(&graft::MetricOptions::smoothing), BleuSmoothingNames()},
                   .help = "For n-gram orders of BLEU without a match: " + Joined(BleuSmoothingNames(), "or"),
                   .flag = "--smooth"},
                  {.key = "ter_case_sensitive",
                   .field = Member(&graft::MetricOptions::ter_case_sensitive),
                   .help = "Mind case in TER",
                   .flag = "--ter-case-sensitive"}}};
  return table;
}

const OptionTable<graft::CompareOptions>& CompareOptionTable() {
  static const OptionTable<graft::CompareOptions> table = {
      .section = "compare",
      .help = "How sure a difference between systems is.",
      .options = {{.key = "shuffles",
                   .field = Member(&graft::CompareOptions::shuffles),
                   .help = "Shuffles of the randomisation test",
                   .flag = "--shuffles",
                   .range = {1, 100'000'000}},
                  {.key = "replicas",
                   .field = Member(&graft::CompareOptions::replicas),
                   .help = "Replicas of the test set (bootstrap)",
                   .flag = "--replicas",
                   .range = {2, 100'000'000}},
                  {.key = "seed",
                   .field = Member(&graft::CompareOptions::seed),
                   .help = "Of shuffles and replicas",
                   .flag = "--seed",
                   .range = {.least = 0}},
                  {.key = "alpha",
                   .field = Member(&graft::CompareOptions::alpha),
                   .help = "Largest p that is called significant",
                   .flag = "--alpha",
                   .placeholder = "P",
                   .range = {0, 1}},
                  {.key = "strictly_greater",
                   .field = Member(&graft::CompareOptions::strictly_greater),
                   .help = "Count only differences greater than the observed one, as MultEval does",
                   .flag = "--multeval"}}};
  return table;
}

std::vector<std::string> UsualMetrics() { return MetricNames(); }
std::vector<std::string> UsualComparedMetrics() { return {"bleu", "chrf", "ter"}; }

}  // namespace graft::engine
