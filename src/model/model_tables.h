// Tables of model.toml that other configuration files share. For .cc files only: it brings in toml++.
#pragma once

#include <string>
#include <vector>

#include "model/features.h"
#include "model/search_options.h"
#include "rules/system_spec.h"
#include "util/toml_file.h"

namespace graft::engine {

// The keys of [search] that say something about a system, in the order in which they are written.
std::vector<std::string> SearchKeys(const SystemSpec& system);

// [search] and [weights] tables; keys they do not have keep their values. A key or weight that means nothing for the
// system is an Error.
void ReadSearchTable(const std::string& file, const toml::table& table, const SystemSpec& system,
                     SearchOptions* search);
void ReadWeightsTable(const std::string& file, const toml::table& table, const SystemSpec& system,
                      FeatureVector* weights);

}  // namespace graft::engine
