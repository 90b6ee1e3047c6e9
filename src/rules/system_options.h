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

// Every system with its defaults; one that takes a graph has none yet.
const std::vector<SystemSpec>& SystemPresets();
const SystemSpec& FindPreset(const std::string& name);  // throws Error with a suggestion

// Those that Graft chooses itself.
inline constexpr const char* kPhraseSystem = "pbmt";         // for sentences without trees; phrase tables of Moses
inline constexpr const char* kHierarchicalSystem = "hpbmt";  // rule tables of Moses
inline constexpr const char* kTreeSystem = "seggbmt";        // for sentences with trees
inline constexpr GraphKind kUsualGraph = GraphKind::kDbg;    // of systems that take one

// What a setting means something for is the same for a preset and for what is made of it.
using SystemTable = OptionTable<SystemSpec, SystemSpec>;
const SystemTable& SystemOptionTable();
const SystemTable& ReadingOptionTable();  // the part of it that says how the source is read

// MakeSystemSpec, ToToml and SystemSpecFromToml by another table than SystemOptionTable().
SystemSpec MakeSystemSpec(const SystemOptions& options, const SystemTable& table);
std::string ToToml(const SystemSpec& spec, const SystemTable& table);
SystemSpec SystemSpecFromToml(std::string_view toml, const SystemTable& table);

// Every system with its defaults, to describe tables for.
std::vector<OptionCase<SystemSpec, SystemSpec>> SystemCases();

// Names of the systems for which a test of their presets holds.
template <class Test>
std::vector<std::string> SystemsWhere(Test test) {
  std::vector<std::string> names;
  for (const SystemSpec& preset : SystemPresets())
    if (test(preset)) names.push_back(preset.name);
  return names;
}

}  // namespace graft::engine
