// Forced decoding: the derivations of one given target string, for checks against other decoders (`--rescore`).
//
// The string fixes its language model score, so a state is (coverage, words of the string produced, end of the last
// unit); no beam, pop limit or threshold, while the table, distortion and span limits apply.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/model.h"
#include "search/hypergraph.h"
#include "search/option_set.h"

namespace graft::engine {

enum class ForcedResult {
  kDerived,
  kNotDerivable,
  kTooLarge,  // more than max_edges
  kTooLong,   // a source of more than kMaxSentenceWords
};

// Writes the hypergraph of all derivations of `target` into `graph`. A copied word matches in the input's own case or
// as the model looked it up.
ForcedResult ForceDecode(const Model& model, const OptionSet& options, const std::vector<std::string>& target,
                         uint64_t max_edges, Hypergraph* graph);

}  // namespace graft::engine
