// A training configuration that is parsed already. For .cc files only: it brings in toml++.
#pragma once

#include <string>

#include "pipeline/train_config.h"
#include "util/toml_file.h"

namespace graft::engine {

// As ReadTrainConfig; `path` is where `root` came from: messages name it, and paths are relative to it. Messages also
// name lines, which a table keeps when it is moved, not when it is copied.
TrainConfig ReadTrainTable(const std::string& path, toml::table root);

}  // namespace graft::engine
