// Rule occurrences that wait until it is known whether they are wanted.
#pragma once

#include <vector>

#include "rules/rule.h"
#include "rules/unit_pairs.h"

namespace graft::engine {

class RuleBuffer {
 public:
  size_t size() const { return rules_.size(); }

  void Add(const RuleOccurrence& rule, const UnitPair& where) {
    source_.insert(source_.end(), rule.source.begin(), rule.source.end());
    target_.insert(target_.end(), rule.target.begin(), rule.target.end());
    links_.insert(links_.end(), rule.links.begin(), rule.links.end());
    rules_.push_back({where, rule.lhs, rule.count, source_.size(), target_.size(), links_.size()});
  }

  // Every rule reaches the sink, in order.
  void Replay(const RuleSink& sink) const {
    size_t source = 0, target = 0, links = 0;
    for (const Stored& rule : rules_) {
      sink({rule.lhs, std::span(source_).subspan(source, rule.source_end - source),
            std::span(target_).subspan(target, rule.target_end - target),
            std::span(links_).subspan(links, rule.links_end - links), rule.count},
           rule.where);
      source = rule.source_end;
      target = rule.target_end;
      links = rule.links_end;
    }
  }

  void clear() {
    rules_.clear();
    source_.clear();
    target_.clear();
    links_.clear();
  }

 private:
  struct Stored {
    UnitPair where;
    uint32_t lhs;
    RuleCount count;
    size_t source_end, target_end, links_end;  // in the lists below
  };
  std::vector<Stored> rules_;
  std::vector<SourceSymbol> source_;
  std::vector<TargetSymbol> target_;
  std::vector<RuleLink> links_;
};

}  // namespace graft::engine
