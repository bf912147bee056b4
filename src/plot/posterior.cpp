// SPDX-License-Identifier: Apache-2.0
// P(c | x): a panel of filled contours per class, or curves along the only column of numbers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "credence/error.hpp"
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

// The names of the axes stand once, at the rim of all panels; the result is what is left inside.
Box draw_rim(Canvas& canvas, const Box& area, const std::string& x, const std::string& y) {
  const TextStyle label{13, false, ink, Align::center, false};
  TextStyle upwards = label;
  upwards.upwards = true;
  canvas.text({area.center().x, area.bottom() - 9}, canvas.fitted(x, label, area.width), label);
  canvas.text({area.x + 9, area.center().y}, canvas.fitted(y, label, area.height), upwards);
  return {area.x + 24, area.y, area.width - 24, area.height - 22};
}

// The columns of panels that keep them nearest to a little wider than high.
std::size_t panel_columns(std::size_t panels, const Box& area) {
  std::size_t best = 1;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t columns = 1; columns <= panels; ++columns) {
    const std::size_t rows = (panels + columns - 1) / columns;
    const double width = area.width / static_cast<double>(columns);
    const double height = area.height / static_cast<double>(rows);
    const double wrong = std::abs(std::log(width / height / 1.1)) +
                         0.2 * static_cast<double>(rows * columns - panels);
    if (wrong < least) {
      least = wrong;
      best = columns;
    }
  }
  return best;
}

Axis unnamed(const ColumnSpec& column, const Range& range) {
  Axis axis = axis_of(column, range);
  axis.label.clear();
  return axis;
}

void draw_panel(Canvas& canvas, const Axes& axes, Grid& grid) {
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

// The boxes of the panels, row by row.
std::vector<Box> panel_boxes(std::size_t panels, const Box& area) {
  const std::size_t across = panel_columns(panels, area);
  const std::size_t down = (panels + across - 1) / across;
  const double width = area.width / static_cast<double>(across);
  const double height = area.height / static_cast<double>(down);
  std::vector<Box> boxes;
  for (std::size_t c = 0; c < panels; ++c) {
    boxes.push_back({area.x + width * static_cast<double>(c % across),
                     area.y + height * static_cast<double>(c / across), width - 6, height - 4});
  }
  return boxes;
}

// "target = class" over a panel, or the class alone where there is no room for both.
void draw_panel_name(Canvas& canvas, const Axes& axes, double y, const TextStyle& style,
                     const std::string& target, const std::string& cls) {
  const double room = axes.box().width;
  const std::string whole = target + " = " + cls;
  const bool fits = canvas.text_width(whole, style) <= room;
  canvas.text({axes.box().x, y}, fits ? whole : canvas.fitted(cls, style, room), style);
}

std::string posterior_curves(const Model& model, const std::vector<Chunk>& data, const View& view,
                             std::size_t x, const Look& look) {
  const Slice slice(model, view.at);
  const auto& column = model.schema().columns[x];
  const std::size_t classes = slice.classes().size();
  Figure figure(look, fmt::format("P({} | {})", model.schema().target, column.name),
                slice.subtitle({x}));
  auto& canvas = figure.canvas();
  figure.add_legend(model.schema().target, class_legend(slice.classes(), LegendEntry::Kind::line));
  const Range range = slice.range(data, x);
  auto xs = grid_values(column.kind == ColumnKind::count, range, 400);
  if (column.kind == ColumnKind::count) std::erase_if(xs, [](double x) { return x < 0; });
  auto joint = slice.log_density(x, Numbers{xs});
  // Fixed columns and the prior weigh the classes beforehand.
  const auto before = slice.log_joint_before();
  Axes axes(canvas, figure.area(), axis_of(column, range),
            {fmt::format("P({} | {})", model.schema().target, column.name),
             {-0.02, 1.02},
             false,
             false,
             ticks({0, 1}, 10),
             false});
  axes.draw_grid();
  canvas.clip(axes.box());
  std::vector<std::vector<Point>> lines(classes);
  for (std::size_t i = 0; i < xs.size(); ++i) {
    std::vector<double> row;
    for (std::size_t c = 0; c < classes; ++c) row.push_back(joint[i * classes + c] + before[c]);
    const auto answer = credence::posterior(row);
    for (std::size_t c = 0; c < classes; ++c) {
      if (!answer.undecidable()) lines[c].push_back({xs[i], answer.probabilities[c]});
    }
  }
  for (std::size_t c = 0; c < classes; ++c) canvas.stroke(axes.at(lines[c]), class_stroke(c, 2));
  canvas.unclip();
  axes.draw_frame();
  return canvas.finish();
}

}  // namespace

