// Items for the derivations of one given target string: an X item produces a span of it, an S item its first words.
// Nothing is pruned. The string fixes its language model score, which lies on the edges into the goal.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "search/grammar_input.h"
#include "search/item_stacks.h"

namespace graft::engine {

// Longest string that can be asked for: spans are kept in 32 bits.
inline constexpr size_t kMostForcedWords = 65535;

class ForcedStacks final : public ItemStacks {
 public:
  // A copied word matches in the input's own case or as the model looked it up. `input` must outlive this object.
  ForcedStacks(GrammarInput* input, const std::vector<std::string>& target, uint64_t max_edges);

  // `limits` mean nothing here.
  std::span<const uint32_t> Fill(std::span<const RuleMatch> rules, std::span<const GlueMatch> glue,
                                 const StackLimits& limits) override;

 private:
  // What an item produces: words begin .. end - 1 of the string; S items begin at 0.
  struct Yield {
    uint32_t begin, end;
  };
  static Yield YieldOf(uint32_t state) { return {state >> 16, state & 0xffff}; }

  bool StandsAt(const RuleMatch& match, std::span<const TargetSymbol> words, uint32_t position) const;
  bool SameAsCopy(int source, uint32_t position) const;
  void MakeFromRule(uint32_t match);
  void MakeFromTarget(uint32_t match, uint32_t option);
  void MakeFromGlue(uint32_t match);
  void Extend(int k, float score, uint32_t next);
  void Make(uint32_t place, Way way, std::span<const uint32_t> tails, Yield yield);
  bool Count();  // one more edge; false when there are too many

  float End(uint32_t) const override { return lm_; }
  bool scored_by_steps() const override { return false; }

  const GrammarInput& input_;
  const std::vector<std::string>& target_;
  const uint64_t max_edges_;
  uint64_t edges_ = 0;
  float lm_ = 0;                   // of the string with </s>, natural log
  std::vector<TargetSymbol> ids_;  // of the string
  std::vector<uint32_t> made_yields_;

  // A rule's target under construction.
  struct Partial {
    uint32_t match = 0, option = 0;
    float own = 0;                                        // score of the rule itself
    std::vector<std::span<const TargetSymbol>> segments;  // the words before, between and after the non-terminals
    std::vector<uint32_t> items;                          // that fill them, in source order
    uint32_t begin = 0;                                   // first word of the string
  } partial_;
};

}  // namespace graft::engine
