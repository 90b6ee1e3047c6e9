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
  explicit UnitExtractor(const SystemSpec& spec) : kind_(spec.signature()), finder_(spec) {}

  // As UnitPairFinder::Find: every pair is one rule.
  void Extract(const IndexedPair& pair, const RuleSink& sink);

 private:
  void Emit(const IndexedPair& pair, const UnitPair& where, const RuleSink& sink);

  SignatureKind kind_;
  UnitPairFinder finder_;
  std::vector<SourceSymbol> source_;
  std::vector<TargetSymbol> target_;
  std::vector<RuleLink> links_;
};

}  // namespace graft::engine
