// SPDX-License-Identifier: Apache-2.0
// The class-conditional density of one column of numbers; words are in bars.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "credence/error.hpp"
#include "plot/curves.hpp"
#include "plot/drawing/bars.hpp"
#include "plot/plot.hpp"
#include "plot/rows.hpp"

namespace credence::plot {
namespace {

// Close enough together for the narrowest class.
std::vector<double> places(const Slice& slice, std::size_t column, const Range& range,
                           bool counts) {
  if (counts) return grid_values(true, range, 400);
  auto xs = spaced(range, 300);
  const std::size_t classes = slice.classes().size();
  for (std::size_t c = 0; c < classes && c < 40; ++c) {
    for (const double x : spaced(widened(slice.range_of_class(column, c), 0.3), 120)) {
      if (x > range.low && x < range.high) xs.push_back(x);
    }
  }
  std::sort(xs.begin(), xs.end());
  xs.erase(std::unique(xs.begin(), xs.end()), xs.end());
  return xs;
}

std::string density_curves(const Model& model, const std::vector<Chunk>& data, const View& view,
                           std::size_t x, const Look& look) {
  const Slice slice(model, view.at);
  slice.require_density(x);
  const auto& column = model.schema().columns[x];
  const bool counts = column.kind == ColumnKind::count;
  const std::size_t classes = slice.classes().size();
  Range range = slice.range_of_densities(data, x);
  if (counts) range = {std::ceil(range.low) - 0.5, std::ceil(range.high) + 0.5};
  const auto xs =
      places(slice, x, counts ? Range{range.low + 0.5, range.high - 0.5} : range, counts);
  const auto log_p = slice.log_density(x, Numbers{xs});
  std::vector<std::vector<Point>> lines(classes);
  for (std::size_t i = 0; i < xs.size(); ++i) {
    for (std::size_t c = 0; c < classes; ++c) {
      const double p = std::exp(log_p[i * classes + c]);
      lines[c].push_back({xs[i], std::isfinite(p) ? p : 0});
    }
  }
  const auto& target = model.schema().target;
  return class_curves(
      {fmt::format("p({} | {})", column.name, target), view.at, column.name,
       fmt::format("{}({} | {})", counts ? "P" : "p", column.name, target), target, slice.classes(),
       range, counts, std::move(lines), points_of(data, x, slice.classes())},
      look);
}

}  // namespace

std::string feature(const Model& model, const std::vector<Chunk>& data, const View& view,
                    const Look& look) {
  const std::size_t x = view.x.empty() ? 0 : column_named(model, setting("x"), view.x);
  if (is_numeric(model, x)) return density_curves(model, data, view, x, look);
  return feature_bars(model, data, x, look);
}

}  // namespace credence::plot
