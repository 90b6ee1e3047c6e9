#include "search/unit_decoder.h"

#include "search/assemble.h"
#include "search/forced_units.h"

namespace graft::engine {

void UnitDecoder::Prepare(const Sentence& sentence, const StopCheck& stop) {
  stop_ = stop;
  const uint64_t steps_before = options_.table_steps();
  options_.Build(sentence, stop);
  table_steps_ = options_.table_steps() - steps_before;
}

const Hypergraph& UnitDecoder::Search(uint32_t alternatives) {
  const Hypergraph& graph = search_.Run(options_, alternatives, stop_);
  statistics_ = search_.statistics();
  statistics_.table_steps += table_steps_;
  return graph;
}

ForcedResult UnitDecoder::Force(const ForcedTarget& target, const Hypergraph** graph) {
  StopCounter stop(stop_);
  *graph = &forced_;
  return ForceUnits(model_, options_, target, &stop, &forced_);
}

Translation UnitDecoder::Assemble(const std::vector<const HyperEdge*>& edges, float score) const {
  return AssembleUnits(model_, options_, edges, score);
}

}  // namespace graft::engine
