// SPDX-License-Identifier: Apache-2.0
#include "plot/curves/curves.hpp"

#include <algorithm>
#include <cmath>

#include "plot/rows.hpp"

namespace credence::plot {
namespace {

// More over each other tell nothing.
constexpr std::size_t most_over_each_other = 6;

void draw_histograms(Canvas& canvas, const Axes& axes, const std::vector<double>& edges,
                     const std::vector<std::vector<double>>& heights) {
  for (std::size_t c = 0; c < heights.size(); ++c) {
    const auto bars = axes.at(outline(edges, heights[c]));
    canvas.fill({bars}, faded(class_color(c), 0.14));
    canvas.stroke(bars, {faded(class_color(c), 0.35), 0.8, {}});
  }
}

}  // namespace

bool any_values(const Points& rows) {
  return std::any_of(rows.values.begin(), rows.values.end(),
                     [](double value) { return std::isfinite(value); });
}

double rug_height(std::size_t classes) { return 6 + rug_lane * static_cast<double>(classes); }

void draw_rug(Canvas& canvas, const Axes& axes, const Points& rows, std::size_t classes) {
  constexpr std::size_t most = 1500;
  const std::size_t stride = rows.values.size() / most + 1;
  for (std::size_t r = 0; r < rows.values.size(); r += stride) {
    if (!std::isfinite(rows.values[r]) || rows.classes[r] == Points::no_class) continue;
    const double x = axes.at(rows.values[r], 0).x;
    const auto above = static_cast<double>(classes - 1 - rows.classes[r]);
    const double y = axes.box().bottom() - 3 - rug_lane * above;
    canvas.stroke({{x, y}, {x, y - rug_lane + 1.5}},
                  {faded(class_color(rows.classes[r]), 0.7), 1, {}});
  }
}

std::string class_curves(const ClassCurves& chart, const Look& look) {
  const std::size_t classes = chart.classes.size();
  if (classes > most_over_each_other) return class_ridges(chart, look);
  const Range& range = chart.range;
  const Points& rows = chart.rows;
  const bool counts = chart.counts;
  double top = 0;
  for (const auto& line : chart.lines) {
    for (const auto& point : line) top = std::max(top, point.y);
  }
  const bool any = any_values(rows);
  const auto edges = any ? bins_for(chart) : std::vector<double>{};
  std::vector<std::vector<double>> heights;
  for (std::size_t c = 0; any && c < classes; ++c) {
    heights.push_back(histogram(chart, c, edges));
    for (const double height : heights.back()) top = std::max(top, height);
  }
  const bool rug = any && !counts && rows.values.size() <= 400;
  Figure figure(look, chart.title,
                sentence({chart.subtitle, heights.empty() ? ""
                                          : rug ? "histograms and ticks: the rows of the data"
                                                : "histograms: the rows of the data"}));
  auto& canvas = figure.canvas();
  figure.add_legend(chart.target, class_legend(chart.classes, LegendEntry::Kind::line));
  // The rug has a strip of its own below zero.
  const double strip = rug ? rug_height(classes) / (figure.area().height - 60) : 0;
  const Range range_y{-1.05 * top * strip, top > 0 ? 1.05 * top : 1};
  Axis y_axis{chart.y, range_y, false, false, {}, false};
  if (rug) y_axis.marks = ticks({0, range_y.high}, 8);
  Axes axes(canvas, figure.area(), {chart.x, range, counts, false, {}, false, chart.dates},
            std::move(y_axis));
  axes.draw_grid();
  canvas.clip(axes.box());
  draw_histograms(canvas, axes, edges, heights);
  if (rug) {
    canvas.stroke({axes.at(range.low, 0), axes.at(range.high, 0)}, {frame_gray, 0.8, {}});
    draw_rug(canvas, axes, rows, classes);
  }
  draw_heaps(canvas, axes, range_y.high, chart.heaps);
  for (std::size_t c = 0; c < classes; ++c) {
    canvas.stroke(axes.at(chart.lines[c]), class_stroke(c, 2));
    if (!counts || chart.lines[c].size() > 60) continue;
    for (const auto& point : chart.lines[c]) {
      canvas.marker(axes.at(point.x, point.y), class_marker(c), 3.5, class_color(c));
    }
  }
  canvas.unclip();
  axes.draw_frame();
  return canvas.finish();
}

}  // namespace credence::plot
