#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/svg.h"

namespace graft {
namespace {

constexpr double kWidth = 860;

struct Axis {
  double low, high, step;
};

// Round numbers around [low, high], about `ticks` of them.
Axis RoundAxis(double low, double high, int ticks) {
  if (high <= low) high = low + 1;
  const double raw = (high - low) / ticks;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  const double scaled = raw / power;
  const double step = power * (scaled <= 1 ? 1 : scaled <= 2 ? 2 : scaled <= 5 ? 5 : 10);
  return {std::floor(low / step) * step, std::ceil(high / step) * step, step};
}

std::string Open(double height) {
  return fmt::format("<svg viewBox=\"0 0 {} {:.0f}\" role=\"img\" xmlns=\"http://www.w3.org/2000/svg\">\n", kWidth,
                     height);
}

std::string Text(double x, double y, std::string_view anchor, std::string_view text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor, EscapeHtml(text));
}

std::string Line(double x1, double y1, double x2, double y2, std::string_view style) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" class=\"{}\"/>\n", x1, y1, x2, y2,
                     style);
}

// Frame, ticks and titles of a chart with two numeric axes; maps values to places.
class Plane {
 public:
  Plane(Axis x, Axis y, bool log_x) : x_(x), y_(y), log_x_(log_x) {}

  double X(double value) const {
    const double at = log_x_ ? std::log10(value) : value;
    return kLeft + (at - x_.low) / (x_.high - x_.low) * (kWidth - kLeft - kRight);
  }
  double Y(double value) const { return kBottom - (value - y_.low) / (y_.high - y_.low) * (kBottom - kTop); }

  std::string Frame(const std::string& x_title, const std::string& y_title) const {
    std::string svg;
    for (double value = y_.low; value <= y_.high + y_.step / 2; value += y_.step) {
      svg += Line(kLeft, Y(value), kWidth - kRight, Y(value), "grid");
      svg += Text(kLeft - 6, Y(value) + 4, "end", fmt::format("{:.6g}", value));
    }
    for (double value = x_.low; value <= x_.high + x_.step / 2; value += x_.step) {
      const double shown = log_x_ ? std::pow(10, value) : value;
      svg += Text(X(shown), kBottom + 18, "middle",
                  shown < 10 ? fmt::format("{:.2g}", shown) : fmt::format("{:.0f}", shown));
    }
    svg += Line(kLeft, kBottom, kWidth - kRight, kBottom, "axis");
    svg += Text((kLeft + kWidth - kRight) / 2, kBottom + 38, "middle", x_title);
    svg += Text(kLeft, kTop - 10, "start", y_title);
    return svg;
  }

  static constexpr double kLeft = 60, kRight = 190, kTop = 30, kBottom = 380, kHeight = 430;

 private:
  Axis x_, y_;
  bool log_x_;
};

}  // namespace

std::string EscapeHtml(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&')
      escaped += "&amp;";
    else if (c == '<')
      escaped += "&lt;";
    else if (c == '>')
      escaped += "&gt;";
    else if (c == '"')
      escaped += "&quot;";
    else
      escaped += c;
  }
  return escaped;
}

std::string PaletteColour(size_t index) {
  // Golden-angle hues: neighbours in the list stay apart on the wheel.
  const double hue = std::fmod(210 + 137.508 * static_cast<double>(index), 360);
  return fmt::format("hsl({:.0f},62%,{}%)", hue, index % 2 == 0 ? 45 : 58);
}

std::string BarChart(const std::vector<ChartBar>& bars) {
  if (bars.empty()) return "";
  constexpr double kLabels = 250, kEnd = kWidth - 60, kStep = 24;
  double low = bars[0].value, high = bars[0].value;
  for (const ChartBar& bar : bars) {
    low = std::min(low, bar.value - bar.error);
    high = std::max(high, bar.value + bar.error);
  }
  const Axis axis = RoundAxis(low - (high - low) * 0.15 - 0.01, high, 6);
  const auto x = [&](double value) { return kLabels + (value - axis.low) / (axis.high - axis.low) * (kEnd - kLabels); };
  const double height = kStep * static_cast<double>(bars.size()) + 40;
  std::string svg = Open(height);
  for (double value = axis.low; value <= axis.high + axis.step / 2; value += axis.step) {
    svg += Line(x(value), 8, x(value), height - 26, "grid");
    svg += Text(x(value), height - 10, "middle", fmt::format("{:.6g}", value));
  }
  for (size_t i = 0; i < bars.size(); ++i) {
    const double y = 10 + kStep * static_cast<double>(i);
    svg += Text(kLabels - 8, y + 14, "end", bars[i].label);
    svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"16\" fill=\"{}\"/>\n", x(axis.low),
                       y + 2, std::max(0.0, x(bars[i].value) - x(axis.low)), PaletteColour(i));
    if (bars[i].error > 0)
      svg += Line(x(bars[i].value - bars[i].error), y + 10, x(bars[i].value + bars[i].error), y + 10, "whisker");
    svg += Text(x(bars[i].value + bars[i].error) + 5, y + 14, "start", fmt::format("{:.2f}", bars[i].value));
  }
  return svg + "</svg>\n";
}

std::string LineChart(const std::vector<ChartSeries>& series, const std::string& x_title, const std::string& y_title) {
  double most_x = 1, most_y = 1e-9;
  for (const ChartSeries& one : series)
    for (const auto& [px, py] : one.points) {
      most_x = std::max(most_x, px);
      most_y = std::max(most_y, py);
    }
  const Plane plane(RoundAxis(0, most_x, 8), RoundAxis(0, most_y, 6), false);
  std::string svg = Open(Plane::kHeight) + plane.Frame(x_title, y_title);
  for (size_t i = 0; i < series.size(); ++i) {
    std::string points;
    for (const auto& [px, py] : series[i].points) points += fmt::format("{:.1f},{:.1f} ", plane.X(px), plane.Y(py));
    svg += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n", points,
                       PaletteColour(i));
    const double y = Plane::kTop + 17 * static_cast<double>(i);
    svg += fmt::format("<rect x=\"{}\" y=\"{:.1f}\" width=\"12\" height=\"4\" fill=\"{}\"/>\n",
                       kWidth - Plane::kRight + 14, y, PaletteColour(i));
    svg += Text(kWidth - Plane::kRight + 32, y + 6, "start", series[i].label);
  }
  return svg + "</svg>\n";
}

std::string ScatterChart(const std::vector<ChartSeries>& dots, const std::string& x_title, const std::string& y_title) {
  double low_x = 1e300, high_x = 1e-300, low_y = 1e300, high_y = -1e300;
  for (const ChartSeries& dot : dots)
    for (const auto& [px, py] : dot.points) {
      low_x = std::min(low_x, px);
      high_x = std::max(high_x, px);
      low_y = std::min(low_y, py);
      high_y = std::max(high_y, py);
    }
  if (!(low_x > 0) || low_x > high_x) return "";
  const Axis x{std::floor(std::log10(low_x) * 4) / 4, std::ceil(std::log10(high_x) * 4) / 4 + 1e-9, 0.25};
  const Plane plane(x, RoundAxis(low_y, high_y, 6), true);
  std::string svg = Open(Plane::kHeight) + plane.Frame(x_title, y_title);
  for (size_t i = 0; i < dots.size(); ++i)
    for (const auto& [px, py] : dots[i].points) {
      svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\" fill=\"{}\"/>\n", plane.X(px), plane.Y(py),
                         PaletteColour(i));
      svg += Text(plane.X(px) + 8, plane.Y(py) + 4, "start", dots[i].label);
    }
  return svg + "</svg>\n";
}

}  // namespace graft
