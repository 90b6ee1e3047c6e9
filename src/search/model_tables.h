// Tables of model.toml that other configuration files share. For .cc files only: it brings in toml++.
#pragma once

#include <string>

#include "rules/system_spec.h"
#include "search/features.h"
#include "search/search_options.h"
#include "text/toml_file.h"

namespace graft {

// [search] and [weights] tables; keys they do not have keep their values. A weight of a feature the system does not
// have is an Error.
void ReadSearchTable(const std::string& file, const toml::table& table, SearchOptions* search);
void ReadWeightsTable(const std::string& file, const toml::table& table, const SystemSpec& system,
                      FeatureVector* weights);

}  // namespace graft
