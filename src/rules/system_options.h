// The systems of this version and the settings they have: presets, and the table of [system] and of the flags that
// choose a system. Rejection of what means nothing for a system, TOML, --help and the reference page follow from these.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rules/system_spec.h"
#include "util/option_text.h"
#include "util/options.h"

namespace graft::engine {

// A system with every default, and which choices it leaves that its spec does not tell.
struct SystemPreset {
  SystemSpec spec;
  bool takes_graph = false;  // tree, dsg or dbg; there is no default
  bool takes_edge_labels = false;
  bool takes_pos = false;

  bool reads_tree() const { return takes_graph || spec.reads_tree(); }
};

const std::vector<SystemPreset>& SystemPresets();
const SystemPreset& FindPreset(const std::string& name);  // throws Error with a suggestion

using SystemTable = OptionTable<SystemSpec, SystemPreset>;
const SystemTable& SystemOptionTable();
const SystemTable& ReadingOptionTable();  // the part of it that says how the source is read

// MakeSystemSpec, ToToml and SystemSpecFromToml by another table than SystemOptionTable().
SystemSpec MakeSystemSpec(const SystemOptions& options, const SystemTable& table);
std::string ToToml(const SystemSpec& spec, const SystemTable& table);
SystemSpec SystemSpecFromToml(std::string_view toml, const SystemTable& table);

// Every system with its defaults, to describe tables for.
std::vector<OptionCase<SystemSpec, SystemPreset>> SystemCases();

// Names of the systems for which a test of their presets holds.
template <class Test>
std::vector<std::string> SystemsWhere(Test test) {
  std::vector<std::string> names;
  for (const SystemPreset& preset : SystemPresets())
    if (test(preset)) names.push_back(preset.spec.name);
  return names;
}

}  // namespace graft::engine
