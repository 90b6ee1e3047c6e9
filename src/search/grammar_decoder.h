// The decoder of systems with a grammar: HPBMT, SERG, GramGBMT, Dep2Str.
#pragma once

#include <memory>
#include <optional>

#include "search/beam_stacks.h"
#include "search/decoder.h"
#include "search/forced_stacks.h"
#include "search/grammar_input.h"
#include "search/grammar_search.h"

namespace graft::engine {

class GrammarDecoder final : public Decoder {
 public:
  explicit GrammarDecoder(const DecodingModel& model)
      : model_(model), input_(model), search_(MakeGrammarSearch(model)), stacks_(model) {}

  void Prepare(const Sentence& sentence, const StopCheck& stop) override { input_.Build(sentence, stop); }
  const Hypergraph& Search(uint32_t alternatives) override;
  ForcedResult Force(const std::vector<std::string>& target, uint64_t max_edges, const Hypergraph** graph) override;
  Translation Assemble(const std::vector<const HyperEdge*>& edges, float score) const override;
  const SearchStatistics& statistics() const override { return statistics_; }

 private:
  const DecodingModel model_;
  GrammarInput input_;
  std::unique_ptr<GrammarSearch> search_;
  BeamStacks stacks_;
  std::optional<ForcedStacks> forced_;  // of the last call of Force, if that was the last
  SearchStatistics statistics_;
};

}  // namespace graft::engine
