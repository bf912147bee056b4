// SPDX-License-Identifier: Apache-2.0
// Contours of the classes' densities.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "core/log_math.hpp"
#include "core/strings.hpp"
#include "plot/drawing/labels.hpp"
#include "plot/plot.hpp"
#include "plot/rows.hpp"

namespace credence::plot {
namespace {

// Shares of a class's own peak, so that a wide or a distant class shows as well as any other.
const std::vector<double> peak_shares = {0.01, 0.1, 0.5, 0.9};
constexpr std::size_t density_steps = 160;

Range common(const Range& a, const Range& b) {
  return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

// log p(x, y | c) relative to its peak.
struct ClassDensity {
  Grid grid;
  double peak;
};

std::optional<ClassDensity> density_on(const Slice& slice, std::size_t cls, std::size_t x,
                                       std::size_t y, Grid grid) {
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
  return ClassDensity{std::move(grid), peak};
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
std::optional<ClassDensity> density_of(const Slice& slice, const Model& model, std::size_t cls,
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
  return grid && !reaches_rim(grid->grid, std::log(peak_shares.front())) ? grid : whole();
}

// How far apart the places of an axis are, each with half the way to its neighbours.
std::vector<double> widths(const std::vector<double>& places, bool counts) {
  if (counts) return std::vector<double>(places.size(), 1);
  std::vector<double> result;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const double left = places[i > 0 ? i - 1 : i],
                 right = places[std::min(i + 1, places.size() - 1)];
    result.push_back((right - left) / 2);
  }
  return result;
}

// The logarithm, relative to the peak, of the density above which `share` of the class is: the
// edge of the smallest region that holds so much of it, an ellipse where the class is a gaussian.
// None where less than that is on the grid.
std::optional<double> level_around(const ClassDensity& density, double share, bool counts_x,
                                   bool counts_y) {
  const auto& grid = density.grid;
  const auto wide = widths(grid.x, counts_x), high = widths(grid.y, counts_y);
  std::vector<std::pair<double, double>> cells;  // density, mass
  for (std::size_t j = 0; j < grid.y.size(); ++j) {
    for (std::size_t i = 0; i < grid.x.size(); ++i) {
      const double level = grid.at(i, j);
      cells.emplace_back(level, std::exp(level + density.peak) * wide[i] * high[j]);
    }
  }
  std::sort(cells.begin(), cells.end(), std::greater<>());
  double sum = 0;
  for (const auto& [level, mass] : cells) {
    sum += mass;
    if (sum >= share) return level;
  }
  return std::nullopt;
}

// The same for all of the class, of which the picture may cut a part off: on a grid that reaches as
// far as it must.
double level_in_full(const Slice& slice, const ClassDensity& density, std::size_t cls,
                     std::size_t x, std::size_t y, double share) {
  const auto counts = [&](std::size_t column) {
    return slice.schema().columns[column].kind == ColumnKind::count;
  };
  std::optional<double> level;
  for (const double room : {0.6, 2.0, 8.0}) {
    const auto values = [&](std::size_t column) {
      Range range = widened(slice.range_of_class(column, cls), room);
      if (counts(column)) range.low = std::max(range.low, -0.5);
      return grid_values(counts(column), range, density_steps);
    };
    const auto full = density_on(slice, cls, x, y, {values(x), values(y), {}});
    if (!full) break;
    level = level_around(*full, share, counts(x), counts(y));
    if (level) return *level + full->peak - density.peak;
  }
  return density.grid.z.empty() ? 0
                                : *std::min_element(density.grid.z.begin(), density.grid.z.end());
}

// The levels of a class's lines, from the outermost.
std::vector<double> levels_of(const Slice& slice, const ClassDensity& density, std::size_t cls,
                              std::size_t x, std::size_t y, const std::vector<double>& around) {
  std::vector<double> levels;
  for (const double share : around) {
    levels.push_back(level_in_full(slice, density, cls, x, y, share));
  }
  if (around.empty()) {
    for (const double share : peak_shares) levels.push_back(std::log(share));
  }
  std::sort(levels.begin(), levels.end());
  return levels;
}

std::string what_lines_are(const std::vector<double>& around) {
  if (around.empty()) return "lines at 0.9, 0.5, 0.1 and 0.01 of each class's peak";
  std::vector<std::string> parts;
  for (const double share : around) parts.push_back(fmt::format("{:g} %", 100 * share));
  return fmt::format("lines around {} of each class", join(parts, ", "));
}

void draw_class(Canvas& canvas, const Axes& axes, const Grid& grid,
                const std::vector<double>& levels, std::size_t cls) {
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const Stroke stroke =
        class_stroke(cls, levels.size() == 1 ? 1.8 : 0.9 + 0.3 * static_cast<double>(i));
    for (const auto& line : contour(grid, levels[i])) {
      canvas.stroke(axes.at(line.points), stroke, line.closed);
    }
  }
}

// At the peaks: colours of many classes are hard to find in a legend.
void draw_names(Canvas& canvas, const Axes& axes,
                const std::vector<std::optional<ClassDensity>>& densities,
                const std::vector<std::string>& classes) {
  Labels labels(canvas, axes.box());
  for (std::size_t c = 0; c < densities.size(); ++c) {
    if (!densities[c]) continue;
    const auto& grid = densities[c]->grid;
    const auto peak = std::max_element(grid.z.begin(), grid.z.end()) - grid.z.begin();
    const auto place = static_cast<std::size_t>(peak);
    const TextStyle style{11, true, dark(class_color(c)), Align::left, false};
    labels.write(axes.at(grid.x[place % grid.x.size()], grid.y[place / grid.x.size()]),
                 canvas.fitted(classes[c], style, 110), style, true);
  }
}

void fill_class(Canvas& canvas, const Axes& axes, const Grid& grid,
                const std::vector<double>& levels, std::size_t cls) {
  for (const double level : levels) {
    std::vector<std::vector<Point>> rings;
    for (const auto& ring : region(grid, level)) rings.push_back(axes.at(ring));
    canvas.fill(rings, faded(class_color(cls), 0.05));
  }
}

}  // namespace

std::string density(const Model& model, const std::vector<Chunk>& data, const View& view,
                    const Look& look) {
  const auto [x, y] = contour_columns(model.schema(), view, &model);
  const Slice slice(model, view.at);
  slice.require_density(x);
  slice.require_density(y);
  const auto& columns = model.schema().columns;
  const Scatter rows(data, x, y, slice.classes(), view.points);
  const auto star = marked(slice, view, x, y);
  Figure figure(
      look, fmt::format("p({}, {} | {})", columns[x].name, columns[y].name, model.schema().target),
      sentence({what_lines_are(view.around), slice.subtitle({x, y}), rows.note(), star.note}));
  auto& canvas = figure.canvas();
  figure.add_legend(model.schema().target,
                    class_legend(slice.classes(), rows.empty() ? LegendEntry::Kind::line
                                                               : LegendEntry::Kind::marker));
  const Range range_x =
      with_mark(slice.range_of_densities(data, x), star.at ? star.at->x : not_a_number);
  const Range range_y =
      with_mark(slice.range_of_densities(data, y), star.at ? star.at->y : not_a_number);
  Axes axes(canvas, figure.area(), axis_of(columns[x], range_x), axis_of(columns[y], range_y));
  axes.draw_grid();
  canvas.clip(axes.box());
  const bool many = slice.classes().size() > 6;  // colours over each other would be gray
  std::vector<std::optional<ClassDensity>> grids;
  std::vector<std::vector<double>> levels;
  for (std::size_t c = 0; c < slice.classes().size(); ++c) {
    grids.push_back(density_of(slice, model, c, x, y, range_x, range_y));
    levels.emplace_back();
    if (!grids.back()) continue;
    levels.back() = levels_of(slice, *grids.back(), c, x, y, view.around);
    if (!many) fill_class(canvas, axes, grids.back()->grid, levels.back(), c);
  }
  rows.draw(canvas, axes);
  for (std::size_t c = 0; c < grids.size(); ++c) {
    if (grids[c]) draw_class(canvas, axes, grids[c]->grid, levels[c], c);
  }
  if (star.at) draw_mark(canvas, axes.at(star.at->x, star.at->y));
  canvas.unclip();
  if (many) draw_names(canvas, axes, grids, slice.classes());
  axes.draw_frame();
  return canvas.finish();
}

}  // namespace credence::plot
