// Rule extraction, one entry for every system.
//
//   RuleExtractor extractor(spec, &labels);  // one per thread; `labels` is shared by all of them
//   extractor.Extract(pair, [&](const RuleOccurrence& rule, const UnitPair& where) { … });
//
// A pair has at most max_rules of them, and takes time and memory in proportion to these (pair_bound.h).
#pragma once

#include <variant>

#include "rules/extract_blocks.h"
#include "rules/extract_grammar.h"
#include "rules/extract_units.h"
#include "rules/labels.h"

namespace graft::engine {

class RuleExtractor {
 public:
  // Labels other than X get their numbers from `labels`, which must outlive the extractor; it may be null where there
  // are none (not spec.labelled()). Throws Error for a spec that extraction cannot serve.
  // max_rules: from kLeastMaxPairRules to kMostMaxPairRules.
  RuleExtractor(const SystemSpec& spec, LabelNumbers* labels, uint64_t max_rules = kMaxPairRulesOfSystem) {
    if (spec.has_blocks())
      extractor_.emplace<BlockExtractor>(spec, labels, max_rules);
    else if (spec.has_grammar())
      extractor_.emplace<GrammarExtractor>(spec, labels, max_rules);
    else
      extractor_.emplace<UnitExtractor>(spec, max_rules);
  }

  // Every rule occurrence of the sentence pair reaches the sink, with the pair (unit, target span) it stands for. A
  // sentence pair with an empty side, without links, or with more than kMaxSentenceWords on a side gives nothing.
  // Of a pair that has more than max_rules only those of its small units do; returns whether all did. Throws Error
  // where the system needs heads or tags and the pair has none.
  bool Extract(const IndexedPair& pair, const RuleSink& sink) {
    return std::visit(
        [&](auto& extractor) {
          if constexpr (std::is_same_v<std::decay_t<decltype(extractor)>, std::monostate>)
            return true;
          else
            return extractor.Extract(pair, sink);
        },
        extractor_);
  }

 private:
  std::variant<std::monostate, UnitExtractor, GrammarExtractor, BlockExtractor> extractor_;
};

}  // namespace graft::engine
