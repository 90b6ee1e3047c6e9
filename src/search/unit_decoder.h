// The decoder of systems that join units left to right: PBMT, SDTU, TBMT, SegGBMT.
#pragma once

#include "search/decoder.h"
#include "search/left_to_right.h"
#include "search/option_set.h"

namespace graft::engine {

class UnitDecoder final : public Decoder {
 public:
  explicit UnitDecoder(const DecodingModel& model) : model_(model), options_(model), search_(model) {}

  void Prepare(const Sentence& sentence, const StopCheck& stop) override;
  const Hypergraph& Search(uint32_t alternatives) override;
  ForcedResult Force(const ForcedTarget& target, const Hypergraph** graph) override;
  Translation Assemble(const std::vector<const HyperEdge*>& edges, float score) const override;
  const SearchStatistics& statistics() const override { return statistics_; }

 private:
  const DecodingModel model_;
  OptionSet options_;
  LeftToRightSearch search_;
  StopCheck stop_;
  uint64_t table_steps_ = 0;  // of Prepare
  Hypergraph forced_;
  SearchStatistics statistics_;
};

}  // namespace graft::engine
