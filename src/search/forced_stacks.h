// Items for the derivations of one given target string: an X item produces a span of it, an S item its first words.
// Nothing is pruned. The string fixes its language model score, which lies on the edges into the goal.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "search/decoder.h"
#include "search/grammar_input.h"
#include "search/item_stacks.h"

namespace graft::engine {

// Longest string that can be asked for: spans are kept in 32 bits.
inline constexpr size_t kMostForcedWords = 65535;

class ForcedStacks final : public ItemStacks {
 public:
  // Resets `store`. A copied word matches in the input's own case or as the model looked it up. The words of
  // the target must outlive this object, as must the others.
  ForcedStacks(GrammarInput* input, const ForcedTarget& target, ItemStore* store);

  // `limits` mean nothing here.
  std::span<const uint32_t> Fill(std::span<const RuleMatch> rules, std::span<const GlueMatch> glue,
                                 const StackLimits& limits) override;
  bool too_large() const override { return too_large_; }
  float EndScore(uint32_t) const override { return lm_; }
  bool scores_applications() const override { return false; }

 private:
  // What an item produces: words begin .. end - 1 of the string; S items begin at 0.
  struct Yield {
    uint32_t begin, end;
  };
  static Yield YieldOf(uint32_t state) { return {state >> 16, state & 0xffff}; }

  bool StandsAt(const RuleMatch& match, std::span<const TargetSymbol> words, uint32_t position) const;
  bool SameAsCopy(int source, uint32_t position) const;
  void ApplyRule(MatchId match);
  void ApplyTarget(MatchId match, uint32_t option);
  void ApplyGlue(MatchId match);
  void FillNonterminals(int k, float score, uint32_t next);
  void Insert(uint32_t cell, const Application& application, std::span<const uint32_t> tails, Yield yield);
  bool Count();  // one more edge; false when there are too many

  const GrammarInput& input_;
  const DecodingModel& model_;
  const std::vector<std::string>& target_;
  ItemStore& store_;
  OpenStack stack_;
  StopCounter stop_;
  const uint64_t max_edges_;
  uint64_t edges_ = 0;
  bool too_large_ = false;
  float lm_ = 0;                   // of the string with </s>, natural log
  std::vector<TargetSymbol> ids_;  // of the string

  // A rule's target under construction.
  struct Partial {
    MatchId match = 0;
    uint32_t option = 0;
    float own = 0;                                        // score of the rule itself
    std::vector<std::span<const TargetSymbol>> segments;  // the words before, between and after the non-terminals
    std::vector<uint32_t> items;                          // that fill them, in source order
    uint32_t begin = 0;                                   // first word of the string
  } partial_;
};

}  // namespace graft::engine
