#include "rules/system_spec.h"

#include <toml++/toml.h>

#include <algorithm>

#include "graft/error.h"
#include "rules/source_side.h"
#include "util/suggest.h"

namespace graft::engine {
namespace {

// A system this version has: its spec with every default, and which options say something about it.
struct Preset {
  SystemSpec spec;
  bool takes_graph = false;
  bool takes_edge_labels = false;
  bool takes_span = false;
  bool takes_pos = false;
};

const std::vector<Preset>& Presets() {
  static const std::vector<Preset> presets = [] {
    Preset pbmt;
    pbmt.spec.name = "pbmt";
    pbmt.spec.title = "PBMT";
    pbmt.spec.graph = GraphKind::kChain;
    pbmt.spec.unit = UnitTest::kContiguous;

    Preset sdtu;
    sdtu.spec.name = "sdtu";
    sdtu.spec.title = "SDTU";
    sdtu.spec.graph = GraphKind::kNone;
    sdtu.spec.unit = UnitTest::kAny;
    sdtu.spec.max_extract_span = 20;
    sdtu.takes_span = true;

    Preset tbmt;
    tbmt.spec.name = "tbmt";
    tbmt.spec.title = "TBMT";
    tbmt.spec.graph = GraphKind::kTree;
    tbmt.spec.unit = UnitTest::kConnected;
    tbmt.spec.unaligned = UnalignedWords::kAny;
    tbmt.takes_span = true;

    Preset seggbmt;
    seggbmt.spec.name = "seggbmt";
    seggbmt.spec.title = "SegGBMT";
    seggbmt.spec.unit = UnitTest::kConnected;
    seggbmt.takes_graph = seggbmt.takes_edge_labels = seggbmt.takes_span = true;

    Preset seggbmt_union = seggbmt;
    seggbmt_union.spec.name = "seggbmt-union";
    seggbmt_union.spec.graph = GraphKind::kUnion;
    seggbmt_union.takes_graph = false;

    Preset hpbmt;
    hpbmt.spec.name = "hpbmt";
    hpbmt.spec.title = "HPBMT";
    hpbmt.spec.graph = GraphKind::kChain;
    hpbmt.spec.unit = UnitTest::kContiguous;
    hpbmt.spec.search = SearchKind::kChart;
    hpbmt.spec.max_length = 10;
    hpbmt.spec.grammar.max_nonterminals = 2;
    hpbmt.spec.grammar.max_symbols = 5;
    hpbmt.spec.grammar.mgs = 2;

    Preset dep2str;
    dep2str.spec.name = "dep2str";
    dep2str.spec.title = "Dep2Str";
    dep2str.spec.graph = GraphKind::kTree;
    dep2str.spec.unit = UnitTest::kBlock;
    dep2str.spec.search = SearchKind::kForest;
    dep2str.spec.grammar.max_nonterminals = kMaxNonTerminals;
    dep2str.spec.grammar.max_symbols = 5;
    dep2str.spec.blocks.parts = dep2str.spec.blocks.extend = true;

    Preset gramgbmt_b = hpbmt;
    gramgbmt_b.spec.name = "gramgbmt-b";
    gramgbmt_b.spec.title = "GramGBMT_b";
    gramgbmt_b.spec.unit = UnitTest::kConnected;
    gramgbmt_b.spec.search = SearchKind::kBottomUp;
    gramgbmt_b.takes_graph = gramgbmt_b.takes_edge_labels = gramgbmt_b.takes_span = gramgbmt_b.takes_pos = true;

    Preset gramgbmt_c = hpbmt;
    gramgbmt_c.spec.name = "gramgbmt-c";
    gramgbmt_c.spec.title = "GramGBMT_c";
    gramgbmt_c.spec.unit = UnitTest::kContiguousConnected;
    gramgbmt_c.takes_graph = gramgbmt_c.takes_edge_labels = gramgbmt_c.takes_pos = true;

    Preset serg = hpbmt;
    serg.spec.name = "serg";
    serg.spec.title = "SERG";
    serg.spec.graph = GraphKind::kDeg;
    serg.spec.unit = UnitTest::kOneOpenNode;
    serg.takes_pos = true;
    return std::vector<Preset>{pbmt, sdtu, tbmt, seggbmt, seggbmt_union, hpbmt, dep2str, serg, gramgbmt_b, gramgbmt_c};
  }();
  return presets;
}

const Preset& FindPreset(const std::string& name) {
  for (const Preset& preset : Presets())
    if (preset.spec.name == name) return preset;
  throw Error("unknown system `" + name + "`" + Suggestion(name, SystemNames()));
}

constexpr std::string_view kGraphSystems = "seggbmt, gramgbmt-b, gramgbmt-c";
constexpr std::string_view kEdgeLabelSystems = "seggbmt, seggbmt-union, gramgbmt-b, gramgbmt-c";
constexpr std::string_view kGrammarSystems = "hpbmt, dep2str, serg, gramgbmt-b, gramgbmt-c";
constexpr std::string_view kSubPairSystems = "hpbmt, serg, gramgbmt-b, gramgbmt-c";
constexpr std::string_view kTreeSystems = "tbmt, seggbmt, seggbmt-union, dep2str, serg, gramgbmt-b, gramgbmt-c";

void RequireMeaning(bool given, bool means_something, std::string_view option, const SystemSpec& spec,
                    std::string_view whose) {
  if (!given || means_something) return;
  throw Error(std::string(option) + " means nothing for " + spec.name + "; it is for " + std::string(whose));
}

GraphKind ParseSourceGraph(const std::string& name) {
  for (GraphKind kind : {GraphKind::kTree, GraphKind::kDsg, GraphKind::kDbg})
    if (name == GraphName(kind)) return kind;
  static const std::vector<std::string> graphs = {"tree", "dsg", "dbg"};
  throw Error("unknown graph `" + name + "`" + Suggestion(name, graphs));
}

template <class T>
std::optional<T> Read(const toml::table& table, std::string_view key, std::string_view type) {
  const toml::node* node = table.get(key);
  if (node == nullptr) return std::nullopt;
  const auto value = node->value_exact<std::conditional_t<std::is_same_v<T, int>, int64_t, T>>();
  if (!value) throw Error("[system] " + std::string(key) + " must be " + std::string(type));
  if constexpr (std::is_same_v<T, int>)
    return static_cast<int>(std::clamp<int64_t>(*value, INT32_MIN, INT32_MAX));
  else
    return *value;
}

}  // namespace

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

bool TakesGraph(const std::string& system) { return FindPreset(system).takes_graph; }

SystemSpec MakeSystemSpec(const SystemOptions& options) {
  if (options.name.empty()) throw Error("no system given" + Suggestion("", SystemNames()));
  const Preset& preset = FindPreset(options.name);
  SystemSpec spec = preset.spec;

  RequireMeaning(options.graph.has_value(), preset.takes_graph, "--graph", spec, kGraphSystems);
  RequireMeaning(options.edge_labels.has_value(), preset.takes_edge_labels, "--edge-labels", spec, kEdgeLabelSystems);
  RequireMeaning(options.max_extract_span.has_value(), preset.takes_span, "--max-span", spec,
                 "sdtu, tbmt, seggbmt, seggbmt-union, gramgbmt-b");
  RequireMeaning(options.max_symbols.has_value(), spec.has_grammar(), "--max-symbols", spec, kGrammarSystems);
  RequireMeaning(options.mgs.has_value(), spec.grammar.mgs > 0, "--mgs", spec, kSubPairSystems);
  RequireMeaning(options.adjacent_nt.has_value(), spec.grammar.mgs > 0, "--adjacent-nt", spec, kSubPairSystems);
  RequireMeaning(options.pos.has_value(), preset.takes_pos, "--pos", spec, "serg, gramgbmt-b, gramgbmt-c");
  RequireMeaning(options.blocks.has_value(), spec.has_blocks(), "--no-blocks", spec, "dep2str");
  RequireMeaning(options.floating.has_value(), spec.has_blocks(), "--floating", spec, "dep2str");
  RequireMeaning(options.extend.has_value(), spec.has_blocks(), "--no-extend", spec, "dep2str");
  if (options.graph) spec.graph = ParseSourceGraph(*options.graph);
  if (preset.takes_graph && !options.graph) throw Error(spec.name + " needs a graph: tree, dsg or dbg");
  RequireMeaning(options.projectivise.has_value(), spec.reads_tree(), "--no-projectivise", spec, kTreeSystems);
  RequireMeaning(options.upos.has_value(), spec.reads_tree(), "--upos", spec, kTreeSystems);

  spec.edge_labels = options.edge_labels.value_or(spec.edge_labels);
  spec.max_length = options.max_length.value_or(spec.max_length);
  spec.max_extract_span = options.max_extract_span.value_or(spec.max_extract_span);
  spec.grammar.max_symbols = options.max_symbols.value_or(spec.grammar.max_symbols);
  spec.grammar.mgs = options.mgs.value_or(spec.grammar.mgs);
  spec.grammar.adjacent_nt = options.adjacent_nt.value_or(spec.grammar.adjacent_nt);
  spec.grammar.pos = options.pos.value_or(spec.grammar.pos);
  spec.blocks.parts = options.blocks.value_or(spec.blocks.parts);
  spec.blocks.floating = options.floating.value_or(spec.blocks.floating);
  spec.blocks.extend = options.extend.value_or(spec.blocks.extend);
  spec.reading.projectivise = options.projectivise.value_or(spec.reading.projectivise);
  spec.reading.words = options.words.value_or(spec.reading.words);
  spec.reading.upos = options.upos.value_or(spec.reading.upos);

  // Signatures bound the symbols of a source side, which are its words where there are no non-terminals.
  const int most_symbols = spec.edge_labels ? kMaxLabelledSymbols : kMaxSourceSymbols;
  const int longest = spec.has_grammar() ? kMaxSourceSymbols : most_symbols;
  const auto require = [&](std::string_view what, int value, int least, int most) {
    if (value >= least && value <= most) return;
    throw Error(std::string(what) + " is " + std::to_string(value) + "; it must be " + std::to_string(least) + " to " +
                std::to_string(most) + (spec.edge_labels && most == kMaxLabelledSymbols ? " with edge labels" : ""));
  };
  require("max length", spec.max_length, 1, longest);
  if (spec.has_grammar()) {
    require("max symbols", spec.grammar.max_symbols, 1, spec.has_blocks() ? kMaxNonTerminals : most_symbols);
    if (preset.spec.grammar.mgs > 0) require("mgs", spec.grammar.mgs, 1, kMaxSourceSymbols);
  }
  if (spec.blocks.floating && !spec.blocks.parts) throw Error("floating blocks mean nothing without blocks");
  if (spec.has_blocks() && !spec.blocks.parts && spec.grammar.max_symbols != preset.spec.grammar.max_symbols)
    throw Error("max symbols bound the structures of blocks; they mean nothing without blocks");
  if (spec.max_extract_span < 0)
    throw Error("max span is " + std::to_string(spec.max_extract_span) + "; it must be positive, or 0 for no limit");
  return spec;
}

std::string ToToml(const SystemSpec& spec) {
  const Preset& preset = FindPreset(spec.name);
  const auto boolean = [](bool value) { return value ? "true\n" : "false\n"; };
  std::string toml = "name = \"" + spec.name + "\"\n";
  if (preset.takes_graph) toml += "graph = \"" + std::string(GraphName(spec.graph)) + "\"\n";
  if (preset.takes_edge_labels) toml += std::string("edge_labels = ") + boolean(spec.edge_labels);
  toml += "max_length = " + std::to_string(spec.max_length) + "\n";
  if (spec.has_grammar()) toml += "max_symbols = " + std::to_string(spec.grammar.max_symbols) + "\n";
  if (spec.grammar.mgs > 0) toml += "mgs = " + std::to_string(spec.grammar.mgs) + "\n";
  if (spec.grammar.mgs > 0) toml += std::string("adjacent_nt = ") + boolean(spec.grammar.adjacent_nt);
  if (preset.takes_pos) toml += std::string("pos = ") + boolean(spec.grammar.pos);
  if (preset.takes_span) toml += "max_extract_span = " + std::to_string(spec.max_extract_span) + "\n";
  if (spec.has_blocks()) toml += std::string("blocks = ") + boolean(spec.blocks.parts);
  if (spec.has_blocks()) toml += std::string("floating = ") + boolean(spec.blocks.floating);
  if (spec.has_blocks()) toml += std::string("extend = ") + boolean(spec.blocks.extend);
  if (spec.reads_tree()) toml += std::string("projectivise = ") + boolean(spec.reading.projectivise);
  toml += std::string("words = ") + boolean(spec.reading.words);
  if (spec.reads_tree()) toml += std::string("upos = ") + boolean(spec.reading.upos);
  return toml;
}

SystemSpec SystemSpecFromToml(std::string_view toml) {
  toml::table table;
  try {
    table = toml::parse(toml);
  } catch (const toml::parse_error& error) {
    throw Error("[system]:" + std::to_string(error.source().begin.line) + ": " + std::string(error.description()));
  }
  for (const auto& [key, value] : table) {
    const std::string name(key.str());
    const auto& keys = SystemKeys();
    if (std::find(keys.begin(), keys.end(), name) == keys.end())
      throw Error("unknown key `" + name + "` in [system]" + Suggestion(name, keys));
  }
  SystemOptions options;
  options.name = Read<std::string>(table, "name", "a string").value_or("");
  options.graph = Read<std::string>(table, "graph", "a string");
  options.edge_labels = Read<bool>(table, "edge_labels", "true or false");
  options.max_length = Read<int>(table, "max_length", "a whole number");
  options.max_extract_span = Read<int>(table, "max_extract_span", "a whole number");
  options.max_symbols = Read<int>(table, "max_symbols", "a whole number");
  options.mgs = Read<int>(table, "mgs", "a whole number");
  options.adjacent_nt = Read<bool>(table, "adjacent_nt", "true or false");
  options.pos = Read<bool>(table, "pos", "true or false");
  options.blocks = Read<bool>(table, "blocks", "true or false");
  options.floating = Read<bool>(table, "floating", "true or false");
  options.extend = Read<bool>(table, "extend", "true or false");
  options.projectivise = Read<bool>(table, "projectivise", "true or false");
  options.words = Read<bool>(table, "words", "true or false");
  options.upos = Read<bool>(table, "upos", "true or false");
  return MakeSystemSpec(options);
}

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

const std::vector<std::string>& SystemNames() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Preset& preset : Presets()) all.push_back(preset.spec.name);
    return all;
  }();
  return names;
}

const std::vector<std::string>& SystemKeys() {
  static const std::vector<std::string> keys = {"name",         "graph",       "edge_labels",
                                                "pos",          "mgs",         "adjacent_nt",
                                                "max_length",   "max_symbols", "max_extract_span",
                                                "blocks",       "floating",    "extend",
                                                "projectivise", "words",       "upos"};
  return keys;
}

}  // namespace graft::engine
