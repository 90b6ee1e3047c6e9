#include "search/grammar_decoder.h"

#include "search/assemble.h"
#include "search/forced_stacks.h"
#include "search/item_graph.h"

namespace graft::engine {

const Hypergraph& GrammarDecoder::Search(uint32_t alternatives) {
  stacks_.Reset(alternatives > 1, input_.stop()->check());
  const auto goals = search_->Run(&input_, StackLimits(model_.search()), &items_, &stacks_);
  statistics_ = stacks_.statistics();
  statistics_.Add(search_->statistics());
  statistics_.sentences = 1;
  statistics_.words = static_cast<uint64_t>(input_.size());
  WriteGraph(goals, stacks_, alternatives);
  return graph_;
}

ForcedResult GrammarDecoder::Force(const ForcedTarget& target, const Hypergraph** graph) {
  if (target.words.size() > kMostForcedWords) return ForcedResult::kTooLarge;
  ForcedStacks stacks(&input_, target, &items_);
  const auto goals = search_->Run(&input_, StackLimits(), &items_, &stacks);
  if (stacks.too_large()) return ForcedResult::kTooLarge;
  WriteGraph(goals, stacks, UINT32_MAX);
  *graph = &graph_;
  return graph_.empty() ? ForcedResult::kNotDerivable : ForcedResult::kDerived;
}

void GrammarDecoder::WriteGraph(std::span<const uint32_t> goals, const ItemStacks& stacks, uint32_t alternatives) {
  const ItemGraphOptions options{
      .goals = goals, .lm_weight = model_.weights()[kLanguageModel], .alternatives = alternatives};
  WriteItemGraph(items_, stacks, options, input_.stop(), &graph_);
}

Translation GrammarDecoder::Assemble(const std::vector<const HyperEdge*>& edges, float score) const {
  return AssembleRules(input_, items_, edges, score);
}

}  // namespace graft::engine
