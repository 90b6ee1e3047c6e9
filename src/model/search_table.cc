// The settings of search, in the order in which model.toml writes them.
#include <cmath>

#include "corpus/sentence.h"
#include "graft/error.h"
#include "model/model_tables.h"
#include "rules/system_options.h"

namespace graft::engine {
namespace {

constexpr double kMany = 1'000'000'000;

bool IsLeftToRight(const SystemSpec& system) { return system.search == SearchKind::kLeftToRight; }
bool IsBottomUp(const SystemSpec& system) { return system.search == SearchKind::kBottomUp; }

// A window of coverage bounds the span, except in a chart.
OptionRange MaxSpanRange(const SearchOptions&, const SystemSpec& system) {
  return {1, double(system.search == SearchKind::kChart ? kMaxSentenceWords : kCoverageWindow)};
}

}  // namespace

const SearchTable& SearchOptionTable() {
  static const SearchTable table = {
      .section = "search",
      .help = "How translations are searched for. `graft translate --set search.beam=500` changes a key for one run.",
      .options = {
          {.key = "algorithm",
           .field = {Member(&SearchOptions::algorithm),
                     OptionNames<SearchAlgorithm>{{"cube", SearchAlgorithm::kCube},
                                                  {"exhaustive", SearchAlgorithm::kExhaustive}}},
           .help = "Cube pruning, or every combination"},
          {.key = "beam",
           .field = Member(&SearchOptions::beam),
           .help = "Hypotheses kept per stack; 0: all",
           .range = {0, kMany}},
          {.key = "pop_limit",
           .field = Member(&SearchOptions::pop_limit),
           .help = "Cube pruning: hypotheses made per stack; 0: all",
           .range = {0, kMany}},
          {.key = "threshold",
           .field = Member(&SearchOptions::threshold),
           .help = "Hypotheses worse than the best of the stack times this are dropped, before taking logs; 0: none",
           .range = {0, std::nextafter(1.0, 0.0), "at least 0 and less than 1"}},
          {.key = "table_limit",
           .field = Member(&SearchOptions::table_limit),
           .help = "Targets per source side, best by the model's own weights; 0: all",
           .range = {0, kMostOptions}},
          {.key = "distortion_limit",
           .field = Member(&SearchOptions::distortion_limit),
           .help = "Words that a unit may start after the first uncovered one; at most " +
                   std::to_string(kCoverageWindow) + " together with max_span",
           .range = {0, kCoverageWindow},
           .applies = IsLeftToRight},
          {.key = "distortion_rule",
           .field = {Member(&SearchOptions::distortion_rule),
                     OptionNames<DistortionRule>{{"paper", DistortionRule::kPaper}, {"moses", DistortionRule::kMoses}}},
           .help = "What the distortion limit bounds; Moses's rule is for units without gaps",
           .applies = IsLeftToRight},
          {.key = "max_span",
           .field = Member(&SearchOptions::max_span),
           .help = "Words from the first to the last of a unit or of an X",
           .applies = [](const SystemSpec& system) { return system.search != SearchKind::kForest; },
           .range_for = MaxSpanRange},
          {.key = "max_words",
           .field = Member(&SearchOptions::max_words),
           .help = "Words of an X",
           .range = {1, kCoverageWindow},
           .applies = IsBottomUp},
          {.key = "glue_limit",
           .field = Member(&SearchOptions::glue_limit),
           .help = "An X starts at most so many words after the first uncovered one; -1: anywhere",
           .range = {-1, kMaxSentenceWords},
           .applies = IsBottomUp},
          {.key = "glue_order",
           .field = {Member(&SearchOptions::glue_order),
                     OptionNames<GlueOrder>{{"left", GlueOrder::kLeft}, {"free", GlueOrder::kFree}}},
           .help = "Whether the next X must start after the start of what was glued before",
           .applies = IsBottomUp},
          {.key = "glue_distortion",
           .field = {Member(&SearchOptions::glue_distortion),
                     OptionNames<GlueDistortion>{{"full", GlueDistortion::kFull}, {"jump", GlueDistortion::kJump}}},
           .help = "Distance of a glue rule: the jump and the gaps of the next X, or the jump alone",
           .applies = IsBottomUp},
          {.key = "active_limit",
           .field = Member(&SearchOptions::active_limit),
           .help = "Partial matches kept per number of words, best by estimate; 0: all",
           .range = {0, kMany},
           .applies = IsBottomUp}}};
  return table;
}

std::vector<OptionCase<SearchOptions, SystemSpec>> SearchCases() {
  std::vector<OptionCase<SearchOptions, SystemSpec>> cases;
  for (const SystemSpec& preset : SystemPresets()) cases.push_back({preset.name, preset, SearchOptions()});
  return cases;
}

void CheckSearchOptions(const SystemSpec& system, const SearchOptions& options) {
  if (!IsLeftToRight(system)) return;
  // A unit with gaps may end too far right for Moses's rule to ever come back to its gaps.
  const auto without_gaps = [](const SystemSpec& spec) {
    return IsLeftToRight(spec) && spec.unit == UnitTest::kContiguous;
  };
  if (options.distortion_rule == DistortionRule::kMoses && !without_gaps(system))
    throw Error("search.distortion_rule = \"moses\" is for " + Joined(SystemsWhere(without_gaps)) + "; the units of " +
                system.name + " have gaps");
  if (options.distortion_limit + options.max_span > kCoverageWindow)
    throw Error("search.distortion_limit (" + std::to_string(options.distortion_limit) + ") and search.max_span (" +
                std::to_string(options.max_span) + ") may not exceed " + std::to_string(kCoverageWindow) + " together");
}

}  // namespace graft::engine
