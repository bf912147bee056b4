// SPDX-License-Identifier: Apache-2.0
#include "plot/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/strings.hpp"
#include "plot/slice.hpp"

namespace credence::plot {

Scatter::Scatter(const std::vector<Chunk>& data, std::size_t x, std::size_t y,
                 const std::vector<std::string>& classes, std::size_t most) {
  const auto xs = points_of(data, x, classes), ys = points_of(data, y, classes);
  std::vector<Row> all;
  for (std::size_t r = 0; r < xs.values.size(); ++r) {
    if (!std::isfinite(xs.values[r]) || !std::isfinite(ys.values[r])) continue;
    all.push_back({{xs.values[r], ys.values[r]}, xs.classes[r]});
  }
  stride_ = (all.size() + most - 1) / most;
  if (stride_ == 0) stride_ = 1;
  for (std::size_t r = 0; r < all.size(); r += stride_) points_.push_back(all[r]);
}

std::string Scatter::note() const {
  return stride_ == 1 ? "" : fmt::format("1 of {} rows is drawn", stride_);
}

namespace {

// Small enough that a thousand points do not cover what is below.
double radius_for(std::size_t points) { return points <= 300 ? 3.8 : points <= 1000 ? 3.0 : 2.4; }

}  // namespace

void Scatter::draw(Canvas& canvas, const Axes& axes) const {
  const double alpha = points_.size() <= 300 ? 0.9 : 0.65;
  for (const auto& [at, cls] : points_) {
    const bool known = cls != Points::no_class;
    const Color color = known ? class_color(cls) : faint_ink;
    canvas.marker(axes.at(at.x, at.y), known ? class_marker(cls) : 0, radius_for(points_.size()),
                  faded(color, alpha));
  }
}

void Scatter::draw(Canvas& canvas, const Axes& axes, std::size_t cls, const Color& color,
                   double radius) const {
  for (const auto& row : points_) {
    if (row.cls != cls) continue;
    canvas.marker(axes.at(row.at.x, row.at.y), class_marker(cls), radius, color);
  }
}

std::vector<std::size_t> classes_with_room(std::size_t classes, const std::vector<double>& weights,
                                           std::size_t room) {
  std::vector<std::size_t> order(classes);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (classes <= room) return order;
  if (!weights.empty()) {
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return weights[a] > weights[b]; });
  }
  order.resize(room);
  std::sort(order.begin(), order.end());
  return order;
}

std::string sentence(const std::vector<std::string>& parts) {
  std::vector<std::string> present;
  for (const auto& part : parts) {
    if (!part.empty()) present.push_back(part);
  }
  return join(present, "; ");
}

bool holds_dates(const ColumnSpec& column) { return column.reading.starts_with("date"); }

Axis axis_of(const ColumnSpec& column, const Range& range) {
  Axis axis{column.name, range, column.kind == ColumnKind::count, false, {}, false};
  axis.dates = holds_dates(column);
  // What a number is of, where cells are not written as one.
  if (column.reading.starts_with("time")) axis.label += " (hours)";
  if (column.reading.starts_with("duration")) axis.label += " (seconds)";
  return axis;
}

std::vector<double> grid_values(bool counts, const Range& range, std::size_t count) {
  if (!counts) return spaced(range, count);
  const double low = std::floor(range.low), high = std::max(low + 1, std::ceil(range.high));
  const double step = std::max(1.0, std::ceil((high - low) / static_cast<double>(count)));
  std::vector<double> values;
  for (double value = low; value < high + step; value += step) values.push_back(value);
  return values;
}

}  // namespace credence::plot
