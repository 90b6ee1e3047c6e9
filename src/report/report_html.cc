// An experiment as one HTML page without scripts: tables, charts, and the derivations of the examples drawn.
#include <fmt/format.h>

#include <algorithm>

#include "report/experiment_report.h"
#include "report/report_tables.h"
#include "report/svg.h"
#include "util/utf8.h"

namespace graft::engine {
namespace {

constexpr const char* kStyle = R"(
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1100px; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; } h3 { font-size: 1rem; margin-top: 1.6rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.92em; }
th, td { padding: 0.2rem 0.7rem; text-align: right; border-bottom: 1px solid #8884; white-space: nowrap; }
th:nth-child(-n+2), td:nth-child(-n+2) { text-align: left; }
th { border-bottom: 2px solid #888; }
.note { font-size: 0.88em; opacity: 0.8; max-width: 60rem; }
svg { max-width: 100%; height: auto; font: 12px system-ui, sans-serif; }
svg text { fill: currentColor; } svg text.number { fill: #fff; font-size: 10px; font-weight: 600; }
svg.derivation { max-width: none; font-size: 13px; }
.grid { stroke: #8884; } .axis { stroke: currentColor; } .whisker { stroke: currentColor; stroke-width: 1.5; }
.arc { fill: none; stroke: #888; }
pre { font-size: 0.82em; overflow-x: auto; background: #8881; padding: 0.6rem; }
details { margin: 0.3rem 0 1rem; } dt { font-weight: 600; } dd { margin: 0 0 0.4rem 1rem; }
)";

std::string HtmlTable(const ReportTable& table) {
  std::string html = "<div class=\"scroll\"><table>\n<tr>";
  for (const std::string& cell : table.head) html += "<th>" + EscapeHtml(cell) + "</th>";
  html += "</tr>\n";
  for (const std::vector<std::string>& row : table.rows) {
    html += "<tr>";
    for (const std::string& cell : row) html += "<td>" + EscapeHtml(cell) + "</td>";
    html += "</tr>\n";
  }
  html += "</table></div>\n";
  if (!table.note.empty()) html += "<p class=\"note\">" + EscapeHtml(table.note) + "</p>\n";
  return html;
}

std::string Charts(const ExperimentReport& report) {
  std::string html;
  for (size_t t = 0; t < report.tests.size(); ++t) {
    std::vector<ChartDot> dots;
    for (const ReportRow& row : report.rows) dots.push_back({RowName(row), row.tests[t].mean, row.tests[t].s_sel});
    html += "<h2>BLEU, " + EscapeHtml(report.tests[t]) + "</h2>\n" + DotChart(dots);
    html += "<p class=\"note\">Whiskers: standard deviation by choice of the test sentences.</p>\n";
  }
  std::vector<ChartSeries> speed, length;
  for (const ReportRow& row : report.rows) {
    if (row.sentences_per_second)
      speed.push_back({RowName(row), {{*row.sentences_per_second, row.tests[report.measured_test].mean}}});
    ChartSeries series{RowName(row), {}};
    for (const LengthBin& bin : LengthBins()) {
      const double mean = MeanMilliseconds(row, bin.first, bin.last);
      if (mean >= 0) series.points.emplace_back((bin.first + std::min(bin.last, 80)) / 2.0, mean);
    }
    if (series.points.size() > 1) length.push_back(std::move(series));
  }
  if (!speed.empty())
    html += "<h2>Quality against speed</h2>\n" +
            ScatterChart(speed, "sentences a second, one thread", "BLEU " + report.tests[report.measured_test]);
  if (!length.empty())
    html +=
        "<h2>Time against sentence length, drawn</h2>\n" + LineChart(length, "source words", "milliseconds a sentence");
  return html;
}

std::string Examples(const ExperimentReport& report) {
  std::string html = fmt::format("<h2>Sentences on which systems differ</h2>\n<p>Of {}, counted from 0.</p>\n",
                                 EscapeHtml(report.tests[report.measured_test]));
  for (size_t e = 0; e < report.examples.size(); ++e) {
    const ReportExample& example = report.examples[e];
    html += fmt::format("<h3>Sentence {}</h3>\n<dl><dt>source</dt><dd>{}</dd><dt>reference</dt><dd>{}</dd></dl>\n",
                        example.sentence, EscapeHtml(JoinTokens(example.source)), EscapeHtml(example.reference));
    for (const ReportRow& row : report.rows) {
      if (e >= row.examples.size()) continue;
      const DrawnDerivation& drawn = row.examples[e];
      html += fmt::format(
          "<details><summary><b>{}</b>: {}</summary>\n<div class=\"scroll\">{}</div>\n<pre>{}</pre></details>\n",
          EscapeHtml(RowName(row)), EscapeHtml(JoinTokens(drawn.target)), DrawDerivation(example, drawn),
          EscapeHtml(drawn.text));
    }
  }
  return html;
}

}  // namespace

std::string ReportHtml(const ExperimentReport& report) {
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width\">\n<title>{0}</title>\n<style>{1}</style></head>\n<body>\n<h1>{0}</h1>\n<p>{2}</"
      "p>\n",
      EscapeHtml(report.name), kStyle, EscapeHtml(ReportLegend(report)));
  for (const ReportTable& table : ReportTables(report))
    html += "<h2>" + EscapeHtml(table.title) + "</h2>\n" + HtmlTable(table);
  html += Charts(report);
  if (!report.examples.empty()) html += Examples(report);
  return html + "</body></html>\n";
}

}  // namespace graft::engine
