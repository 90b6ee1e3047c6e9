// Charts and drawings as SVG, to be put into a page. Text is escaped; colours come from one palette, so that a row has
// the same colour everywhere.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/experiment_report.h"

namespace graft::engine {

std::string EscapeHtml(std::string_view text);
std::string PaletteColour(size_t index);

struct ChartDot {
  std::string label;
  double value = 0;
  double error = 0;  // whisker either way; 0: none
};
// A dot for each value, one below the other: only differences matter, so the axis does not start at 0.
std::string DotChart(const std::vector<ChartDot>& dots);

struct ChartSeries {
  std::string label;
  std::vector<std::pair<double, double>> points;
};
// Lines over a common x axis.
std::string LineChart(const std::vector<ChartSeries>& series, const std::string& x_title, const std::string& y_title);

// Numbered dots with a legend; x, above 0, is drawn in logarithms.
std::string ScatterChart(const std::vector<ChartSeries>& dots, const std::string& x_title, const std::string& y_title);

// Source words with their dependency arcs above, target words below, each coloured by the step that translates it, and
// the links between them.
std::string DrawDerivation(const ReportExample& example, const DrawnDerivation& derivation);

}  // namespace graft::engine
