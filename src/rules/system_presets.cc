// The systems that a user can choose by name.
#include <algorithm>

#include "graft/error.h"
#include "rules/source_side.h"
#include "rules/system_options.h"
#include "util/suggest.h"

namespace graft::engine {

const std::vector<SystemPreset>& SystemPresets() {
  static const std::vector<SystemPreset> presets = [] {
    SystemPreset pbmt;
    pbmt.spec.name = "pbmt";
    pbmt.spec.title = "PBMT";
    pbmt.spec.graph = GraphKind::kChain;
    pbmt.spec.unit = UnitTest::kContiguous;

    SystemPreset sdtu;
    sdtu.spec.name = "sdtu";
    sdtu.spec.title = "SDTU";
    sdtu.spec.graph = GraphKind::kNone;
    sdtu.spec.unit = UnitTest::kAny;
    sdtu.spec.max_extract_span = 20;

    SystemPreset tbmt;
    tbmt.spec.name = "tbmt";
    tbmt.spec.title = "TBMT";
    tbmt.spec.graph = GraphKind::kTree;
    tbmt.spec.unit = UnitTest::kConnected;
    tbmt.spec.unaligned = UnalignedWords::kAny;

    SystemPreset seggbmt;
    seggbmt.spec.name = "seggbmt";
    seggbmt.spec.title = "SegGBMT";
    seggbmt.spec.unit = UnitTest::kConnected;
    seggbmt.takes_graph = seggbmt.takes_edge_labels = true;

    SystemPreset seggbmt_union = seggbmt;
    seggbmt_union.spec.name = "seggbmt-union";
    seggbmt_union.spec.graph = GraphKind::kUnion;
    seggbmt_union.takes_graph = false;

    SystemPreset hpbmt;
    hpbmt.spec.name = "hpbmt";
    hpbmt.spec.title = "HPBMT";
    hpbmt.spec.graph = GraphKind::kChain;
    hpbmt.spec.unit = UnitTest::kContiguous;
    hpbmt.spec.search = SearchKind::kChart;
    hpbmt.spec.max_length = 10;
    hpbmt.spec.grammar.max_nonterminals = 2;
    hpbmt.spec.grammar.max_symbols = 5;
    hpbmt.spec.grammar.mgs = 2;

    SystemPreset dep2str;
    dep2str.spec.name = "dep2str";
    dep2str.spec.title = "Dep2Str";
    dep2str.spec.graph = GraphKind::kTree;
    dep2str.spec.unit = UnitTest::kBlock;
    dep2str.spec.search = SearchKind::kForest;
    dep2str.spec.grammar.max_nonterminals = kMaxNonTerminals;
    dep2str.spec.grammar.max_symbols = 5;
    dep2str.spec.blocks.parts = dep2str.spec.blocks.extend = true;

    SystemPreset gramgbmt_b = hpbmt;
    gramgbmt_b.spec.name = "gramgbmt-b";
    gramgbmt_b.spec.title = "GramGBMT_b";
    gramgbmt_b.spec.unit = UnitTest::kConnected;
    gramgbmt_b.spec.search = SearchKind::kBottomUp;
    gramgbmt_b.takes_graph = gramgbmt_b.takes_edge_labels = gramgbmt_b.takes_pos = true;

    SystemPreset gramgbmt_c = hpbmt;
    gramgbmt_c.spec.name = "gramgbmt-c";
    gramgbmt_c.spec.title = "GramGBMT_c";
    gramgbmt_c.spec.unit = UnitTest::kContiguousConnected;
    gramgbmt_c.takes_graph = gramgbmt_c.takes_edge_labels = gramgbmt_c.takes_pos = true;

    SystemPreset serg = hpbmt;
    serg.spec.name = "serg";
    serg.spec.title = "SERG";
    serg.spec.graph = GraphKind::kDeg;
    serg.spec.unit = UnitTest::kOneOpenNode;
    serg.takes_pos = true;
    return std::vector<SystemPreset>{pbmt,  sdtu,    tbmt, seggbmt,    seggbmt_union,
                                     hpbmt, dep2str, serg, gramgbmt_b, gramgbmt_c};
  }();
  return presets;
}

const SystemPreset& FindPreset(const std::string& name) {
  for (const SystemPreset& preset : SystemPresets())
    if (preset.spec.name == name) return preset;
  throw Error("unknown system `" + name + "`" + Suggestion(name, SystemNames()));
}

const std::vector<std::string>& SystemNames() {
  static const std::vector<std::string> names = SystemsWhere([](const SystemPreset&) { return true; });
  return names;
}

bool TakesGraph(const std::string& system) { return FindPreset(system).takes_graph; }

std::vector<OptionCase<SystemSpec, SystemPreset>> SystemCases() {
  std::vector<OptionCase<SystemSpec, SystemPreset>> cases;
  for (const SystemPreset& preset : SystemPresets()) cases.push_back({preset.spec.name, preset, preset.spec});
  return cases;
}

}  // namespace graft::engine
