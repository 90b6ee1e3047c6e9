// Extraction of the rules of the segmentation systems: every pair (unit, target span) is one.
#pragma once

#include <vector>

#include "rules/rule.h"
#include "rules/system_spec.h"
#include "rules/unit_pairs.h"

namespace graft::engine {

// Keep one per thread: it owns scratch memory.
class UnitExtractor {
 public:
  explicit UnitExtractor(const SystemSpec& spec, uint64_t max_rules = kMaxPairRulesOfSystem)
      : kind_(spec.signature()), finder_(spec, max_rules) {}

  // As UnitPairFinder::Find: every pair is one rule.
  bool Extract(const IndexedPair& pair, const RuleSink& sink);

 private:
  void Emit(const IndexedPair& pair, const UnitPair& where, const RuleSink& sink);

  SignatureKind kind_;
  UnitPairFinder finder_;
  std::vector<UnitPair> found_;
  std::vector<SourceSymbol> source_;
  std::vector<TargetSymbol> target_;
  std::vector<RuleLink> links_;
};

}  // namespace graft::engine
