// Tables of model.toml that other configuration files share. For .cc files only: it brings in toml++.
#pragma once

#include <string>
#include <vector>

#include "model/features.h"
#include "model/search_options.h"
#include "rules/system_spec.h"
#include "util/option_text.h"
#include "util/options.h"
#include "util/toml_file.h"

namespace graft::engine {

using SearchTable = OptionTable<SearchOptions, SystemSpec>;
const SearchTable& SearchOptionTable();
std::vector<OptionCase<SearchOptions, SystemSpec>> SearchCases();  // every system, to describe the table for

// The weights of all features, to describe [weights].
std::vector<OptionDescription> DescribeWeights();

// [search] and [weights] tables; keys they do not have keep their values. A key or weight that means nothing for the
// system is an Error.
void ReadSearchTable(const std::string& file, const toml::table& table, const SystemSpec& system,
                     SearchOptions* search);
void ReadWeightsTable(const std::string& file, const toml::table& table, const SystemSpec& system,
                      FeatureVector* weights);

}  // namespace graft::engine
