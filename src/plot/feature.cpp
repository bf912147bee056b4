// SPDX-License-Identifier: Apache-2.0
// The class-conditional density of one column of numbers; words are in bars.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "credence/error.hpp"
#include "plot/curves/along.hpp"
#include "plot/curves/curves.hpp"
#include "plot/drawing/bars.hpp"
#include "plot/plot.hpp"
#include "plot/rows.hpp"

namespace credence::plot {
namespace {

std::string density_curves(const Model& model, const std::vector<Chunk>& data, const View& view,
                           std::size_t x, const Look& look) {
  const Slice slice(model, view.at);
  slice.require_density(x);
  const auto& column = model.schema().columns[x];
  const bool counts = column.kind == ColumnKind::count;
  const std::size_t classes = slice.classes().size();
  const Range range = range_along(slice, data, x);
  const Along along(slice, x, range);
  const auto log_p = slice.log_density(x, Numbers{along.places()});
  std::vector<std::vector<double>> values(classes);
  for (std::size_t i = 0; i < log_p.size(); ++i) {
    const double p = std::exp(log_p[i]);
    values[i % classes].push_back(std::isfinite(p) ? p : 0);
  }
  std::vector<std::vector<Point>> lines;
  for (const auto& of_class : values) lines.push_back(along.line(of_class));
  const auto& target = model.schema().target;
  const auto heaps = slice.heaps(x);
  return class_curves(
      {fmt::format("p({} | {})", column.name, target),
       sentence({view.at, slice.cut(range, x),
                 along.edges().empty() ? "" : "steps: the model's own bins",
                 said_of_heaps(fmt::format("P({} = 0 | {})", column.name, target), heaps,
                               slice.classes())}),
       axis_of(column, range).label,
       fmt::format("{}({} | {})", counts ? "P" : "p", column.name, target), target, slice.classes(),
       range, counts, std::move(lines), points_of(data, x, slice.classes()), along.edges(), heaps,
       model.class_weights(), holds_dates(column)},
      look);
}

}  // namespace

std::string feature(const Model& model, const std::vector<Chunk>& data, const View& view,
                    const Look& look) {
  const std::size_t x = view.x.empty() ? 0 : column_named(model.schema(), setting("x"), view.x);
  if (is_numeric(model.schema(), x)) return density_curves(model, data, view, x, look);
  return feature_bars(model, data, x, view.all, look);
}

}  // namespace credence::plot
