// Charts and drawings as SVG, to be put into a page. Text is escaped; colours come from one palette, so that a row has
// the same colour everywhere.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/experiment_report.h"

namespace graft {

std::string EscapeHtml(std::string_view text);
std::string PaletteColour(size_t index);

struct ChartBar {
  std::string label;
  double value = 0;
  double error = 0;  // whisker either way; 0: none
};
// Horizontal bars. The axis starts a little below the smallest value, and says so by its numbers.
std::string BarChart(const std::vector<ChartBar>& bars);

struct ChartSeries {
  std::string label;
  std::vector<std::pair<double, double>> points;
};
// Lines over a common x axis.
std::string LineChart(const std::vector<ChartSeries>& series, const std::string& x_title, const std::string& y_title);

// Labelled dots; x is drawn in logarithms.
std::string ScatterChart(const std::vector<ChartSeries>& dots, const std::string& x_title, const std::string& y_title);

// Source words with their dependency arcs above, target words below, each coloured by the step that translates it, and
// the links between them.
std::string DrawDerivation(const ReportExample& example, const DrawnDerivation& derivation);

}  // namespace graft
