// Settings by name for what one model may do differently in different hands: `search.beam=100`, `weights.LM=0.4`.
#pragma once

#include <string>
#include <vector>

#include "model/model.h"

namespace graft::engine {

// Changes the search options and weights of `config`. Anything else belongs to the model: an Error, as are unknown
// keys, with a suggestion, and values that cannot be.
void ApplySettings(const std::vector<Override>& settings, ModelConfig* config);

}  // namespace graft::engine
