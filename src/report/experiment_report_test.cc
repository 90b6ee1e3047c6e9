#include "report/experiment_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "report/report_tables.h"
#include "report/svg.h"

namespace graft::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

ReportRow Row(const std::string& system, const std::string& graph, double bleu) {
  ReportRow row;
  row.id = row.system = system;
  row.graph = graph;
  row.rules = 1234567;
  row.tests.push_back({.bleu = {bleu - 1, bleu + 1}, .mean = bleu, .s_sel = 0.5, .s_opt = 1.41, .contrasts = {}});
  return row;
}

BaselineContrast Against(double difference, double p) {
  return {.difference = difference, .p = p, .p_bootstrap = p, .better = difference > 0};
}

ExperimentReport Example() {
  ExperimentReport report;
  report.name = "trial";
  report.baselines = {0, 1};
  report.tests = {"held"};
  report.runs = 2;
  report.rows = {Row("PBMT", "", 30), Row("HPBMT", "", 31), Row("SegGBMT", "DBG", 32)};
  report.rows[0].tests[0].contrasts = {std::nullopt, Against(-1, 0.001)};
  report.rows[1].tests[0].contrasts = {Against(1, 0.01), std::nullopt};
  report.rows[2].tests[0].contrasts = {Against(2, 0.0001), Against(1, 0.011)};
  report.rows[2].sentence_milliseconds = {{3, 1.0}, {5, 2.0}, {12, 8.0}};
  return report;
}

TEST(ExperimentReportTest, MarksAreForBetterRowsOfSmallP) {
  const ExperimentReport report = Example();
  EXPECT_EQ(report.rows[0].tests[0].Marks(), "") << "worse, however surely";
  EXPECT_EQ(report.rows[1].tests[0].Marks(), "*") << "p = 0.01 is enough";
  EXPECT_EQ(report.rows[2].tests[0].Marks(), "*") << "p = 0.011 is not";
}

TEST(ExperimentReportTest, VariantsHaveTablesOfTheirOwnWithThePlainRow) {
  ExperimentReport report = Example();
  ReportRow labels = Row("SegGBMT", "DBG", 33);
  labels.edge_labels = true;
  labels.variant = "+EdgeLabel";
  ReportRow pos = Row("SERG", "DEG", 34);
  pos.nonterminal_variant = true;
  pos.variant = "+POS";
  pos.mgs = 2;
  ReportRow consensus = Row("Consensus of 2", "", 35);
  consensus.consensus = true;
  for (ReportRow& row : std::vector<ReportRow>{labels, pos, consensus}) {
    row.tests[0].contrasts = {Against(1, 0.5), Against(1, 0.5)};
    report.rows.push_back(row);
  }
  const std::vector<ReportTable> tables = ReportTables(report);
  const auto systems = [](const ReportTable& table) {
    std::vector<std::string> first;
    for (const auto& row : table.rows) first.push_back(row[0]);
    return first;
  };
  EXPECT_THAT(systems(tables[0]), ElementsAre("PBMT", "HPBMT", "SegGBMT", "Consensus of 2"));
  EXPECT_THAT(systems(tables[1]), ElementsAre("SegGBMT", "SegGBMT+EdgeLabel"));
  EXPECT_THAT(systems(tables[2]), ElementsAre("SERG+POS"));
  EXPECT_THAT(tables[2].head, ElementsAre("System", "Graph", "MGS", "Rules", "BLEU held"));
  EXPECT_THAT(tables[0].rows[2], ElementsAre("SegGBMT", "DBG", "1,234,567", "32.00*"));
}

TEST(ExperimentReportTest, TimeIsAveragedByLength) {
  const ReportRow row = Example().rows[2];
  EXPECT_DOUBLE_EQ(MeanMilliseconds(row, 1, 5), 1.5);
  EXPECT_DOUBLE_EQ(MeanMilliseconds(row, 11, 15), 8);
  EXPECT_LT(MeanMilliseconds(row, 6, 10), 0);
}

TEST(ExperimentReportTest, EveryFormHasTheFigures) {
  ExperimentReport report = Example();
  report.rows[2].variant = " a,\"b\"";
  EXPECT_THAT(ReportMarkdown(report), HasSubstr("| HPBMT |  | 1,234,567 | 31.00\\* |"));
  const std::string csv = ReportCsv(report);
  EXPECT_THAT(csv, HasSubstr("PBMT,PBMT,,,1234567,held,30,,0.5,1.41,29,31,,,,-1,0.001,0.001,"));
  EXPECT_THAT(csv, HasSubstr("SegGBMT,SegGBMT,DBG,\" a,\"\"b\"\"\",")) << "commas and quotes are quoted";
  const auto json = nlohmann::json::parse(ReportJson(report));
  EXPECT_EQ(json["rows"][1]["tests"]["held"]["marks"], "*");
  EXPECT_EQ(json["rows"][1]["tests"]["held"]["against"].size(), 1u) << "a baseline is not compared with itself";
  const std::string html = ReportHtml(report);
  EXPECT_THAT(html, HasSubstr("<td>31.00*</td>"));
  EXPECT_THAT(html, HasSubstr("<polyline"));
}

