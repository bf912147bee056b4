// SPDX-License-Identifier: Apache-2.0
// P(c | x): a panel of filled contours per class; curves and tables are in files of their own.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/log_math.hpp"
#include "plot/panels.hpp"
#include "plot/plot.hpp"
#include "plot/rows.hpp"

namespace credence::plot {
namespace {

constexpr std::size_t posterior_steps = 160;
constexpr std::size_t most_panels = 20;
const std::vector<double> levels = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};

double log_odds(double p) { return std::log(p / (1 - p)); }

// log P(c | x) / P(not c | x), within bounds: smoother between grid points than P itself, which
// jumps from 0 to 1 where classes are far apart.
std::vector<double> odds(const std::vector<double>& joint, std::size_t classes, std::size_t c) {
  constexpr double bound = 50;
  std::vector<double> result;
  for (std::size_t row = 0; row < joint.size(); row += classes) {
    const double own = joint[row + c];
    double top = -std::numeric_limits<double>::infinity(), sum = 0;
    for (std::size_t k = 0; k < classes; ++k) {
      if (k != c) top = std::max(top, joint[row + k]);
    }
    for (std::size_t k = 0; k < classes; ++k) {
      if (k != c && std::isfinite(top)) sum += std::exp(joint[row + k] - top);
    }
    const double others = std::isfinite(top) ? top + std::log(sum) : top;
    const double value = std::isfinite(own) ? own - others : -bound;
    result.push_back(std::isnan(value) ? -bound : std::clamp(value, -bound, bound));
  }
  return result;
}

void draw_bands(Canvas& canvas, const Axes& axes, Grid& grid) {
  canvas.fill(axes.box(), sequential(0));
  for (std::size_t i = 0; i < levels.size(); ++i) {
    std::vector<std::vector<Point>> rings;
    for (const auto& ring : region(grid, log_odds(levels[i]))) rings.push_back(axes.at(ring));
    canvas.fill(rings, sequential(static_cast<double>(i + 1) / static_cast<double>(levels.size())));
  }
  for (const auto& line : contour(grid, 0)) {
    canvas.stroke(axes.at(line.points), {{1, 1, 1}, 1.4, {}}, line.closed);
  }
}

// "target = class", or the class alone where there is no room for both.
std::string panel_name(const Canvas& canvas, double room, const TextStyle& style,
                       const std::string& target, const std::string& cls) {
  const std::string whole = target + " = " + cls;
  return canvas.text_width(whole, style) <= room ? whole : canvas.fitted(cls, style, room);
}

std::string posterior_panels(const Slice& slice, std::size_t x, std::size_t y,
                             const std::vector<Chunk>& data, const View& view, const Look& look) {
  const auto& columns = slice.schema().columns;
  const auto& classes = slice.classes();
  const auto& target = slice.schema().target;
  const Scatter rows(data, x, y, classes, view.points);
  const auto star = marked(slice, view, x, y);
  const std::size_t panels = std::min(most_panels, classes.size());
  Figure figure(look, fmt::format("P({} | {}, {})", target, columns[x].name, columns[y].name),
                sentence({slice.subtitle({x, y}),
                          panels < classes.size()
                              ? fmt::format("the first {} of {} classes", panels, classes.size())
                              : "",
                          rows.empty() ? "" : "points: the rows of the panel's class", rows.note(),
                          star.note}));
  auto& canvas = figure.canvas();
  std::vector<Color> bands;
  for (std::size_t i = 0; i <= levels.size(); ++i) {
    bands.push_back(sequential(static_cast<double>(i) / static_cast<double>(levels.size())));
  }
  figure.add_color_bar("P", levels, bands);
  const Range range_x = with_mark(slice.range(data, x), star.at ? star.at->x : not_a_number);
  const Range range_y = with_mark(slice.range(data, y), star.at ? star.at->y : not_a_number);
  Grid grid;
  grid.x = grid_values(columns[x].kind == ColumnKind::count, range_x, posterior_steps);
  grid.y = grid_values(columns[y].kind == ColumnKind::count, range_y, posterior_steps);
  const auto joint = slice.scores(x, y, grid);
  const double text = panels > 9 ? 8 : panels > 4 ? 9.5 : 11;
  const TextStyle name{text + 1.5, true, ink, Align::left, false};
  Panels grid_of(canvas, figure.area(), panels, 1.8 * name.size, axis_of(columns[x], range_x),
                 axis_of(columns[y], range_y), text);
  for (std::size_t c = 0; c < panels; ++c) {
    auto axes = grid_of.axes(c);
    const auto& box = axes.box();
    canvas.text({box.x, box.y - 0.9 * name.size},
                panel_name(canvas, box.width, name, target, classes[c]), name);
    grid.z = odds(joint, classes.size(), c);
    canvas.clip(box);
    draw_bands(canvas, axes, grid);
    rows.draw(canvas, axes, c, class_color(1), panels > 4 ? 2.2 : 3);
    if (star.at) draw_mark(canvas, axes.at(star.at->x, star.at->y));
    canvas.unclip();
    axes.draw_frame();
  }
  return canvas.finish();
}

}  // namespace

std::string posterior(const Model& model, const std::vector<Chunk>& data, const View& view,
                      const Look& look) {
  const auto& schema = model.schema();
  const auto numeric = numeric_columns(schema);
  const bool one = numeric.size() == 1 && view.y.empty() &&
                   (view.x.empty() || view.x == schema.columns[numeric[0]].name);
  if (one) {
    View named = view;
    named.x = schema.columns[numeric[0]].name;
    return posterior_along(model, data, named, look);
  }
  if (const auto words = word_columns(schema, view)) {
    return posterior_of_words(Slice(model, view.at), words->first, words->second, data, look);
  }
  const auto [x, y] = contour_columns(schema, view, &model);
  return posterior_panels(Slice(model, view.at), x, y, data, view, look);
}

std::string posterior(const Classifier& classifier, const std::vector<Chunk>& data,
                      const View& view, const Look& look) {
  const auto& schema = classifier.schema();
  const Slice slice(classifier, view.at);
  if (const auto words = word_columns(schema, view)) {
    return posterior_of_words(slice, words->first, words->second, data, look);
  }
  const auto numeric = numeric_columns(schema);
  if (numeric.size() == 1 && view.y.empty()) {
    return posterior_curves(slice, numeric[0], data, view, look);
  }
  const auto [x, y] = contour_columns(schema, view);
  return posterior_panels(slice, x, y, data, view, look);
}

}  // namespace credence::plot
