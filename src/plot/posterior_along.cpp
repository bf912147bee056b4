// SPDX-License-Identifier: Apache-2.0
// P(c | x) along one column of numbers, and for every pair of two columns of words.
#include <fmt/format.h>

#include <cmath>

#include "core/log_math.hpp"
#include "credence/error.hpp"
#include "plot/curves/curves.hpp"
#include "plot/drawing/heat.hpp"
#include "plot/panels.hpp"
#include "plot/plot.hpp"
#include "plot/rows.hpp"

namespace credence::plot {
namespace {

// P(c | x) by class, at the places where any class is possible.
std::vector<std::vector<Point>> posterior_lines(const Slice& slice, std::size_t x,
                                                const std::vector<double>& places) {
  const std::size_t classes = slice.classes().size();
  const auto scores = slice.scores(x, Numbers{places});
  std::vector<std::vector<Point>> lines(classes);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto answer = credence::posterior(std::span(scores).subspan(i * classes, classes));
    for (std::size_t c = 0; c < classes; ++c) {
      if (!answer.undecidable()) lines[c].push_back({places[i], answer.probabilities[c]});
    }
  }
  return lines;
}

std::vector<double> places_along(const Slice& slice, std::size_t x, const Range& range) {
  const bool counts = slice.schema().columns[x].kind == ColumnKind::count;
  auto places = grid_values(counts, range, 400);
  if (counts) std::erase_if(places, [](double place) { return place < 0; });
  // Steps are upright: a place just before and one just behind each edge.
  for (const double edge : slice.edges(x)) {
    if (edge <= range.low || edge >= range.high) continue;
    places.push_back(edge);
    places.push_back(std::nextafter(edge, -infinity));
  }
  std::sort(places.begin(), places.end());
  if (slice.zeros_apart(x)) std::erase(places, 0.0);
  return places;
}

Column column_of(const ColumnSpec& column, const std::vector<std::string>& names) {
  if (column.kind == ColumnKind::binary) return Numbers{{0, 1}};
  Categories words{{}, names};
  for (std::size_t i = 0; i < names.size(); ++i)
    words.codes.push_back(static_cast<std::int32_t>(i));
  return words;
}

}  // namespace

std::string posterior_curves(const Slice& slice, std::size_t x, const std::vector<Chunk>& data,
                             const View& view, const Look& look) {
  const auto& column = slice.schema().columns[x];
  const auto& target = slice.schema().target;
  const std::size_t classes = slice.classes().size();
  const auto rows = points_of(data, x, slice.classes());
  const bool rug = any_values(rows) && classes <= 20;
  const auto star = marked(slice, view, x, no_column);
  const auto name = fmt::format("P({} | {})", target, column.name);
  Figure figure(
      look, name,
      sentence({slice.subtitle({x}), rug ? "ticks: the rows of the data" : "",
                slice.zeros_apart(x) ? "points: at 0, which has a probability of its own" : "",
                star.note}));
  auto& canvas = figure.canvas();
  figure.add_legend(target, class_legend(slice.classes(), LegendEntry::Kind::line));
  const Range range = with_mark(slice.range(data, x), star.at ? star.at->x : not_a_number);
  // The rows have a strip of their own below zero.
  const double strip = rug ? rug_height(classes) / (figure.area().height - 60) : 0;
  Axes axes(canvas, figure.area(), axis_of(column, range),
            {name,
             {-0.02 - 1.04 * strip / (1 - std::min(0.6, strip)), 1.02},
             false,
             false,
             ticks({0, 1}, 10),
             false});
  axes.draw_grid();
  canvas.clip(axes.box());
  if (star.at) {
    canvas.stroke({axes.at(star.at->x, 0), axes.at(star.at->x, 1)}, {faint_ink, 1.1, {4, 4}});
  }
  if (rug) {
    canvas.stroke({axes.at(range.low, 0), axes.at(range.high, 0)}, {frame_gray, 0.8, {}});
    draw_rug(canvas, axes, rows, classes);
  }
  const auto lines = posterior_lines(slice, x, places_along(slice, x, range));
  for (std::size_t c = 0; c < classes; ++c) canvas.stroke(axes.at(lines[c]), class_stroke(c, 2));
  if (slice.zeros_apart(x)) {
    const auto at_zero = posterior_lines(slice, x, {0});
    for (std::size_t c = 0; c < classes; ++c) {
      for (const auto& point : at_zero[c]) {
        canvas.marker(axes.at(point.x, point.y), class_marker(c), 4.5, class_color(c));
      }
    }
  }
  if (star.at) draw_mark(canvas, axes.at(star.at->x, 0));
  canvas.unclip();
  axes.draw_frame();
  return canvas.finish();
}

std::string posterior_along(const Model& model, const std::vector<Chunk>& data, const View& view,
                            const Look& look) {
  const std::size_t x = column_named(model.schema(), setting("x"), view.x);
  require_number(model, x);
  return posterior_curves(Slice(model, view.at), x, data, view, look);
}

std::optional<std::pair<std::size_t, std::size_t>> word_columns(const Schema& schema,
                                                                const View& view) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    const auto& name = schema.columns[i].name;
    if (!is_word(schema, i)) continue;
    if (name == view.x) found.insert(found.begin(), i);
    if (name == view.y) found.push_back(i);
  }
  // Named by nobody, the first two of a model that has no numbers.
  if (view.x.empty() && view.y.empty() && numeric_columns(schema).empty()) {
    for (std::size_t i = 0; i < schema.columns.size() && found.size() < 2; ++i) {
      if (is_word(schema, i)) found.push_back(i);
    }
  }
  if (found.size() != 2 || found[0] == found[1]) return std::nullopt;
  return std::pair{found[0], found[1]};
}

std::string posterior_of_words(const Slice& slice, std::size_t x, std::size_t y,
                               const std::vector<Chunk>& data, const Look& look) {
  const auto& columns = slice.schema().columns;
  const auto& classes = slice.classes();
  const auto& target = slice.schema().target;
  const auto across = slice.words(data, x), down = slice.words(data, y);
  const auto scores =
      slice.scores(x, y, column_of(columns[x], across), column_of(columns[y], down));
  // Of two classes the second says all; of more the most probable one is named.
  const bool two = classes.size() == 2;
  Figure figure(look, fmt::format("P({} | {}, {})", target, columns[x].name, columns[y].name),
                sentence({two ? fmt::format("shaded and written: P({} = {})", target, classes[1])
                              : "the most probable class and its probability",
                          slice.subtitle({x, y})}));
  add_share_bar(figure, "P");
  HeatMap map{columns[y].name, columns[x].name, down, across, {}};
  for (std::size_t i = 0; i < across.size() * down.size(); ++i) {
    const auto answer =
        credence::posterior(std::span(scores).subspan(i * classes.size(), classes.size()));
    if (answer.undecidable()) {
      map.cells.push_back({.text = "undecidable", .nothing = true});
      continue;
    }
    const std::size_t best = two ? 1 : most_probable(answer, 1)[0];
    const double p = answer.probabilities[best];
    const auto number = fmt::format("{:.3g}", p);
    map.cells.push_back({p, two ? number : classes[best], two ? "" : number});
  }
  draw_heat(figure.canvas(), figure.area(), map);
  return figure.canvas().finish();
}

}  // namespace credence::plot
