// Model folders in the scratch folder, for targets that open whole models.
#pragma once

#include <string>

#include "model/model_config.h"
#include "table/table_entry.h"

namespace graft::engine::fuzz {

// A folder with a language model and a model.toml without sums, made anew; the table is up to the caller. Its path.
std::string MakeModelFolder(const std::string& name, const ModelConfig& config);

// One with a table of a single rule, `a` to `x`, made once.
std::string SmallModelFolder(const std::string& name, const ModelConfig& config);

}  // namespace graft::engine::fuzz
