#include "model/settings.h"

#include <algorithm>
#include <array>

#include "graft/error.h"
#include "model/model_tables.h"
#include "util/toml_file.h"

namespace graft::engine {

void ApplySettings(const std::vector<Override>& settings, ModelConfig* config) {
  if (settings.empty()) return;
  const std::string name = "settings";
  toml::table root;
  for (const Override& setting : settings) ApplyOverride(setting, &root);
  for (const auto& [key, node] : root) {
    constexpr std::array<std::string_view, 2> kFixed = {"system", "text"};
    if (key == "search")
      ReadSearchTable(name, TomlSection(name, key, node), config->system, &config->search);
    else if (key == "weights")
      ReadWeightsTable(name, TomlSection(name, key, node), config->system, &config->weights);
    else if (std::find(kFixed.begin(), kFixed.end(), key.str()) != kFixed.end())
      throw Error("settings: " + std::string(key.str()) + " is fixed when a model is opened; set search or weights");
    else
      UnknownTomlKey(name, "", key, {"search", "weights"});
  }
  CheckSearchOptions(config->system, config->search);
}

}  // namespace graft::engine
