// Tables of model.toml that other configuration files share. For .cc files only: it brings in toml++.
#pragma once

#include <string>

#include "search/search_options.h"
#include "text/toml_file.h"

namespace graft {

// A [search] table; keys it does not have keep their value.
void ReadSearchTable(const std::string& file, const toml::table& table, SearchOptions* search);

}  // namespace graft
