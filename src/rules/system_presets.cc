// The systems that a user can choose by name.
#include <algorithm>

#include "graft/error.h"
#include "rules/source_side.h"
#include "rules/system_options.h"
#include "util/suggest.h"

namespace graft::engine {

const std::vector<SystemSpec>& SystemPresets() {
  static const std::vector<SystemSpec> presets = [] {
    SystemSpec pbmt;
    pbmt.name = kPhraseSystem;
    pbmt.title = "PBMT";
    pbmt.graph = GraphKind::kChain;
    pbmt.unit = UnitTest::kContiguous;

    SystemSpec sdtu;
    sdtu.name = "sdtu";
    sdtu.title = "SDTU";
    sdtu.graph = GraphKind::kNone;
    sdtu.unit = UnitTest::kAny;
    sdtu.max_extract_span = 20;

    SystemSpec tbmt;
    tbmt.name = "tbmt";
    tbmt.title = "TBMT";
    tbmt.graph = GraphKind::kTree;
    tbmt.unit = UnitTest::kConnected;
    tbmt.unaligned = UnalignedWords::kAny;

    SystemSpec seggbmt;
    seggbmt.name = kTreeSystem;
    seggbmt.title = "SegGBMT";
    seggbmt.unit = UnitTest::kConnected;
    seggbmt.takes.graph = seggbmt.takes.edge_labels = true;

    SystemSpec seggbmt_union = seggbmt;
    seggbmt_union.name = "seggbmt-union";
    seggbmt_union.graph = GraphKind::kUnion;
    seggbmt_union.takes.graph = false;

    SystemSpec hpbmt;
    hpbmt.name = kHierarchicalSystem;
    hpbmt.title = "HPBMT";
    hpbmt.graph = GraphKind::kChain;
    hpbmt.unit = UnitTest::kContiguous;
    hpbmt.search = SearchKind::kChart;
    hpbmt.max_length = 10;
    hpbmt.grammar.max_nonterminals = 2;
    hpbmt.grammar.max_symbols = 5;
    hpbmt.grammar.mgs = 2;

    SystemSpec dep2str;
    dep2str.name = "dep2str";
    dep2str.title = "Dep2Str";
    dep2str.graph = GraphKind::kTree;
    dep2str.unit = UnitTest::kBlock;
    dep2str.search = SearchKind::kForest;
    dep2str.grammar.max_nonterminals = kMaxNonTerminals;
    dep2str.grammar.max_symbols = 5;
    dep2str.blocks.parts = dep2str.blocks.extend = true;

    SystemSpec gramgbmt_b = hpbmt;
    gramgbmt_b.name = "gramgbmt-b";
    gramgbmt_b.title = "GramGBMT_b";
    gramgbmt_b.unit = UnitTest::kConnected;
    gramgbmt_b.search = SearchKind::kBottomUp;
    gramgbmt_b.takes.graph = gramgbmt_b.takes.edge_labels = gramgbmt_b.takes.pos = true;

    SystemSpec gramgbmt_c = hpbmt;
    gramgbmt_c.name = "gramgbmt-c";
    gramgbmt_c.title = "GramGBMT_c";
    gramgbmt_c.unit = UnitTest::kContiguousConnected;
    gramgbmt_c.takes.graph = gramgbmt_c.takes.edge_labels = gramgbmt_c.takes.pos = true;

    SystemSpec serg = hpbmt;
    serg.name = "serg";
    serg.title = "SERG";
    serg.graph = GraphKind::kDeg;
    serg.unit = UnitTest::kOneOpenNode;
    serg.takes.pos = true;
    return std::vector<SystemSpec>{pbmt,  sdtu,    tbmt, seggbmt,    seggbmt_union,
                                   hpbmt, dep2str, serg, gramgbmt_b, gramgbmt_c};
  }();
  return presets;
}

const SystemSpec& FindPreset(const std::string& name) {
  for (const SystemSpec& preset : SystemPresets())
    if (preset.name == name) return preset;
  throw Error("unknown system `" + name + "`" + Suggestion(name, SystemNames()));
}

const std::vector<std::string>& SystemNames() {
  static const std::vector<std::string> names = SystemsWhere([](const SystemSpec&) { return true; });
  return names;
}

std::vector<OptionCase<SystemSpec, SystemSpec>> SystemCases() {
  std::vector<OptionCase<SystemSpec, SystemSpec>> cases;
  for (const SystemSpec& preset : SystemPresets()) cases.push_back({preset.name, preset, preset});
  return cases;
}

}  // namespace graft::engine
