// SPDX-License-Identifier: Apache-2.0
// Rows as they are, before any model.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/log_math.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"
#include "plot/drawing/heat.hpp"
#include "plot/plot.hpp"
#include "plot/rows.hpp"

namespace credence::plot {
namespace {

std::vector<std::string> labels_in(const std::vector<Chunk>& data) {
  std::vector<std::string> classes;
  for (const auto& chunk : data) {
    classes.insert(classes.end(), chunk.labels.dictionary.begin(), chunk.labels.dictionary.end());
  }
  std::sort(classes.begin(), classes.end());
  classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
  return classes;
}

Range range_of_rows(const std::vector<Chunk>& data, std::size_t column) {
  std::vector<double> values;
  for (const auto& chunk : data) {
    const auto& numbers = std::get<Numbers>(chunk.columns[column]).values;
    values.insert(values.end(), numbers.begin(), numbers.end());
  }
  return widened(range_of(values), 0.05);
}

// The words of a column, or of the target.
const Categories* words_in(const Chunk& chunk, std::size_t column) {
  if (column == no_column) return &chunk.labels;
  return std::get_if<Categories>(&chunk.columns[column]);
}

std::string word_at(const Chunk& chunk, std::size_t column, std::size_t row) {
  if (const auto* words = words_in(chunk, column)) {
    const bool missing = row >= words->codes.size() || words->codes[row] < 0;
    return missing ? "" : words->dictionary[static_cast<std::size_t>(words->codes[row])];
  }
  const double value = std::get<Numbers>(chunk.columns[column]).values[row];
  return std::isnan(value) ? "" : format_number(value);
}

// The place of a column of words; no_column: the target.
std::size_t heat_column(const Schema& schema, const std::string& option, const std::string& name) {
  if (name == schema.target) return no_column;
  const std::size_t column = column_named(schema, option, name);
  if (is_word(schema, column)) return column;
  throw Error(ErrorKind::usage,
              fmt::format("{}: column \"{}\" is not of words, which a table of counts needs (plot "
                          "… scatter shows numbers)",
                          option, name));
}

std::string first_word(const Schema& schema, const std::string& other) {
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    if (is_word(schema, i) && schema.columns[i].name != other) return schema.columns[i].name;
  }
  throw Error(ErrorKind::usage, "heat: needs a column of words, and there is none");
}

}  // namespace

std::string scatter(const Schema& schema, const std::vector<Chunk>& data, const View& view,
                    const Look& look) {
  const auto [x, y] = contour_columns(schema, view);
  const auto classes = labels_in(data);
  const Scatter rows(data, x, y, classes, view.points);
  std::optional<Point> star;
  if (!view.given.empty()) {
    const Chunk row = parse_given(schema, {view.given}, "given");
    star = Point{std::get<Numbers>(row.columns[x]).values[0],
                 std::get<Numbers>(row.columns[y]).values[0]};
  }
  const auto& columns = schema.columns;
  Figure figure(look, fmt::format("{} and {}", columns[x].name, columns[y].name),
                sentence({rows.note(), star ? "star: " + view.given : ""}));
  auto& canvas = figure.canvas();
  figure.add_legend(schema.target, class_legend(classes, LegendEntry::Kind::marker));
  Axes axes(canvas, figure.area(),
            axis_of(columns[x], with_mark(range_of_rows(data, x), star ? star->x : not_a_number)),
            axis_of(columns[y], with_mark(range_of_rows(data, y), star ? star->y : not_a_number)));
  axes.draw_grid();
  canvas.clip(axes.box());
  rows.draw(canvas, axes);
  if (star && std::isfinite(star->x + star->y)) draw_mark(canvas, axes.at(star->x, star->y));
  canvas.unclip();
  axes.draw_frame();
  return canvas.finish();
}

std::string heat(const Schema& schema, const std::vector<Chunk>& data, const View& view,
                 const Look& look) {
  const auto name_y = view.y.empty() ? schema.target : view.y;
  const auto name_x = view.x.empty() ? first_word(schema, name_y) : view.x;
  const std::size_t x = heat_column(schema, setting("x"), name_x);
  const std::size_t y = heat_column(schema, setting("y"), name_y);
  if (x == y) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: \"{}\" is already on the other axis", setting("y"), name_y));
  }
  std::map<std::string, std::map<std::string, double>> counts;  // by y, then x
  std::map<std::string, double> across;
  double total = 0, most = 0;
  for (const auto& chunk : data) {
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      const auto a = word_at(chunk, x, r), b = word_at(chunk, y, r);
      if (a.empty() || b.empty()) continue;
      const double weight = chunk.weights.empty() ? 1 : chunk.weights[r];
      across[a] += weight;
      total += weight;
      most = std::max(most, counts[b][a] += weight);
    }
  }
  if (total == 0) throw Error(ErrorKind::data, "heat: no row has both values");
  constexpr std::size_t most_words = 60;
  if (across.size() > most_words || counts.size() > most_words) {
    throw Error(ErrorKind::usage, fmt::format("heat: {} x {} values do not fit a picture, {} do",
                                              counts.size(), across.size(), most_words));
  }
  Figure figure(look, fmt::format("{} and {}", name_x, name_y),
                fmt::format("{} rows; counts, and their share of all; the darkest is the most "
                            "frequent",
                            format_number(total)));
  HeatMap map{name_y, name_x, {}, {}, {}};
  for (const auto& [word, weight] : across) map.columns.push_back(word);
  for (auto& [word, row] : counts) {
    map.rows.push_back(word);
    for (const auto& name : map.columns) {
      const double count = row[name];
      map.cells.push_back({count / most, short_count(count),
                           fmt::format("{:.1f} %", 100 * count / total), count == 0});
    }
  }
  draw_heat(figure.canvas(), figure.area(), map);
  return figure.canvas().finish();
}

}  // namespace credence::plot
