// Rule extraction, one entry for every system.
//
//   RuleExtractor extractor(spec, &labels);  // one per thread; `labels` is shared by all of them
//   extractor.Extract(pair, [&](const RuleOccurrence& rule, const UnitPair& where) { … });
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
  RuleExtractor(const SystemSpec& spec, LabelNumbers* labels) {
    if (spec.has_blocks())
      extractor_.emplace<BlockExtractor>(spec, labels);
    else if (spec.has_grammar())
      extractor_.emplace<GrammarExtractor>(spec, labels);
    else
      extractor_.emplace<UnitExtractor>(spec);
  }

  // Every rule occurrence of the sentence pair reaches the sink, with the pair (unit, target span) it stands for. A
  // sentence pair with an empty side, without links, or with more than kMaxSentenceWords on a side gives nothing.
  // Throws Error where the system needs heads or tags and the pair has none.
  void Extract(const IndexedPair& pair, const RuleSink& sink) {
    std::visit(
        [&](auto& extractor) {
          if constexpr (!std::is_same_v<std::decay_t<decltype(extractor)>, std::monostate>)
            extractor.Extract(pair, sink);
        },
        extractor_);
  }

 private:
  std::variant<std::monostate, UnitExtractor, GrammarExtractor, BlockExtractor> extractor_;
};

}  // namespace graft::engine
