// SPDX-License-Identifier: Apache-2.0
// Curves of many classes, below each other.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plot/curves/curves.hpp"
#include "plot/rows.hpp"

namespace credence::plot {
namespace {

double highest(const std::vector<Point>& line) {
  double top = 0;
  for (const auto& point : line) top = std::max(top, point.y);
  return top;
}

// Bars may be twice as high as the curve: what is above is cut.
void draw_ridge(Canvas& canvas, const Axes& axes, double floor, const std::vector<Point>& curve,
                const std::vector<Point>& bars, std::size_t cls) {
  const double own = highest(curve);
  const double top = std::max(own, own > 0 ? std::min(highest(bars), 2 * own) : highest(bars));
  if (!(top > 0)) return;
  const auto placed = [&](const std::vector<Point>& line) {
    std::vector<Point> result;
    for (const auto& point : line) {
      result.push_back(axes.at(point.x, floor + 0.92 * std::min(1.0, point.y / top)));
    }
    return result;
  };
  const Color color = class_color(cls);
  if (!bars.empty()) canvas.fill({placed(bars)}, faded(color, 0.3));
  canvas.stroke(placed(curve), {color, 1.5, {}});
}

// The probability of a 0, where the height of a lane is 1.
void draw_heap(Canvas& canvas, const Axes& axes, double floor, double p, std::size_t cls) {
  canvas.stroke({axes.at(0, floor), axes.at(0, floor + 0.92 * p)}, {class_color(cls), 4, {}});
}

}  // namespace

std::string class_ridges(const ClassCurves& chart, const Look& look) {
  const double height = look.height / look.scale() - 120;
  const auto shown = classes_with_room(chart.classes.size(), chart.weights,
                                       static_cast<std::size_t>(std::max(3.0, height / 11)));
  const bool any = any_values(chart.rows);
  const auto edges = any ? bins_for(chart) : std::vector<double>{};
  Figure figure(look, chart.title,
                sentence({chart.subtitle, "each class to its own height",
                          any ? "filled: the rows of the data" : "",
                          shown.size() < chart.classes.size()
                              ? fmt::format("the {} of {} classes with the most rows", shown.size(),
                                            chart.classes.size())
                              : ""}));
  auto& canvas = figure.canvas();
  const auto lanes = static_cast<double>(shown.size());
  Axis names{chart.target, {0, lanes}, false, false, {}, false};
  for (std::size_t i = 0; i < shown.size(); ++i) {
    names.marks.push_back({lanes - 0.65 - static_cast<double>(i), chart.classes[shown[i]]});
  }
  const double text = std::clamp(0.85 * (figure.area().height - 50) / lanes, 7.0, 12.0);
  Axes axes(canvas, figure.area(),
            {chart.x, chart.range, chart.counts, false, {}, false, chart.dates}, names, text);
  axes.draw_grid(true, false);
  canvas.clip(axes.box());
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const std::size_t c = shown[i];
    const double floor = lanes - 1 - static_cast<double>(i);
    canvas.stroke({axes.at(chart.range.low, floor), axes.at(chart.range.high, floor)},
                  {grid_gray, 0.8, {}});
    draw_ridge(canvas, axes, floor, chart.lines[c],
               any ? outline(edges, histogram(chart, c, edges)) : std::vector<Point>{}, c);
    if (!chart.heaps.empty()) draw_heap(canvas, axes, floor, chart.heaps[c], c);
  }
  canvas.unclip();
  axes.draw_frame();
  return canvas.finish();
}

}  // namespace credence::plot
