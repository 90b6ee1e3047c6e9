#include "rules/system_spec.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "graft/error.h"
#include "rules/source_side.h"
#include "rules/system_options.h"
#include "util/option_toml.h"
#include "util/suggest.h"
#include "util/toml_text.h"

namespace graft::engine {
namespace {

using SystemOption = SystemTable::Entry;

// How people gave the settings, and so how messages call them: by flags, or by keys of a configuration.
enum class GivenBy { kFlags, kKeys };

std::string NameOf(const SystemOption& option, GivenBy by) { return by == GivenBy::kFlags ? option.flag : option.key; }

// The same in a message about its value: "max length".
std::string Spoken(const SystemOption& option, GivenBy by) {
  if (by == GivenBy::kKeys) return option.key;
  std::string spoken = option.flag.substr(option.flag.find_first_not_of('-'));
  std::replace(spoken.begin(), spoken.end(), '-', ' ');
  return spoken;
}

std::string NameIn(const SystemOptions& options) {
  const auto given = options.find("name");
  if (given == options.end()) return "";
  if (const auto* name = std::get_if<std::string>(&given->second)) return *name;
  throw Error("[system] name must be a string");
}

// Every setting is one of the table, of its type, one of its words, and means something for the system.
void CheckGiven(const SystemOptions& options, const SystemSpec& preset, const SystemTable& table, GivenBy by) {
  for (const auto& [key, value] : options)
    if (table.Find(key) == nullptr)
      throw Error("unknown key `" + key + "` in [system]" + Suggestion(key, table.Keys()));
  for (const auto& option : table.options) {
    const auto given = options.find(option.key);
    if (given == options.end()) continue;
    if (TypeOf(given->second) != option.field.type())
      throw Error("[system] " + option.key + " must be " + std::string(TypeText(option.field.type())));
    if (!option.AppliesTo(preset))
      throw Error(NameOf(option, by) + " means nothing for " + preset.name + "; it is for " +
                  Joined(SystemsWhere([&](const SystemSpec& other) { return option.AppliesTo(other); })));
    const std::vector<std::string>& words = option.field.words();
    const auto* word = std::get_if<std::string>(&given->second);
    if (word != nullptr && !words.empty() && std::find(words.begin(), words.end(), *word) == words.end())
      throw Error("unknown " + option.key + " `" + *word + "`" + Suggestion(*word, words));
  }
}

void CheckRanges(const SystemSpec& spec, const SystemSpec& preset, const SystemTable& table, GivenBy by) {
  for (const auto& option : table.options) {
    const OptionValue value = option.field.Get(spec);
    const auto* number = std::get_if<int64_t>(&value);
    if (number == nullptr || !option.AppliesTo(preset)) continue;
    const OptionRange range = option.RangeFor(spec, preset);
    if (!range.Contains(static_cast<double>(*number)))
      throw Error(Spoken(option, by) + " is " + std::to_string(*number) + "; it must be " + RangeText(range));
  }
}

// What a value of a [system] table is by itself; a list of strings stands for everything that no setting takes.
OptionValue ValueOf(const toml::node& node) {
  if (const auto value = node.value_exact<bool>()) return *value;
  if (const auto value = node.value_exact<int64_t>()) return *value;
  if (const auto value = node.value_exact<double>()) return *value;
  if (const auto value = node.value_exact<std::string>()) return *value;
  return std::vector<std::string>();
}

// MakeSystemSpec, and how it calls what is wrong.
SystemSpec Make(const SystemOptions& options, const SystemTable& table, GivenBy by) {
  const std::string name = NameIn(options);
  if (name.empty()) throw Error("no system given" + Suggestion("", SystemNames()));
  const SystemSpec& preset = FindPreset(name);
  CheckGiven(options, preset, table, by);
  if (preset.takes.graph && !options.contains("graph"))
    throw Error(name + " needs a graph: " + Joined(table.Find("graph")->field.words(), "or"));
  SystemSpec spec = preset;
  for (const auto& [key, value] : options) table.Find(key)->field.Set(&spec, value);
  CheckRanges(spec, preset, table, by);
  if (spec.blocks.floating && !spec.blocks.parts) throw Error("floating blocks mean nothing without blocks");
  if (spec.has_blocks() && !spec.blocks.parts && spec.grammar.max_symbols != preset.grammar.max_symbols)
    throw Error("max symbols bound the structures of blocks; they mean nothing without blocks");
  return spec;
}

}  // namespace

int SystemSpec::symbol_room() const {
  return signature() == SignatureKind::kLabelledEdges ? kMaxLabelledSymbols : kMaxSourceSymbols;
}

SignatureKind SystemSpec::signature() const {
  switch (unit) {
    case UnitTest::kContiguous: return SignatureKind::kNone;
    case UnitTest::kAny: return SignatureKind::kGap;
    case UnitTest::kConnected:
    case UnitTest::kContiguousConnected: return edge_labels ? SignatureKind::kLabelledEdges : SignatureKind::kEdges;
    case UnitTest::kOneOpenNode: return SignatureKind::kNodes;
    case UnitTest::kBlock: return SignatureKind::kRole;
  }
  return SignatureKind::kNone;
}

SystemSpec MakeSystemSpec(const SystemOptions& options, const SystemTable& table) {
  return Make(options, table, GivenBy::kFlags);
}

SystemSpec MakeSystemSpec(const SystemOptions& options) { return MakeSystemSpec(options, SystemOptionTable()); }

std::string ToToml(const SystemSpec& spec, const SystemTable& table) { return WriteOptions(table, spec, spec); }

std::string ToToml(const SystemSpec& spec) { return ToToml(spec, SystemOptionTable()); }

SystemSpec SystemSpecFromToml(std::string_view toml, const SystemTable& table) {
  RequireTomlText(toml, "[system]");
  toml::table parsed;
  try {
    parsed = toml::parse(toml);
  } catch (const toml::parse_error& error) {
    throw Error("[system]:" + std::to_string(error.source().begin.line) + ": " + std::string(error.description()));
  }
  SystemOptions options;
  for (const auto& [key, node] : parsed) {
    if (table.Find(key.str()) == nullptr)
      throw Error("unknown key `" + std::string(key.str()) + "` in [system]" + Suggestion(key.str(), table.Keys()));
    options[std::string(key.str())] = ValueOf(node);
  }
  return Make(options, table, GivenBy::kKeys);
}

SystemSpec SystemSpecFromToml(std::string_view toml) { return SystemSpecFromToml(toml, SystemOptionTable()); }

std::string_view GraphName(GraphKind kind) {
  switch (kind) {
    case GraphKind::kNone: return "none";
    case GraphKind::kChain: return "chain";
    case GraphKind::kTree: return "tree";
    case GraphKind::kDsg: return "dsg";
    case GraphKind::kDbg: return "dbg";
    case GraphKind::kUnion: return "union";
    case GraphKind::kDeg: return "deg";
  }
  return "none";
}

std::string GraphTitle(const SystemSpec& spec) {
  if (spec.graph == GraphKind::kUnion) return "DSG+DBG";
  if (!spec.takes.graph && spec.graph != GraphKind::kDeg) return "";
  if (spec.graph == GraphKind::kTree) return "Tree";
  std::string name(GraphName(spec.graph));
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
  return name;
}

std::string TitleOf(const SystemSpec& spec) {
  const std::string graph = GraphTitle(spec);
  return graph.empty() ? spec.title : spec.title + " " + graph;
}

}  // namespace graft::engine
