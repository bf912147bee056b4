// SPDX-License-Identifier: Apache-2.0
// The regions in which each class is the most probable one.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "plot/plot.hpp"
#include "plot/rows.hpp"

namespace credence::plot {
namespace {

constexpr std::size_t boundary_steps = 220;

// How far class c is ahead of the best other one: log P(c | x) / P(other | x), within bounds.
std::vector<double> lead(const std::vector<double>& joint, std::size_t classes, std::size_t c) {
  constexpr double bound = 50;
  std::vector<double> result;
  for (std::size_t row = 0; row < joint.size(); row += classes) {
    double other = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < classes; ++k) {
      if (k != c) other = std::max(other, joint[row + k]);
    }
    const double own = joint[row + c];
    const double ahead = std::isfinite(own) ? own - other : -bound;
    result.push_back(std::isnan(ahead) ? -bound : std::clamp(ahead, -bound, bound));
  }
  return result;
}

}  // namespace

std::string boundary(const Model& model, const std::vector<Chunk>& data, const View& view,
                     const Look& look) {
  const auto [x, y] = contour_columns(model, view);
  const Slice slice(model, view.at);
  const auto& columns = model.schema().columns;
  const auto& classes = slice.classes();
  const Scatter rows(data, x, y, classes);
  Figure figure(look, fmt::format("The most probable {}", model.schema().target),
                sentence({slice.subtitle({x, y}), rows.note()}));
  auto& canvas = figure.canvas();
  figure.add_legend(
      model.schema().target,
      class_legend(classes, rows.empty() ? LegendEntry::Kind::patch : LegendEntry::Kind::marker));
  const Range range_x = slice.range(data, x), range_y = slice.range(data, y);
  Axes axes(canvas, figure.area(), axis_of(columns[x], range_x), axis_of(columns[y], range_y));
  Grid grid;
  grid.x = grid_values(columns[x].kind == ColumnKind::count, range_x, boundary_steps);
  grid.y = grid_values(columns[y].kind == ColumnKind::count, range_y, boundary_steps);
  const auto joint = slice.log_joint(x, y, grid);

  canvas.clip(axes.box());
  // The first of equal classes is decided for: it is painted last.
  for (std::size_t c = classes.size(); c-- > 0;) {
    grid.z = lead(joint, classes.size(), c);
    std::vector<std::vector<Point>> rings;
    for (const auto& ring : region(grid, 0)) rings.push_back(axes.at(ring));
    const Color color = tint(class_color(c), rows.empty() ? 0.5 : 0.24);
    canvas.fill(rings, color);
    // Three regions meet inside a cell of the grid: the rims cover what is left between them.
    for (const auto& ring : rings) canvas.stroke(ring, {color, 2, {}}, true);
  }
  for (std::size_t c = 0; c < classes.size(); ++c) {
    grid.z = lead(joint, classes.size(), c);
    for (const auto& line : contour(grid, 0)) {
      canvas.stroke(axes.at(line.points), {ink, 1.6, {}}, line.closed);
    }
  }
  rows.draw(canvas, axes);
  canvas.unclip();
  axes.draw_frame();
  return canvas.finish();
}

}  // namespace credence::plot
