// SPDX-License-Identifier: Apache-2.0
#include "plot/drawing/bars.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/strings.hpp"
#include "credence/error.hpp"
#include "families/family.hpp"
#include "plot/drawing/figure.hpp"
#include "plot/drawing/heat.hpp"
#include "plot/rows.hpp"
#include "plot/slice.hpp"
#include "plot/words.hpp"

namespace credence::plot {
namespace {

std::size_t block_of(const Model& model, std::size_t column) {
  for (std::size_t b = 0; b < model.blocks().size(); ++b) {
    const auto& columns = model.blocks()[b].columns;
    if (std::find(columns.begin(), columns.end(), column) != columns.end()) return b;
  }
  return 0;
}

// The rows whose probabilities differ most between classes, in their own order.
std::vector<ParameterTable::Row> telling_rows(std::vector<ParameterTable::Row> rows,
                                              std::size_t most) {
  if (rows.size() <= most) return rows;
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    double low = 1, high = 0;
    for (const auto& cell : rows[i].cells) {
      low = std::min(low, cell.value);
      high = std::max(high, cell.value);
    }
    order.emplace_back(low - high, i);
  }
  std::sort(order.begin(), order.end());
  order.resize(most);
  std::vector<std::size_t> kept;
  for (const auto& [difference, i] : order) kept.push_back(i);
  std::sort(kept.begin(), kept.end());
  std::vector<ParameterTable::Row> result;
  for (const std::size_t i : kept) result.push_back(std::move(rows[i]));
  return result;
}

using Shares = std::map<std::string, std::vector<double>>;

// The share of each value among a class's rows that have one: [value][class].
Shares observed(const std::vector<Chunk>& data, std::size_t column,
                const std::vector<std::string>& classes) {
  Shares shares;
  std::vector<double> totals(classes.size(), 0.0);
  for (const auto& chunk : data) {
    const auto* words = std::get_if<Categories>(&chunk.columns[column]);
    const auto* numbers = std::get_if<Numbers>(&chunk.columns[column]);
    const auto labels = points_of({chunk}, column, classes).classes;
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      if (labels[r] == Points::no_class) continue;
      std::string value;
      if (words && words->codes[r] >= 0) {
        value = words->dictionary[static_cast<std::size_t>(words->codes[r])];
      } else if (numbers && !std::isnan(numbers->values[r])) {
        value = std::string(1, numbers->values[r] > 0 ? '1' : '0');
      } else {
        continue;
      }
      auto& counts = shares[value];
      counts.resize(classes.size(), 0.0);
      counts[labels[r]] += 1;
      totals[labels[r]] += 1;
    }
  }
  for (auto& [value, counts] : shares) {
    for (std::size_t c = 0; c < counts.size(); ++c) counts[c] /= std::max(1.0, totals[c]);
  }
  return shares;
}

// Round sums for the axis even where a probability is exactly 1.
Range probability_range(double top) { return {0, top > 0.9 ? 1.0 : std::max(1e-9, top * 1.06)}; }

// As many groups of bars as stay legible: 3 units of height a bar.
std::size_t most_groups(const Look& look, std::size_t classes) {
  const double least = std::max(20.0, 3.0 * static_cast<double>(classes) + 4);
  const double height = look.height / look.scale() - 130;
  return static_cast<std::size_t>(std::max(3.0, height / least));
}

double longest_bar(const std::vector<ParameterTable::Row>& rows, const Shares& shares) {
  double top = 0;
  for (const auto& row : rows) {
    for (const auto& cell : row.cells) {
      if (std::isfinite(cell.value)) top = std::max(top, cell.value);
    }
    if (const auto found = shares.find(row.label()); found != shares.end()) {
      for (const double share : found->second) top = std::max(top, share);
    }
  }
  return top;
}

// A group of bars for every row, a bar for every class, and marks at the shares in the data.
void draw_groups(Canvas& canvas, const Axes& axes, const std::vector<ParameterTable::Row>& rows,
                 const Shares& shares, std::size_t classes) {
  const auto groups = static_cast<double>(rows.size());
  // Thick bars look heavier than they are.
  const double thickest = 30 * groups / axes.box().height;
  const double share = std::min(thickest, 0.8 / static_cast<double>(classes));
  const double margin = (1 - share * static_cast<double>(classes)) / 2;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto found = shares.find(rows[i].label());
    for (std::size_t c = 0; c < classes; ++c) {
      const double upper =
          groups - static_cast<double>(i) - margin - share * static_cast<double>(c);
      const double value = rows[i].cells[c].value;
      const Point a = axes.at(0, upper),
                  b = axes.at(std::isfinite(value) ? value : 0, upper - share);
      const double gap = std::min(1.0, 0.1 * (b.y - a.y));
      canvas.fill(Box{a.x, a.y, b.x - a.x, b.y - a.y - gap}, class_color(c));
      if (found == shares.end()) continue;
      const double place = axes.at(found->second[c], upper).x;
      canvas.stroke({{place, a.y}, {place, b.y - gap}}, {{1, 1, 1}, 3.4, {}});
      canvas.stroke({{place, a.y}, {place, b.y - gap}}, {{0, 0, 0}, 1.6, {}});
    }
  }
}

