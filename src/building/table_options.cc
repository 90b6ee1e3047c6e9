#include "building/table_options.h"

#include <fmt/format.h>

#include "rules/rule_text.h"
#include "table/score_coding.h"

namespace graft::engine {
namespace {

constexpr double kMostKept = 1'000'000'000;

constexpr const char* kKeepHelp = "Best targets of a source side by p(t|s)";

}  // namespace

std::string MaxPairRulesDefault() {
  return fmt::format("{}; {} where non-terminals replace sub-pairs", kMaxPairRules, kMaxPairRulesWithSubPairs);
}

const OptionTable<graft::TableOptions>& TableOptionTable() {
  static const OptionTable<graft::TableOptions> table = {
      .section = "table",
      .help = "How rules are stored in a table.",
      .options = {{.key = "scores",
                   .field = {Member(&graft::TableOptions::scores), ScoreCodingNames()},
                   .help = "How scores are stored: q16 (1/512), f32 (exact) or q8 (smallest)",
                   .flag = "--scores"},
                  {.key = "counts",
                   .field = Member(&graft::TableOptions::counts),
                   .help = "Store c(t) c(s) c(s,t) with every rule",
                   .flag = "--counts"},
                  {.key = "keep",
                   .field = Member(&graft::TableOptions::keep),
                   .help = std::string(kKeepHelp) + "; 0: all",
                   .flag = "--keep",
                   .range = {0, kMostKept}}}};
  return table;
}

const OptionTable<graft::TableOptions>& CorpusRulesTable() {
  static const OptionTable<graft::TableOptions> table = {
      .section = "table",
      .help = "How a corpus is read for its rules, besides what `[system]` says.",
      .options = {{.key = "lowercase",
                   .field = Member(&graft::TableOptions::lowercase),
                   .help = "Lower-case source and target",
                   .flag = "--lowercase"},
                  MaxPairRulesOption<graft::TableOptions>(Member(&graft::TableOptions::max_pair_rules))}};
  return table;
}

const OptionTable<PruneOptions>& PruneOptionTable() {
  static const OptionTable<PruneOptions> table = {
      .section = "prune",
      .help = "What stays of a table; an entry must pass every test that is given.",
      .options = {{.key = "keep",
                   .field = Member(&PruneOptions::keep),
                   .help = kKeepHelp,
                   .flag = "--keep",
                   .range = {1, kMostKept},
                   .default_text = ""},
                  {.key = "min_prob",
                   .field = {OptionType::kNumber,
                             [](const PruneOptions& options) -> OptionValue { return options.min_prob.value_or(0); },
                             [](PruneOptions* options, const OptionValue& value) {
                               options->min_prob = std::get<double>(value);
                             }},
                   .help = "Only targets with p(t|s) of at least P",
                   .flag = "--min-prob",
                   .placeholder = "P",
                   .range = {0, 1},
                   .default_text = ""},
                  {.key = "min_count",
                   .field = {OptionType::kText,
                             [](const PruneOptions& options) -> OptionValue {
                               return options.min_count ? FormatCount(*options.min_count) : std::string();
                             },
                             [](PruneOptions* options, const OptionValue& value) {
                               options->min_count = ParseCount(std::get<std::string>(value));
                             }},
                   .help = "Only rules seen at least C times; needs a table with counts",
                   .flag = "--min-count",
                   .placeholder = "C",
                   .default_text = ""}}};
  return table;
}

}  // namespace graft::engine
