// Forced decoding: the derivations of one given target string, for checks against other decoders (`--rescore`).
//
// The string fixes its language model score, so a state is (coverage, words of the string produced, end of the last
// unit); no beam, pop limit or threshold, while the table, distortion and span limits apply.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "search/decoder.h"
#include "search/decoding_model.h"
#include "search/hypergraph.h"
#include "search/option_set.h"
#include "util/stop_counter.h"

namespace graft::engine {

// Writes the hypergraph of all derivations of `target` into `graph`. A copied word matches in the input's own case or
// as the model looked it up.
ForcedResult ForceDecode(const DecodingModel& model, const OptionSet& options, const std::vector<std::string>& target,
                         uint64_t max_edges, StopCounter* stop, Hypergraph* graph);

}  // namespace graft::engine
