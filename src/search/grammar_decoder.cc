#include "search/grammar_decoder.h"

#include "search/assemble.h"

namespace graft::engine {

const Hypergraph& GrammarDecoder::Search(uint32_t alternatives) {
  forced_.reset();
  stacks_.Reset(alternatives > 1, input_.stop()->check());
  const auto goals = search_->Run(&input_, StackLimits(model_.search()), &stacks_);
  statistics_ = stacks_.statistics();
  statistics_.Add(search_->statistics());
  statistics_.sentences = 1;
  statistics_.words = static_cast<uint64_t>(input_.size());
  return stacks_.WriteGraph(goals, alternatives);
}

ForcedResult GrammarDecoder::Force(const std::vector<std::string>& target, uint64_t max_edges,
                                   const Hypergraph** graph) {
  if (target.size() > kMostForcedWords) return ForcedResult::kTooLarge;
  forced_.emplace(&input_, target, max_edges);
  const auto goals = search_->Run(&input_, StackLimits(), &*forced_);
  if (forced_->too_large()) return ForcedResult::kTooLarge;
  *graph = &forced_->WriteGraph(goals, UINT32_MAX);
  return (*graph)->empty() ? ForcedResult::kNotDerivable : ForcedResult::kDerived;
}

Translation GrammarDecoder::Assemble(const std::vector<const HyperEdge*>& edges, float score) const {
  if (forced_) return AssembleRules(input_, *forced_, edges, score);
  return AssembleRules(input_, stacks_, edges, score);
}

}  // namespace graft::engine