TEST(ExperimentReportTest, ForeignTextIsEscapedInPages) {
  ExperimentReport report = Example();
  report.examples = {{.sentence = 4, .source = {"<b>", "&"}, .heads = {2, 0}, .reference = "a < b"}};
  for (ReportRow& row : report.rows)
    row.examples = {{.target = {"<i>"}, .alignment = {{0, 0}}, .parts = {{{0, 1}, {0}}}, .text = "1. <b> & → <i>\n"}};
  const std::string html = ReportHtml(report);
  EXPECT_THAT(html, HasSubstr("a &lt; b"));
  EXPECT_THAT(html, HasSubstr("&lt;i&gt;"));
  EXPECT_THAT(html, Not(HasSubstr("<i>")));
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(ReportMarkdown(report), HasSubstr("### Sentence 4\n")) << "as `graft translate` counts";
}

TEST(SvgTest, WordsOfOneStepHaveOneColour) {
  const ReportExample example{.sentence = 0, .source = {"a", "b", "c"}, .heads = {2, 0, 2}, .reference = ""};
  const DrawnDerivation drawn{.target = {"x", "y"},
                              .alignment = {{0, 0}, {2, 0}, {1, 1}},
                              .parts = {{{}, {}}, {{0, 2}, {0}}, {{1}, {1}}},
                              .text = ""};
  const std::string svg = DrawDerivation(example, drawn);
  const auto count = [&](const std::string& text) {
    size_t found = 0;
    for (size_t at = svg.find(text); at != std::string::npos; at = svg.find(text, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count("fill=\"" + PaletteColour(0)), 3u) << "two source words and one target word";
  EXPECT_EQ(count("fill=\"" + PaletteColour(1)), 2u);
  EXPECT_EQ(count("class=\"arc\""), 2u);
  EXPECT_EQ(count("<line"), 3u);
}

TEST(ExperimentReportTest, SharesOfTreesAreUnknownWithoutTrees) {
  ExperimentReport report = Example();
  report.rows[0].shares = {.pairs = 10, .rules = 4, .continuous = 1, .trees = false, .dependency = 0.5, .both = 0.5};
  const auto shares = nlohmann::json::parse(ReportJson(report))["rows"][0]["shares"];
  EXPECT_EQ(shares["continuous"], 1);
  EXPECT_TRUE(shares["dependency_connected"].is_null());
  EXPECT_THAT(ReportCsv(report), HasSubstr(",1,,,,,,,\n"));
}

TEST(ExperimentReportTest, NotesSayTheLimitsOfTheRows) {
  ExperimentReport report = Example();
  report.beam = 0;
  report.pop_limit = 20;
  report.error_factor = 10;
  for (ReportRow& row : report.rows) row.errors = SearchErrors{.sentences = 5, .improved = 1};
  const std::string text = ReportMarkdown(report);
  EXPECT_THAT(text, HasSubstr("one thread, beam unlimited, pop limit 20 unless a row has its own"));
  EXPECT_THAT(text, HasSubstr("10 times as large (beam unlimited, pop limit 200 unless a row has its own)"));
}

TEST(SvgTest, LegendsOfManyRowsFit) {
  std::vector<ChartSeries> series;
  for (int i = 0; i < 40; ++i) series.push_back({"GramGBMT_c Tree +EdgeLabel+POS, adjacent-nt", {{1, 2}, {3, 4}}});
  for (const std::string& svg : {LineChart(series, "x", "y"), ScatterChart(series, "x", "y")}) {
    double width = 0, height = 0;
    ASSERT_EQ(std::sscanf(svg.c_str(), "<svg viewBox=\"0 0 %lf %lf\"", &width, &height), 2);
    const size_t last = svg.rfind("text-anchor=\"start\"");
    double x = 0, y = 0;
    ASSERT_EQ(std::sscanf(svg.c_str() + svg.rfind("<text", last), "<text x=\"%lf\" y=\"%lf\"", &x, &y), 2);
    EXPECT_LT(y, height);
    EXPECT_LT(x + 6.5 * static_cast<double>(series[0].label.size()), width);
  }
}

TEST(SvgTest, ChartsOfNothingAreEmpty) {
  EXPECT_EQ(DotChart({}), "");
  EXPECT_EQ(ScatterChart({}, "x", "y"), "");
}

}  // namespace
}  // namespace graft::engine
