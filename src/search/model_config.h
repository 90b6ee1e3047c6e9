// model.toml and weights.toml: reading with exact errors, writing with stable bytes.
#pragma once

#include <string>
#include <vector>

#include "search/model.h"

namespace graft {

ModelConfig ReadModelToml(const std::string& path, const std::vector<Override>& overrides);
void WriteModelToml(const std::string& path, const ModelConfig& config);

}  // namespace graft
