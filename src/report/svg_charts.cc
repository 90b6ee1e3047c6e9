#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "report/svg.h"

namespace graft::engine {
namespace {

constexpr double kWidth = 960;

double LabelWidth(std::string_view label) {
  constexpr double kCharacter = 7.8;  // of the page's 12 px letters, wide fonts included
  return kCharacter * static_cast<double>(std::count_if(label.begin(), label.end(), [](char c) {
           return (static_cast<unsigned char>(c) & 0xC0) != 0x80;  // not inside a UTF-8 sequence
         }));
}

template <class Item>
double WidestLabel(const std::vector<Item>& items) {
  double widest = 0;
  for (const Item& item : items) widest = std::max(widest, LabelWidth(item.label));
  return widest;
}

struct Axis {
  double low, high;
  std::vector<double> ticks;
  bool log = false;

  double Share(double value) const {  // of the way from low to high
    if (log) return std::log(value / low) / std::log(high / low);
    return (value - low) / (high - low);
  }
};

// Round numbers around [low, high], about `ticks` of them.
Axis RoundAxis(double low, double high, int ticks) {
  if (high <= low) high = low + 1;
  const double raw = (high - low) / ticks;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  const double scaled = raw / power;
  const double step = power * (scaled <= 1 ? 1 : scaled <= 2 ? 2 : scaled <= 5 ? 5 : 10);
  const auto first = static_cast<int64_t>(std::floor(low / step)), last = static_cast<int64_t>(std::ceil(high / step));
  Axis axis{static_cast<double>(first) * step, static_cast<double>(last) * step, {}};
  for (int64_t tick = first; tick <= last; ++tick) axis.ticks.push_back(static_cast<double>(tick) * step);
  return axis;
}

// 1, 2, 5, 10, 20, … around [low, high].
Axis LogAxis(double low, double high) {
  std::vector<double> ticks;
  for (double power = std::pow(10, std::floor(std::log10(low))); ticks.empty() || ticks.back() < high; power *= 10)
    for (const double factor : {1, 2, 5}) {
      const double tick = factor * power;
      if (!ticks.empty() && tick <= low) ticks.clear();
      if (ticks.empty() || ticks.back() < high) ticks.push_back(tick);
    }
  if (ticks.size() == 1) ticks.push_back(2 * ticks.front());
  return {ticks.front(), ticks.back(), ticks, true};
}

std::string OpenSvg(double height) {
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

// Frame, ticks, titles and legend of a chart with two numeric axes; maps values to places.
class Plane {
 public:
  Plane(Axis x, Axis y, const std::vector<ChartSeries>& series)
      : x_(std::move(x)), y_(std::move(y)), series_(series), right_(kWidth - WidestLabel(series) - 60) {}

  double X(double value) const { return kLeft + x_.Share(value) * (right_ - kLeft); }
  double Y(double value) const { return kBottom - y_.Share(value) * (kBottom - kTop); }

  // The opening tag, frame and legend; what is drawn and the closing tag follow. A numbered legend says which number is
  // what.
  std::string Open(const std::string& x_title, const std::string& y_title, bool numbered) const {
    const double legend_end = kTop + kLegendStep * static_cast<double>(series_.size());
    std::string svg = OpenSvg(std::max(kHeight, legend_end));
    for (const double value : y_.ticks) {
      svg += Line(kLeft, Y(value), right_, Y(value), "grid");
      svg += Text(kLeft - 6, Y(value) + 4, "end", fmt::format("{:.6g}", value));
    }
    for (const double value : x_.ticks) svg += Text(X(value), kBottom + 18, "middle", fmt::format("{:.6g}", value));
    svg += Line(kLeft, kBottom, right_, kBottom, "axis");
    svg += Text((kLeft + right_) / 2, kBottom + 38, "middle", x_title);
    svg += Text(kLeft, kTop - 10, "start", y_title);
    for (size_t i = 0; i < series_.size(); ++i) {
      const double y = kTop + kLegendStep * static_cast<double>(i);
      if (numbered)
        svg += NumberedDot(right_ + 24, y, i);
      else
        svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"14\" height=\"4\" fill=\"{}\"/>\n", right_ + 16,
                           y - 2, PaletteColour(i));
      svg += Text(right_ + 38, y + 4, "start", series_[i].label);
    }
    return svg;
  }

  static std::string NumberedDot(double x, double y, size_t index) {
    return fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"8\" fill=\"{}\"/>\n<text x=\"{:.1f}\" y=\"{:.1f}\" "
        "text-anchor=\"middle\" class=\"number\">{}</text>\n",
        x, y, PaletteColour(index), x, y + 3.5, index + 1);
  }

 private:
  static constexpr double kLeft = 60, kTop = 30, kBottom = 380, kHeight = 430, kLegendStep = 19;

  Axis x_, y_;
  const std::vector<ChartSeries>& series_;
  double right_;
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

std::string DotChart(const std::vector<ChartDot>& dots) {
  if (dots.empty()) return "";
  constexpr double kStep = 24;
  const double labels = WidestLabel(dots) + 16, end = kWidth - 60;
  double low = dots[0].value, high = dots[0].value;
  for (const ChartDot& dot : dots) {
    low = std::min(low, dot.value - dot.error);
    high = std::max(high, dot.value + dot.error);
  }
  const Axis axis = RoundAxis(low, high, 6);
  const auto x = [&](double value) { return labels + axis.Share(value) * (end - labels); };
  const double height = kStep * static_cast<double>(dots.size()) + 40;
  std::string svg = OpenSvg(height);
  for (const double value : axis.ticks) {
    svg += Line(x(value), 8, x(value), height - 26, "grid");
    svg += Text(x(value), height - 10, "middle", fmt::format("{:.6g}", value));
  }
  for (size_t i = 0; i < dots.size(); ++i) {
    const double y = 20 + kStep * static_cast<double>(i);
    svg += Text(labels - 8, y + 4, "end", dots[i].label);
    if (dots[i].error > 0)
      svg += Line(x(dots[i].value - dots[i].error), y, x(dots[i].value + dots[i].error), y, "whisker");
    svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\" fill=\"{}\"/>\n", x(dots[i].value), y,
                       PaletteColour(i));
    svg += Text(x(dots[i].value + dots[i].error) + 6, y + 4, "start", fmt::format("{:.2f}", dots[i].value));
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
  const Plane plane(RoundAxis(0, most_x, 8), RoundAxis(0, most_y, 6), series);
  std::string svg = plane.Open(x_title, y_title, false);
  for (size_t i = 0; i < series.size(); ++i) {
    std::string points;
    for (const auto& [px, py] : series[i].points) points += fmt::format("{:.1f},{:.1f} ", plane.X(px), plane.Y(py));
    svg += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n", points,
                       PaletteColour(i));
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
  const Plane plane(LogAxis(low_x, high_x), RoundAxis(low_y, high_y, 6), dots);
  std::string svg = plane.Open(x_title, y_title, true);
  for (size_t i = 0; i < dots.size(); ++i)
    for (const auto& [px, py] : dots[i].points) svg += Plane::NumberedDot(plane.X(px), plane.Y(py), i);
  return svg + "</svg>\n";
}

}  // namespace graft::engine
