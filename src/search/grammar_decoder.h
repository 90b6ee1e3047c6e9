// The decoder of systems with a grammar: HPBMT, SERG, GramGBMT, Dep2Str.
#pragma once

#include <memory>
#include <span>

#include "search/beam_stacks.h"
#include "search/decoder.h"
#include "search/grammar_input.h"
#include "search/grammar_search.h"

namespace graft::engine {

class GrammarDecoder final : public Decoder {
 public:
  explicit GrammarDecoder(const DecodingModel& model)
      : model_(model), input_(model), search_(MakeGrammarSearch(model)), stacks_(model, &items_) {}

  void Prepare(const Sentence& sentence, const StopCheck& stop) override { input_.Build(sentence, stop); }
  const Hypergraph& Search(uint32_t alternatives) override;
  ForcedResult Force(const ForcedTarget& target, const Hypergraph** graph) override;
  Translation Assemble(const std::vector<const HyperEdge*>& edges, float score) const override;
  const SearchStatistics& statistics() const override { return statistics_; }

 private:
  void WriteGraph(std::span<const uint32_t> goals, const ItemStacks& stacks, uint32_t alternatives);

  const DecodingModel model_;
  GrammarInput input_;
  std::unique_ptr<GrammarSearch> search_;
  ItemStore items_;  // of the last call of Search or Force
  BeamStacks stacks_;
  Hypergraph graph_;
  SearchStatistics statistics_;
};

}  // namespace graft::engine
