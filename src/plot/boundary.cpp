// SPDX-License-Identifier: Apache-2.0
// The regions in which each class is the most probable one.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/log_math.hpp"
#include "plot/plot.hpp"
#include "plot/regions.hpp"
#include "plot/rows.hpp"

namespace credence::plot {
namespace {

constexpr std::size_t boundary_steps = 220;

// How far class c is ahead of the best other one, within bounds: log P(c | x) / P(other | x), or
// the other's expected cost over its own.
std::vector<double> lead(const std::vector<double>& worth, std::size_t classes, std::size_t c) {
  constexpr double bound = 50;
  std::vector<double> result;
  for (std::size_t row = 0; row < worth.size(); row += classes) {
    double other = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < classes; ++k) {
      if (k != c) other = std::max(other, worth[row + k]);
    }
    const double own = worth[row + c];
    const double ahead = std::isfinite(own) ? own - other : -bound;
    result.push_back(std::isnan(ahead) ? -bound : std::clamp(ahead, -bound, bound));
  }
  return result;
}

bool may_reject(const Costs& costs) {
  return std::isfinite(costs.reject) || !costs.reject_of.empty();
}

// Scores turned into what the decision maximises: less the logarithm of the expected cost, which
// between grid points is smoother than the cost, or the cost itself where it is not above 0. Giving
// no label is one more decision where it has a cost.
std::vector<double> less_costs(const std::vector<double>& scores, std::size_t classes,
                               const Costs& costs) {
  std::vector<double> result;
  bool positive = true;
  for (std::size_t row = 0; row < scores.size(); row += classes) {
    const auto answer = credence::posterior(std::span(scores).subspan(row, classes));
    auto expected = expected_costs(answer, costs);
    if (may_reject(costs)) expected.push_back(costs.expected_reject(answer));
    for (std::size_t k = 0; k < expected.size(); ++k) {
      result.push_back(answer.undecidable() ? 0 : expected[k]);
      positive = positive && (result.back() >= 0 || answer.undecidable());
    }
  }
  for (auto& cost : result) cost = positive ? -std::log(std::max(cost, 1e-300)) : -cost;
  return result;
}

// `colors` by decision.
void draw_regions(Canvas& canvas, const Axes& axes, Grid& grid, const std::vector<double>& worth,
                  const std::vector<Color>& colors) {
  const std::size_t decisions = colors.size();
  // The first of equal decisions is taken: it is painted last.
  for (std::size_t c = decisions; c-- > 0;) {
    grid.z = lead(worth, decisions, c);
    std::vector<std::vector<Point>> rings;
    for (const auto& ring : region(grid, 0)) rings.push_back(axes.at(ring));
    const Color color = colors[c];
    canvas.fill(rings, color);
    // Three regions meet inside a cell of the grid: the rims cover what is left between them.
    for (const auto& ring : rings) canvas.stroke(ring, {color, 2, {}}, true);
  }
  for (std::size_t c = 0; c < decisions; ++c) {
    grid.z = lead(worth, decisions, c);
    for (const auto& line : contour(grid, 0)) {
      canvas.stroke(axes.at(line.points), {ink, 1.6, {}}, line.closed);
    }
  }
}

std::string boundary_of(const Slice& slice, std::size_t x, std::size_t y,
                        const std::vector<Chunk>& data, const View& view, const Look& look) {
  const auto& columns = slice.schema().columns;
  const auto& classes = slice.classes();
  const Scatter rows(data, x, y, classes, view.points);
  const auto star = marked(slice, view, x, y);
  const bool priced = view.costs.given(), rejects = priced && may_reject(view.costs);
  Figure figure(
      look, fmt::format("The {} {}", priced ? "cheapest" : "most probable", slice.schema().target),
      sentence({slice.subtitle({x, y}), priced ? "decisions of least expected cost" : "",
                rejects ? "gray: no label costs less than any" : "", rows.note(), star.note}));
  auto& canvas = figure.canvas();
  figure.add_legend(
      slice.schema().target,
      class_legend(classes, rows.empty() ? LegendEntry::Kind::patch : LegendEntry::Kind::marker));
  const Range range_x = with_mark(slice.range(data, x), star.at ? star.at->x : not_a_number);
  const Range range_y = with_mark(slice.range(data, y), star.at ? star.at->y : not_a_number);
  Axes axes(canvas, figure.area(), axis_of(columns[x], range_x), axis_of(columns[y], range_y));
  Grid grid;
  grid.x = grid_values(columns[x].kind == ColumnKind::count, range_x, boundary_steps);
  grid.y = grid_values(columns[y].kind == ColumnKind::count, range_y, boundary_steps);
  auto worth = slice.scores(x, y, grid);
  if (priced) worth = less_costs(worth, classes.size(), view.costs);
  canvas.clip(axes.box());
  std::vector<Color> colors;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    colors.push_back(tint(class_color(c), rows.empty() ? 0.5 : 0.24));
  }
  auto decisions = classes;
  if (rejects) {
    colors.push_back(grid_gray);
    decisions.push_back("no label");
  }
  draw_regions(canvas, axes, grid, worth, colors);
  rows.draw(canvas, axes);
  // Tints of many classes are hard to find in a legend.
  if (classes.size() > 6) draw_region_names(canvas, axes, grid, worth, decisions);
  if (star.at) draw_mark(canvas, axes.at(star.at->x, star.at->y));
  canvas.unclip();
  axes.draw_frame();
  return canvas.finish();
}

}  // namespace

std::string boundary(const Model& model, const std::vector<Chunk>& data, const View& view,
                     const Look& look) {
  const auto [x, y] = contour_columns(model.schema(), view, &model);
  return boundary_of(Slice(model, view.at), x, y, data, view, look);
}

std::string boundary(const Classifier& classifier, const std::vector<Chunk>& data, const View& view,
                     const Look& look) {
  const auto [x, y] = contour_columns(classifier.schema(), view);
  return boundary_of(Slice(classifier, view.at), x, y, data, view, look);
}

}  // namespace credence::plot
