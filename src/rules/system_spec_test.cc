#include "rules/system_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graft/error.h"

namespace graft::engine {
namespace {

using testing::HasSubstr;

SystemOptions Named(const std::string& name) { return {{"name", name}}; }

SystemOptions SegGbmt(const std::string& graph) { return {{"name", "seggbmt"}, {"graph", graph}}; }

std::string ErrorOf(const SystemOptions& options) {
  try {
    MakeSystemSpec(options);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string ErrorOfToml(std::string_view toml) {
  try {
    SystemSpecFromToml(toml);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(SystemSpecTest, PresetsAreThePapersSystems) {
  const SystemSpec pbmt = MakeSystemSpec(Named("pbmt"));
  EXPECT_EQ(pbmt.signature(), SignatureKind::kNone);
  EXPECT_EQ(pbmt.unit, UnitTest::kContiguous);
  EXPECT_EQ(pbmt.max_length, 7);
  EXPECT_FALSE(pbmt.has_gap_feature());
  EXPECT_FALSE(pbmt.reads_tree());

  const SystemSpec sdtu = MakeSystemSpec(Named("sdtu"));
  EXPECT_EQ(sdtu.signature(), SignatureKind::kGap);
  EXPECT_EQ(sdtu.max_extract_span, 20);
  EXPECT_TRUE(sdtu.has_gap_feature());
  EXPECT_FALSE(sdtu.reads_tree());

  const SystemSpec tbmt = MakeSystemSpec(Named("tbmt"));
  EXPECT_EQ(tbmt.graph, GraphKind::kTree);
  EXPECT_EQ(tbmt.unaligned, UnalignedWords::kAny);
  EXPECT_EQ(tbmt.signature(), SignatureKind::kEdges);
  EXPECT_EQ(tbmt.max_extract_span, 0);

  const SystemSpec seggbmt = MakeSystemSpec(SegGbmt("dbg"));
  EXPECT_EQ(seggbmt.graph, GraphKind::kDbg);
  EXPECT_EQ(seggbmt.unaligned, UnalignedWords::kBoundary);
  EXPECT_EQ(seggbmt.signature(), SignatureKind::kEdges);
}

SystemOptions GramGbmt(const std::string& name, const std::string& graph) {
  SystemOptions options = Named(name);
  options["graph"] = graph;
  return options;
}

TEST(SystemSpecTest, GrammarsHaveThePapersLimits) {
  const SystemSpec hpbmt = MakeSystemSpec(Named("hpbmt"));
  EXPECT_EQ(hpbmt.signature(), SignatureKind::kNone);
  EXPECT_EQ(hpbmt.search, SearchKind::kChart);
  EXPECT_FALSE(hpbmt.has_gap_feature());
  EXPECT_FALSE(hpbmt.reads_tree());
  const SystemSpec chart = MakeSystemSpec(GramGbmt("gramgbmt-c", "dsg"));
  EXPECT_EQ(chart.signature(), SignatureKind::kEdges);
  EXPECT_EQ(chart.search, SearchKind::kChart);
  EXPECT_TRUE(chart.contiguous() && chart.connected());
  const SystemSpec beam = MakeSystemSpec(GramGbmt("gramgbmt-b", "tree"));
  EXPECT_EQ(beam.search, SearchKind::kBottomUp);
  EXPECT_TRUE(beam.has_gap_feature());
  const SystemSpec edges = MakeSystemSpec(Named("serg"));
  EXPECT_EQ(edges.signature(), SignatureKind::kNodes);
  EXPECT_EQ(edges.search, SearchKind::kChart);
  EXPECT_TRUE(edges.contiguous() && edges.connected() && edges.reads_tree() && edges.words_on_edges());
  EXPECT_FALSE(edges.has_gap_feature());
  for (const SystemSpec& spec : {hpbmt, chart, beam, edges}) {
    EXPECT_EQ(spec.max_length, 10);
    EXPECT_EQ(spec.grammar.max_symbols, 5);
    EXPECT_EQ(spec.grammar.max_nonterminals, 2);
    EXPECT_EQ(spec.grammar.mgs, 2);
    EXPECT_FALSE(spec.grammar.adjacent_nt);
    EXPECT_FALSE(spec.grammar.pos);
  }
  SystemOptions options = GramGbmt("gramgbmt-c", "dsg");
  options["pos"] = true;
  options["mgs"] = 1;
  options["adjacent_nt"] = true;
  options["edge_labels"] = true;
  const SystemSpec labelled = MakeSystemSpec(options);
  EXPECT_EQ(labelled.max_length, 10);  // symbols, not words, are what signatures have to hold
  EXPECT_EQ(SystemSpecFromToml(ToToml(labelled)), labelled);
  EXPECT_EQ(ToToml(labelled),
            "name = \"gramgbmt-c\"\ngraph = \"dsg\"\nedge_labels = true\nmax_length = 10\nmax_symbols = 5\nmgs = 1\n"
            "adjacent_nt = true\npos = true\nprojectivise = true\nwords = false\nupos = false\n");
  options["max_symbols"] = 9;
  EXPECT_THAT(ErrorOf(options), HasSubstr("max symbols is 9; it must be 1 to 8 with edge labels"));
  options["max_symbols"] = 5;
  options["mgs"] = 0;
  EXPECT_THAT(ErrorOf(options), HasSubstr("mgs is 0"));
}

TEST(SystemSpecTest, GrammarOptionsAreForGrammars) {
  SystemOptions options = Named("pbmt");
  options["mgs"] = 1;
  EXPECT_THAT(ErrorOf(options), HasSubstr("--mgs means nothing for pbmt"));
  options = SegGbmt("dbg");
  options["pos"] = true;
  EXPECT_THAT(ErrorOf(options), HasSubstr("--pos means nothing for seggbmt"));
  options = Named("hpbmt");
  options["pos"] = true;
  EXPECT_THAT(ErrorOf(options), HasSubstr("--pos means nothing for hpbmt"));
  options = Named("hpbmt");
  options["max_extract_span"] = 20;
  EXPECT_THAT(ErrorOf(options), HasSubstr("--max-span means nothing for hpbmt"));
  EXPECT_THAT(ErrorOf(Named("gramgbmt-b")), HasSubstr("needs a graph"));
}

TEST(SystemSpecTest, TheEdgeGraphIsNotChosenButItsNonTerminalsAre) {
  SystemOptions options = Named("serg");
  options["graph"] = "dsg";
  EXPECT_THAT(ErrorOf(options), HasSubstr("--graph means nothing for serg"));
  options = Named("serg");
  options["edge_labels"] = true;
  EXPECT_THAT(ErrorOf(options), HasSubstr("--edge-labels means nothing for serg"));
  options = Named("serg");
  options["max_extract_span"] = 9;
  EXPECT_THAT(ErrorOf(options), HasSubstr("--max-span means nothing for serg"));
  options = Named("serg");
  options["pos"] = options["adjacent_nt"] = options["upos"] = options["words"] = true;
  options["projectivise"] = false;
  options["mgs"] = 1;
  options["max_length"] = options["max_symbols"] = 16;
  const SystemSpec spec = MakeSystemSpec(options);
  EXPECT_EQ(SystemSpecFromToml(ToToml(spec)), spec);
  EXPECT_EQ(ToToml(spec),
            "name = \"serg\"\nmax_length = 16\nmax_symbols = 16\nmgs = 1\nadjacent_nt = true\npos = true\n"
            "projectivise = false\nwords = true\nupos = true\n");
  options["max_symbols"] = 17;
  EXPECT_THAT(ErrorOf(options), HasSubstr("max symbols is 17; it must be 1 to 16"));
}

TEST(SystemSpecTest, Dep2StrHasBlocks) {
  const SystemSpec spec = MakeSystemSpec(Named("dep2str"));
  EXPECT_EQ(spec.signature(), SignatureKind::kRole);
  EXPECT_EQ(spec.search, SearchKind::kForest);
  EXPECT_EQ(spec.max_length, 7);
  EXPECT_EQ(spec.grammar.max_symbols, 5);
  EXPECT_TRUE(spec.has_grammar() && spec.labelled() && spec.reads_tree());
  EXPECT_TRUE(spec.blocks.parts && spec.blocks.extend && !spec.blocks.floating);
  EXPECT_FALSE(spec.has_gap_feature());
  EXPECT_EQ(ToToml(spec),
            "name = \"dep2str\"\nmax_length = 7\nmax_symbols = 5\nblocks = true\nfloating = false\nextend = true\n"
            "projectivise = true\nwords = false\nupos = false\n");
  SystemOptions options = Named("dep2str");
  options["floating"] = true;
  options["extend"] = false;
  EXPECT_EQ(SystemSpecFromToml(ToToml(MakeSystemSpec(options))), MakeSystemSpec(options));
  options["blocks"] = false;
  EXPECT_THAT(ErrorOf(options), HasSubstr("floating blocks mean nothing without blocks"));
  EXPECT_THAT(ErrorOf({{"name", "dep2str"}, {"max_symbols", 3}, {"blocks", false}}),
              HasSubstr("mean nothing without blocks"));
  options["floating"] = false;
  EXPECT_EQ(SystemSpecFromToml(ToToml(MakeSystemSpec(options))), MakeSystemSpec(options));
  options["max_symbols"] = 16;
  EXPECT_THAT(ErrorOf(options), HasSubstr("max symbols is 16; it must be 1 to 15"));
}

TEST(SystemSpecTest, Dep2StrHasItsOwnOptions) {
  const auto error_with = [](const std::string& name, auto set) {
    SystemOptions options = Named(name);
    set(options);
    return ErrorOf(options);
  };
  using Options = SystemOptions;
  EXPECT_THAT(error_with("dep2str", [](Options& o) { o["mgs"] = 2; }), HasSubstr("--mgs means nothing for dep2str"));
  EXPECT_THAT(error_with("dep2str", [](Options& o) { o["adjacent_nt"] = true; }),
              HasSubstr("--adjacent-nt means nothing"));
  EXPECT_THAT(error_with("dep2str", [](Options& o) { o["pos"] = true; }), HasSubstr("--pos means nothing"));
  EXPECT_THAT(error_with("dep2str", [](Options& o) { o["graph"] = "tree"; }), HasSubstr("--graph means nothing"));
  EXPECT_THAT(error_with("dep2str", [](Options& o) { o["edge_labels"] = true; }),
              HasSubstr("--edge-labels means nothing"));
  EXPECT_THAT(error_with("dep2str", [](Options& o) { o["max_extract_span"] = 9; }),
              HasSubstr("--max-span means nothing"));
  EXPECT_THAT(error_with("hpbmt", [](Options& o) { o["blocks"] = false; }),
              HasSubstr("--no-blocks means nothing for hpbmt; it is for dep2str"));
  EXPECT_THAT(error_with("tbmt", [](Options& o) { o["floating"] = true; }),
              HasSubstr("--floating means nothing for tbmt"));
  EXPECT_THAT(error_with("pbmt", [](Options& o) { o["extend"] = false; }),
              HasSubstr("--no-extend means nothing for pbmt"));
}

TEST(SystemSpecTest, TheUnionOfGraphsIsNotChosenButItsLabelsAre) {
  SystemOptions options = Named("seggbmt-union");
  options["edge_labels"] = true;
  const SystemSpec spec = MakeSystemSpec(options);
  EXPECT_EQ(spec.graph, GraphKind::kUnion);
  EXPECT_TRUE(spec.reads_tree() && spec.connected() && !spec.has_grammar());
  EXPECT_EQ(SystemSpecFromToml(ToToml(spec)), spec);
  options["graph"] = "dbg";
  EXPECT_THAT(ErrorOf(options), HasSubstr("--graph means nothing for seggbmt-union"));
}

TEST(SystemSpecTest, EdgeLabelsChangeTheSignature) {
  SystemOptions options = SegGbmt("dsg");
  options["edge_labels"] = true;
  EXPECT_EQ(MakeSystemSpec(options).signature(), SignatureKind::kLabelledEdges);
}

TEST(SystemSpecTest, UnknownNamesGetASuggestion) {
  EXPECT_THAT(ErrorOf(Named("segbmt")), HasSubstr("did you mean `seggbmt`?"));
  EXPECT_THAT(ErrorOf(Named("neural")), HasSubstr("known are pbmt"));
  EXPECT_THAT(ErrorOf(SegGbmt("bdg")), HasSubstr("did you mean `dbg`?"));
  EXPECT_THAT(ErrorOf(Named("")), HasSubstr("no system given"));
}

TEST(SystemSpecTest, OptionsWithoutMeaningAreErrors) {
  SystemOptions options = Named("pbmt");
  options["graph"] = "dbg";
  EXPECT_THAT(ErrorOf(options), HasSubstr("graph means nothing for pbmt"));
  options = Named("pbmt");
  options["max_extract_span"] = 20;
  EXPECT_THAT(ErrorOf(options), HasSubstr("--max-span means nothing for pbmt"));
  options = Named("tbmt");
  options["edge_labels"] = true;
  EXPECT_THAT(ErrorOf(options), HasSubstr("--edge-labels means nothing for tbmt"));
  options = Named("sdtu");
  options["projectivise"] = false;
  EXPECT_THAT(ErrorOf(options), HasSubstr("projectivise means nothing for sdtu"));
  options = Named("sdtu");
  options["upos"] = true;
  EXPECT_THAT(ErrorOf(options), HasSubstr("upos means nothing for sdtu"));
  options = Named("pbmt");
  options["words"] = true;
  EXPECT_TRUE(MakeSystemSpec(options).reading.words);
}

TEST(SystemSpecTest, GraphIsRequiredForSegGbmt) {
  EXPECT_THAT(ErrorOf(Named("seggbmt")), HasSubstr("needs a graph: tree, dsg or dbg"));
}

TEST(SystemSpecTest, LengthsHaveBounds) {
  SystemOptions options = SegGbmt("dbg");
  options["max_length"] = 16;
  EXPECT_EQ(MakeSystemSpec(options).max_length, 16);
  options["max_length"] = 17;
  EXPECT_THAT(ErrorOf(options), HasSubstr("1 to 16"));
  options["max_length"] = 0;
  EXPECT_THAT(ErrorOf(options), HasSubstr("1 to 16"));
  options["edge_labels"] = true;
  options["max_length"] = 9;
  EXPECT_THAT(ErrorOf(options), HasSubstr("1 to 8 with edge labels"));
  options["max_length"] = 8;
  EXPECT_EQ(MakeSystemSpec(options).max_length, 8);
  options["max_extract_span"] = -1;
  EXPECT_THAT(ErrorOf(options), HasSubstr("max span is -1"));
}

TEST(SystemSpecTest, TitlesNameTheGraphWhereThereIsAChoiceOrAnOwnKind) {
  EXPECT_EQ(TitleOf(MakeSystemSpec(Named("pbmt"))), "PBMT");
  EXPECT_EQ(TitleOf(MakeSystemSpec(Named("tbmt"))), "TBMT");
  EXPECT_EQ(TitleOf(MakeSystemSpec(Named("dep2str"))), "Dep2Str");
  EXPECT_EQ(TitleOf(MakeSystemSpec(SegGbmt("tree"))), "SegGBMT Tree");
  EXPECT_EQ(TitleOf(MakeSystemSpec(SegGbmt("dbg"))), "SegGBMT DBG");
  EXPECT_EQ(TitleOf(MakeSystemSpec(Named("seggbmt-union"))), "SegGBMT DSG+DBG");
  EXPECT_EQ(TitleOf(MakeSystemSpec(Named("serg"))), "SERG DEG");
  EXPECT_EQ(GraphTitle(MakeSystemSpec(Named("hpbmt"))), "");
}

TEST(SystemSpecTest, WhatASystemTakesStaysWithItsSpec) {
  EXPECT_TRUE(MakeSystemSpec(SegGbmt("dsg")).takes.graph);
  EXPECT_FALSE(MakeSystemSpec(Named("seggbmt-union")).takes.graph);
  EXPECT_TRUE(SystemSpecFromToml("name = \"serg\"\n").takes.pos);
}

TEST(SystemSpecTest, TomlReadsBackTheSame) {
  SystemOptions options = SegGbmt("tree");
  options["edge_labels"] = true;
  options["max_length"] = 5;
  options["max_extract_span"] = 12;
  options["projectivise"] = false;
  options["words"] = true;
  options["upos"] = true;
  for (const SystemOptions& each : {Named("pbmt"), Named("sdtu"), Named("tbmt"), SegGbmt("dsg"), options}) {
    const SystemSpec spec = MakeSystemSpec(each);
    EXPECT_EQ(SystemSpecFromToml(ToToml(spec)), spec) << ToToml(spec);
  }
  EXPECT_EQ(ToToml(MakeSystemSpec(Named("pbmt"))), "name = \"pbmt\"\nmax_length = 7\nwords = false\n");
  EXPECT_EQ(ToToml(MakeSystemSpec(SegGbmt("dbg"))),
            "name = \"seggbmt\"\ngraph = \"dbg\"\nedge_labels = false\nmax_length = 7\nmax_extract_span = 0\n"
            "projectivise = true\nwords = false\nupos = false\n");
}

TEST(SystemSpecTest, TomlErrorsNameTheKey) {
  EXPECT_THAT(ErrorOfToml("name = \"pbmt\"\nmax_lenght = 5\n"), HasSubstr("did you mean `max_length`?"));
  EXPECT_THAT(ErrorOfToml("name = \"pbmt\"\nmax_length = \"5\"\n"), HasSubstr("max_length must be a whole number"));
  EXPECT_THAT(ErrorOfToml("name = \"seggbmt\"\ngraph = 3\n"), HasSubstr("graph must be a string"));
  EXPECT_THAT(ErrorOfToml("name = \"pbmt\"\nwords = 1\n"), HasSubstr("words must be true or false"));
  EXPECT_THAT(ErrorOfToml("name = \n"), HasSubstr("[system]:1"));
  EXPECT_THAT(ErrorOfToml(""), HasSubstr("no system given"));
  EXPECT_THAT(ErrorOfToml("name = \"pbmt\"\nmax_length = 4294967303\n"), HasSubstr("1 to 16"));
}

}  // namespace
}  // namespace graft::engine