// A row for each class, a column for each value: bars of seven classes would be threads.
void draw_table(Figure& figure, const std::string& target, const std::string& column,
                const std::vector<ParameterTable::Row>& rows,
                const std::vector<std::string>& classes, const std::vector<std::size_t>& shown) {
  add_share_bar(figure, "P");
  HeatMap map{target, column, {}, {}, {}};
  for (const auto& row : rows) map.columns.push_back(row.label());
  const auto rare = shown.size() * rows.size() > 150 ? "" : "<0.01";  // many would be noise
  for (const std::size_t c : shown) {
    map.rows.push_back(classes[c]);
    for (const auto& row : rows) {
      const double p = row.cells[c].value;
      if (std::isfinite(p) && p > 0) {
        map.cells.push_back({std::min(1.0, p), p < 0.0095 ? rare : fmt::format("{:.2f}", p)});
      } else {
        map.cells.push_back({.nothing = true});
      }
    }
  }
  draw_heat(figure.canvas(), figure.area(), map);
}

void draw_bars(Figure& figure, const std::string& target, const std::string& column,
               const std::string& probability, const std::vector<ParameterTable::Row>& rows,
               const Shares& shares, const std::vector<std::string>& classes) {
  auto& canvas = figure.canvas();
  figure.add_legend(target, class_legend(classes, LegendEntry::Kind::patch));
  const auto groups = static_cast<double>(rows.size());
  Axis names{column, {0, groups}, false, false, {}, false};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    names.marks.push_back({groups - 0.5 - static_cast<double>(i), rows[i].label()});
  }
  const Range range = probability_range(longest_bar(rows, shares));
  Axes axes(canvas, figure.area(), {probability, range, false, false, {}, false}, names);
  axes.draw_grid(true, false);
  draw_groups(canvas, axes, rows, shares, classes.size());
  axes.draw_frame();
}

// The table of a column, or why there is none to draw.
ParameterTable table_of(const Scorer& scorer, const Model& model, std::size_t column) {
  auto table = scorer.density(block_of(model, column)).table();
  if (!table.rows.empty() || !table.lists.empty()) return table;
  throw Error(ErrorKind::usage, fmt::format("{}: column \"{}\" has no density: {}", setting("x"),
                                            model.schema().columns[column].name, table.remark));
}

}  // namespace

std::string feature_bars(const Model& model, const std::vector<Chunk>& data, std::size_t column,
                         bool all, const Look& look) {
  const Scorer scorer(model);
  const auto table = table_of(scorer, model, column);
  const auto& classes = scorer.classes();
  const auto& target = model.schema().target;
  const auto& spec = model.schema().columns[column];
  if (table.rows.empty()) return word_panels(table, look);
  if (all) return all_words(table, classes, target, look);
  constexpr std::size_t most_bars = 6;  // of a group
  const bool many = classes.size() > most_bars;
  const bool words = is_word(model.schema(), column);
  const auto room = static_cast<std::size_t>(std::max(4.0, look.width / look.scale() / 32 - 6));
  const auto rows = telling_rows(table.rows, many ? room : most_groups(look, classes.size()));
  const double height = look.height / look.scale() - 150;
  const auto shown = classes_with_room(classes.size(), model.class_weights(),
                                       static_cast<std::size_t>(std::max(7.0, height / 9)));
  const auto shares = words && !many ? observed(data, column, classes) : Shares{};
  const std::string kind = words ? fmt::format("P({} | {})", spec.name, target)
                                 : fmt::format("{}: {}", table.title, table.remark);
  Figure figure(look, kind,
                sentence({rows.size() < table.rows.size()
                              ? fmt::format("the {} of {} that differ most between classes",
                                            rows.size(), table.rows.size())
                              : "",
                          many && shown.size() < classes.size()
                              ? fmt::format("the {} of {} classes with the most rows", shown.size(),
                                            classes.size())
                              : "",
                          shares.empty() ? "" : "black marks: shares in the data"}));
  if (many) {
    draw_table(figure, target, words ? spec.name : "", rows, classes, shown);
  } else {
    draw_bars(figure, target, words ? spec.name : "", words ? kind : "probability", rows, shares,
              classes);
  }
  return figure.canvas().finish();
}

}  // namespace credence::plot
