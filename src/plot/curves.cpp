// SPDX-License-Identifier: Apache-2.0
#include "plot/curves.hpp"

#include <algorithm>
#include <cmath>

#include "plot/rows.hpp"

namespace credence::plot {
namespace {

struct Bins {
  Range range;
  std::size_t count;
  double width() const { return range.width() / static_cast<double>(count); }
};

// Freedman and Diaconis (1981): 2 IQR / n^(1/3), averaged over the classes, within what the eye can
// use.
Bins bins_for(const Points& rows, std::size_t classes, const Range& window, bool counts) {
  if (counts) {
    const double low = std::floor(window.low), high = std::ceil(window.high);
    const double step = std::max(1.0, std::ceil((high - low) / 60));
    const auto count = static_cast<std::size_t>(std::ceil((high - low + 1) / step));
    return {{low - 0.5, low - 0.5 + step * static_cast<double>(count)}, count};
  }
  std::vector<double> all;
  std::vector<std::vector<double>> by_class(classes);
  for (std::size_t r = 0; r < rows.values.size(); ++r) {
    if (!std::isfinite(rows.values[r])) continue;
    all.push_back(rows.values[r]);
    if (rows.classes[r] != Points::no_class) by_class[rows.classes[r]].push_back(rows.values[r]);
  }
  const Range range = range_of(all);
  double sum = 0, count = 0;
  for (auto& values : by_class) {
    if (values.size() < 8) continue;
    std::sort(values.begin(), values.end());
    const double middle = values[values.size() * 3 / 4] - values[values.size() / 4];
    const double own = 2 * middle / std::cbrt(static_cast<double>(values.size()));
    if (own > 0) {
      sum += own;
      count += 1;
    }
  }
  const double width = count > 0 ? sum / count : range.width() / 10;
  return {range, static_cast<std::size_t>(std::clamp(std::ceil(range.width() / width), 8.0, 50.0))};
}

// The share of a class's rows per unit of x.
std::vector<double> histogram(const Points& rows, std::size_t cls, const Bins& bins) {
  std::vector<double> heights(bins.count, 0.0);
  double total = 0;
  for (std::size_t r = 0; r < rows.values.size(); ++r) {
    if (rows.classes[r] != cls || !std::isfinite(rows.values[r])) continue;
    const double place = std::floor((rows.values[r] - bins.range.low) / bins.width());
    const double last = static_cast<double>(bins.count - 1);
    heights[static_cast<std::size_t>(std::clamp(place, 0.0, last))] += 1;
    total += 1;
  }
  for (auto& height : heights) height /= std::max(1.0, total) * bins.width();
  return heights;
}

void draw_histograms(Canvas& canvas, const Axes& axes, const Bins& bins,
                     const std::vector<std::vector<double>>& heights) {
  for (std::size_t c = 0; c < heights.size(); ++c) {
    std::vector<Point> outline{{bins.range.low, 0}};
    for (std::size_t b = 0; b < bins.count; ++b) {
      const double left = bins.range.low + bins.width() * static_cast<double>(b);
      outline.push_back({left, heights[c][b]});
      outline.push_back({left + bins.width(), heights[c][b]});
    }
    outline.push_back({bins.range.high, 0});
    canvas.fill({axes.at(outline)}, faded(class_color(c), 0.14));
    canvas.stroke(axes.at(outline), {faded(class_color(c), 0.35), 0.8, {}});
  }
}

// A tick per row, in a lane per class just above the axis, in the order of the legend.
void draw_rug(Canvas& canvas, const Axes& axes, const Points& rows, std::size_t classes,
              double lane) {
  for (std::size_t r = 0; r < rows.values.size(); ++r) {
    if (!std::isfinite(rows.values[r]) || rows.classes[r] == Points::no_class) continue;
    const double x = axes.at(rows.values[r], 0).x;
    const auto above = static_cast<double>(classes - 1 - rows.classes[r]);
    const double y = axes.box().bottom() - 3 - lane * above;
    canvas.stroke({{x, y}, {x, y - lane + 1.5}}, {faded(class_color(rows.classes[r]), 0.7), 1, {}});
  }
}

}  // namespace

std::string class_curves(const ClassCurves& chart, const Look& look) {
  const Range& range = chart.range;
  const Points& rows = chart.rows;
  const bool counts = chart.counts;
  const std::size_t classes = chart.classes.size();
  double top = 0;
  for (const auto& line : chart.lines) {
    for (const auto& point : line) top = std::max(top, point.y);
  }
  const bool any = std::any_of(rows.values.begin(), rows.values.end(),
                               [](double value) { return std::isfinite(value); });
  const Bins bins = bins_for(rows, classes, range, counts);
  std::vector<std::vector<double>> heights;
  // Seven histograms over each other tell nothing.
  for (std::size_t c = 0; any && classes <= 6 && c < classes; ++c) {
    heights.push_back(histogram(rows, c, bins));
    for (const double height : heights.back()) top = std::max(top, height);
  }
  const bool rug = any && !counts && rows.values.size() <= 400 && classes <= 6;
  const double lane = 8;

  Figure figure(look, chart.title,
                sentence({chart.subtitle, heights.empty() ? ""
                                          : rug ? "histograms and ticks: the rows of the data"
                                                : "histograms: the rows of the data"}));
  auto& canvas = figure.canvas();
  figure.add_legend(chart.target, class_legend(chart.classes, LegendEntry::Kind::line));
  // The rug has a strip of its own below zero.
  const double strip =
      rug ? (6 + lane * static_cast<double>(classes)) / (figure.area().height - 60) : 0;
  const Range range_y{-1.05 * top * strip, top > 0 ? 1.05 * top : 1};
  Axis y_axis{chart.y, range_y, false, false, {}, false};
  if (rug) y_axis.marks = ticks({0, range_y.high}, 8);
  Axes axes(canvas, figure.area(), {chart.x, range, counts, false, {}, false}, std::move(y_axis));
  axes.draw_grid();
  canvas.clip(axes.box());
  draw_histograms(canvas, axes, bins, heights);
  if (rug) {
    canvas.stroke({axes.at(range.low, 0), axes.at(range.high, 0)}, {frame_gray, 0.8, {}});
    draw_rug(canvas, axes, rows, classes, lane);
  }
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
