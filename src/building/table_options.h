// The settings of rule tables, declared once: of `graft table build`, `import` and `prune`, `graft extract` and
// [corpus].
#pragma once

#include <string>
#include <utility>

#include "building/prune.h"
#include "graft/training_steps.h"
#include "rules/pair_bound.h"
#include "util/options.h"

namespace graft::engine {

const OptionTable<graft::TableOptions>& TableOptionTable();  // how rules are stored, wherever they come from
const OptionTable<graft::TableOptions>& CorpusRulesTable();  // how a corpus gives them
const OptionTable<PruneOptions>& PruneOptionTable();

// What max_pair_rules is by default, in words.
std::string MaxPairRulesDefault();

// Of every struct that has it.
template <class Struct>
Option<Struct> MaxPairRulesOption(OptionField<Struct> field) {
  return {.key = "max_pair_rules",
          .field = std::move(field),
          .help = "Rules of one pair; one that has more, being hardly aligned, keeps those of its small units",
          .flag = "--max-pair-rules",
          .range = {double(kLeastMaxPairRules), double(kMostMaxPairRules)},
          .default_text = MaxPairRulesDefault()};
}

}  // namespace graft::engine
