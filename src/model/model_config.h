// model.toml and weights.toml: reading with exact errors, writing with stable bytes.
#pragma once

#include <string>
#include <vector>

#include "model/model.h"

namespace graft::engine {

ModelConfig ReadModelToml(const std::string& path, const std::vector<Override>& overrides);
void WriteModelToml(const std::string& path, const ModelConfig& config);

}  // namespace graft::engine
