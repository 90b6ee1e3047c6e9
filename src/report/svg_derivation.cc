#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/svg.h"
#include "util/utf8.h"

namespace graft::engine {
namespace {

constexpr double kGap = 8, kWordHeight = 22, kBetween = 90, kMargin = 10;
constexpr double kNarrow = 8.2, kWide = 14.5;  // of a character, about

double WidthOf(std::string_view word) {
  double width = 12;
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xc0) == 0x80) continue;  // inside a character
    width += byte >= 0xe0 ? kWide : kNarrow;
  }
  return width;
}

struct Row {
  std::vector<double> left, width;
  double total = 0;

  explicit Row(const std::vector<std::string>& words) {
    double x = kMargin;
    for (const std::string& word : words) {
      left.push_back(x);
      width.push_back(WidthOf(word));
      x += width.back() + kGap;
    }
    total = x + kMargin;
  }
  double Middle(int i) const { return left[static_cast<size_t>(i)] + width[static_cast<size_t>(i)] / 2; }
};

std::string Words(const Row& row, const std::vector<std::string>& words, const std::vector<int>& step_of, double y) {
  std::string svg;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string colour = step_of[i] < 0 ? "none" : PaletteColour(static_cast<size_t>(step_of[i]));
    svg += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\" rx=\"4\" fill=\"{}\" fill-opacity=\"0.35\" "
        "stroke=\"{}\"/><text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
        row.left[i], y, row.width[i], kWordHeight, colour, step_of[i] < 0 ? "#888" : colour,
        row.left[i] + row.width[i] / 2, y + 16, EscapeHtml(words[i]));
  }
  return svg;
}

}  // namespace

std::string DrawDerivation(const ReportExample& example, const DrawnDerivation& derivation) {
  const Row source(example.source), target(derivation.target);
  std::vector<int> source_step(example.source.size(), -1), target_step(derivation.target.size(), -1);
  int drawn = 0;  // glue and the like translate no word themselves and need no colour
  for (const DrawnDerivation::Part& part : derivation.parts) {
    if (part.source.empty() && part.target.empty()) continue;
    for (const int word : part.source) source_step[static_cast<size_t>(word)] = drawn;
    for (const int word : part.target) target_step[static_cast<size_t>(word)] = drawn;
    ++drawn;
  }
  double arcs = 0;
  for (size_t d = 0; d < example.heads.size(); ++d)
    if (example.heads[d] > 0)
      arcs = std::max(arcs, std::abs(source.Middle(example.heads[d] - 1) - source.Middle(static_cast<int>(d))));
  const double top = 14 + std::min(90.0, arcs / 3);
  const double bottom = top + kWordHeight + kBetween;
  const double width = std::max(source.total, target.total);
  std::string svg = fmt::format(
      "<svg class=\"derivation\" style=\"width:{0:.0f}px\" viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\" "
      "xmlns=\"http://www.w3.org/2000/svg\">\n",
      width, bottom + kWordHeight + 8);
  for (size_t d = 0; d < example.heads.size(); ++d) {
    if (example.heads[d] <= 0) continue;
    const double from = source.Middle(example.heads[d] - 1), to = source.Middle(static_cast<int>(d));
    const double height = std::min(90.0, std::abs(from - to) / 3);
    svg += fmt::format(
        "<path class=\"arc\" d=\"M {0:.1f} {2:.1f} C {0:.1f} {3:.1f}, {1:.1f} {3:.1f}, {1:.1f} {2:.1f}\"/>\n", from, to,
        top - 1, top - 1 - height * 4 / 3);
  }
  for (const auto& [s, t] : derivation.alignment) {
    const int step = source_step[static_cast<size_t>(s)];
    svg += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-width=\"1.6\"/>\n",
        source.Middle(s), top + kWordHeight, target.Middle(t), bottom,
        step < 0 ? "#888" : PaletteColour(static_cast<size_t>(step)));
  }
  svg += Words(source, example.source, source_step, top);
  svg += Words(target, derivation.target, target_step, bottom);
  return svg + "</svg>\n";
}

}  // namespace graft::engine
