// Forced decoding with units: the derivations of one given target string.
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
ForcedResult ForceUnits(const DecodingModel& model, const OptionSet& options, const ForcedTarget& target,
                        StopCounter* stop, Hypergraph* graph);

}  // namespace graft::engine