std::string posterior_along(const Model& model, const std::vector<Chunk>& data, const View& view,
                            const Look& look) {
  const std::size_t x = column_named(model, setting("x"), view.x);
  if (!is_numeric(model, x)) {
    throw Error(ErrorKind::usage, fmt::format("column \"{}\" is {}: a curve needs numbers", view.x,
                                              family_of(model, x)));
  }
  return posterior_curves(model, data, view, x, look);
}

std::string posterior(const Model& model, const std::vector<Chunk>& data, const View& view,
                      const Look& look) {
  const auto numeric = numeric_columns(model);
  const bool one = numeric.size() == 1 && view.y.empty() &&
                   (view.x.empty() || view.x == model.schema().columns[numeric[0]].name);
  if (one) return posterior_curves(model, data, view, numeric[0], look);
  const auto [x, y] = contour_columns(model, view);
  const Slice slice(model, view.at);
  const auto& columns = model.schema().columns;
  const auto& classes = slice.classes();
  const Scatter rows(data, x, y, classes);
  const std::size_t panels = std::min(most_panels, classes.size());
  Figure figure(
      look, fmt::format("P({} | {}, {})", model.schema().target, columns[x].name, columns[y].name),
      sentence({slice.subtitle({x, y}),
                panels < classes.size()
                    ? fmt::format("the first {} of {} classes", panels, classes.size())
                    : "",
                rows.empty() ? "" : "points: the rows of the panel's class", rows.note()}));
  auto& canvas = figure.canvas();
  std::vector<Color> bands;
  for (std::size_t i = 0; i <= levels.size(); ++i) {
    bands.push_back(sequential(static_cast<double>(i) / static_cast<double>(levels.size())));
  }
  figure.add_color_bar("P", levels, bands);
  const Range range_x = slice.range(data, x), range_y = slice.range(data, y);
  Grid grid;
  grid.x = grid_values(columns[x].kind == ColumnKind::count, range_x, posterior_steps);
  grid.y = grid_values(columns[y].kind == ColumnKind::count, range_y, posterior_steps);
  const auto joint = slice.log_joint(x, y, grid);

  const Box area = draw_rim(canvas, figure.area(), columns[x].name, columns[y].name);
  const auto boxes = panel_boxes(panels, area);
  const double text = panels > 9 ? 8 : panels > 4 ? 9.5 : 11;
  const TextStyle name{text + 1.5, true, ink, Align::left, false};
  const double line = 1.8 * name.size;
  for (std::size_t c = 0; c < panels; ++c) {
    const Box& cell = boxes[c];
    Axes axes(canvas, {cell.x, cell.y + line, cell.width, cell.height - line},
              unnamed(columns[x], range_x), unnamed(columns[y], range_y), text);
    draw_panel_name(canvas, axes, cell.y + line / 2, name, model.schema().target, classes[c]);
    grid.z = odds(joint, classes.size(), c);
    canvas.clip(axes.box());
    draw_panel(canvas, axes, grid);
    rows.draw(canvas, axes, c, class_color(1), panels > 4 ? 2.2 : 3);
    canvas.unclip();
    axes.draw_frame();
  }
  return canvas.finish();
}

}  // namespace credence::plot
