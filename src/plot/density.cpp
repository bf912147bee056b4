// SPDX-License-Identifier: Apache-2.0
// Contours of the classes' densities.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "plot/plot.hpp"
#include "plot/rows.hpp"

namespace credence::plot {
namespace {

// Shares of a class's own peak, so that a wide or a distant class shows as well as any other.
constexpr std::array<double, 4> shares = {0.01, 0.1, 0.5, 0.9};
constexpr std::size_t density_steps = 160;

Range common(const Range& a, const Range& b) {
  return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

// log p(x, y | c) relative to its peak.
std::optional<Grid> density_on(const Slice& slice, std::size_t cls, std::size_t x, std::size_t y,
                               Grid grid) {
  const auto all = slice.log_density(x, y, grid);
  double peak = -std::numeric_limits<double>::infinity();
  for (std::size_t i = cls; i < all.size(); i += slice.classes().size()) {
    grid.z.push_back(all[i]);
    if (std::isfinite(all[i])) peak = std::max(peak, all[i]);
  }
  if (!std::isfinite(peak)) return std::nullopt;
  // Far below the lowest level it does not matter how far.
  constexpr double bottom = -30;
  for (auto& value : grid.z) value = std::isnan(value) ? bottom : std::max(bottom, value - peak);
  return grid;
}

bool reaches_rim(const Grid& grid, double level) {
  const std::size_t last_x = grid.x.size() - 1, last_y = grid.y.size() - 1;
  for (std::size_t i = 0; i <= last_x; ++i) {
    if (grid.at(i, 0) >= level || grid.at(i, last_y) >= level) return true;
  }
  for (std::size_t j = 0; j <= last_y; ++j) {
    if (grid.at(0, j) >= level || grid.at(last_x, j) >= level) return true;
  }
  return false;
}

// On a grid of the class's own part of the picture, where the narrowest class has room; on all of
// the picture where that part turns out too small, as it may beside fixed columns.
std::optional<Grid> density_of(const Slice& slice, const Model& model, std::size_t cls,
                               std::size_t x, std::size_t y, const Range& window_x,
                               const Range& window_y) {
  const auto values = [&](std::size_t column, const Range& range) {
    const bool counts = model.schema().columns[column].kind == ColumnKind::count;
    return grid_values(counts, range, density_steps);
  };
  const auto part = [&](std::size_t column, const Range& window) {
    if (model.schema().columns[column].kind == ColumnKind::count) return window;
    return common(window, widened(slice.range_of_class(column, cls), 0.6));
  };
  const Range part_x = part(x, window_x), part_y = part(y, window_y);
  const auto whole = [&] {
    return density_on(slice, cls, x, y, {values(x, window_x), values(y, window_y), {}});
  };
  if (!(part_x.width() > 0) || !(part_y.width() > 0)) return whole();
  auto grid = density_on(slice, cls, x, y, {values(x, part_x), values(y, part_y), {}});
  return grid && !reaches_rim(*grid, std::log(shares.front())) ? grid : whole();
}

}  // namespace

std::string density(const Model& model, const std::vector<Chunk>& data, const View& view,
                    const Look& look) {
  const auto [x, y] = contour_columns(model, view);
  const Slice slice(model, view.at);
  slice.require_density(x);
  slice.require_density(y);
  const auto& columns = model.schema().columns;
  const Scatter rows(data, x, y, slice.classes());
  Figure figure(
      look, fmt::format("p({}, {} | {})", columns[x].name, columns[y].name, model.schema().target),
      sentence({"lines at 0.9, 0.5, 0.1 and 0.01 of each class's peak", slice.subtitle({x, y}),
                rows.note()}));
  auto& canvas = figure.canvas();
  figure.add_legend(model.schema().target,
                    class_legend(slice.classes(), rows.empty() ? LegendEntry::Kind::line
                                                               : LegendEntry::Kind::marker));
  const Range range_x = slice.range_of_densities(data, x);
  const Range range_y = slice.range_of_densities(data, y);
  Axes axes(canvas, figure.area(), axis_of(columns[x], range_x), axis_of(columns[y], range_y));
  axes.draw_grid();
  canvas.clip(axes.box());
  std::vector<std::optional<Grid>> grids;
  for (std::size_t c = 0; c < slice.classes().size(); ++c) {
    grids.push_back(density_of(slice, model, c, x, y, range_x, range_y));
    if (!grids.back()) continue;
    for (const double share : {0.1, 0.5}) {
      std::vector<std::vector<Point>> rings;
      for (const auto& ring : region(*grids.back(), std::log(share)))
        rings.push_back(axes.at(ring));
      canvas.fill(rings, faded(class_color(c), 0.07));
    }
  }
  rows.draw(canvas, axes);
  for (std::size_t c = 0; c < grids.size(); ++c) {
    if (!grids[c]) continue;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      const Stroke stroke = class_stroke(c, 0.9 + 0.3 * static_cast<double>(i));
      for (const auto& line : contour(*grids[c], std::log(shares[i]))) {
        canvas.stroke(axes.at(line.points), stroke, line.closed);
      }
    }
  }
  canvas.unclip();
  axes.draw_frame();
  return canvas.finish();
}

}  // namespace credence::plot
