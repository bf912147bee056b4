// SPDX-License-Identifier: Apache-2.0
#include "plot/drawing/lines.hpp"

#include <algorithm>
#include <cmath>

#include "plot/drawing/figure.hpp"

namespace credence::plot {
namespace {

// The runs of points that can be drawn.
std::vector<std::vector<Point>> runs(const Series& series, bool log_x) {
  std::vector<std::vector<Point>> result;
  bool gap = true;
  for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
    const Point point{series.x[i], series.y[i]};
    const bool drawable =
        std::isfinite(point.x) && std::isfinite(point.y) && (!log_x || point.x > 0);
    if (drawable && gap) result.emplace_back();
    if (drawable) result.back().push_back(point);
    gap = !drawable;
  }
  return result;
}

Range log_range(const std::vector<double>& values) {
  std::vector<double> logs;
  for (const double value : values) logs.push_back(std::log10(value));
  const Range range = widened(range_of(logs), 0.02);
  return {std::pow(10, range.low), std::pow(10, range.high)};
}

void draw_errors(Canvas& canvas, const Axes& axes, const Series& series, std::size_t color) {
  const Stroke style{faded(class_color(color), 0.6), 1.3, {}};
  for (std::size_t i = 0; i < series.error.size(); ++i) {
    if (!std::isfinite(series.y[i] + series.error[i])) continue;
    // Side by side, where several series have their points at the same place.
    const double aside = 2.5 * (static_cast<double>(color % 4) - 1.5);
    for (const double sign : {-1.0, 1.0}) {
      const Point from = axes.at(series.x[i], series.y[i]);
      const Point to = axes.at(series.x[i], series.y[i] + sign * series.error[i]);
      canvas.stroke({{from.x + aside, from.y}, {to.x + aside, to.y}}, style);
      canvas.stroke({{to.x + aside - 3, to.y}, {to.x + aside + 3, to.y}}, style);
    }
  }
}

}  // namespace

std::string line_chart(const Look& look, const std::string& title, const std::string& subtitle,
                       const std::string& x_label, const std::string& y_label,
                       const std::vector<Series>& series, bool log_x) {
  std::vector<double> xs, ys;
  std::vector<std::string> names;
  std::vector<std::vector<std::vector<Point>>> lines;
  std::size_t longest = 0;
  for (const auto& one : series) {
    names.push_back(one.name);
    lines.push_back(runs(one, log_x));
    longest = std::max(longest, one.x.size());
    for (const auto& run : lines.back()) {
      for (const auto& point : run) {
        xs.push_back(point.x);
        ys.push_back(point.y);
      }
    }
    for (std::size_t i = 0; i < one.error.size(); ++i) {
      ys.push_back(one.y[i] - one.error[i]);
      ys.push_back(one.y[i] + one.error[i]);
    }
  }
  Figure figure(look, title, subtitle);
  // Measured points, unless there are so many that they are the line.
  const bool marked = longest <= 40;
  if (names.size() > 1) {
    figure.add_legend("", class_legend(names, marked ? LegendEntry::Kind::line_with_marker
                                                     : LegendEntry::Kind::line));
  }
  auto& canvas = figure.canvas();
  const Range range_x = log_x ? log_range(xs) : widened(range_of(xs), 0.02);
  Axes axes(canvas, figure.area(), {x_label, range_x, false, log_x, {}, false},
            {y_label, widened(range_of(ys), 0.05), false, false, {}, false});
  axes.draw_grid();
  canvas.clip(axes.box());
  for (std::size_t s = 0; s < lines.size(); ++s) {
    draw_errors(canvas, axes, series[s], s);
    for (const auto& run : lines[s]) {
      canvas.stroke(axes.at(run), class_stroke(s, 2));
      if (!marked && run.size() > 1) continue;
      for (const auto& point : run) {
        canvas.marker(axes.at(point.x, point.y), class_marker(s), 3.5, class_color(s));
      }
    }
  }
  canvas.unclip();
  axes.draw_frame();
  return canvas.finish();
}

}  // namespace credence::plot
