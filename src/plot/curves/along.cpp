// SPDX-License-Identifier: Apache-2.0
#include "plot/curves/along.hpp"

#include <algorithm>
#include <cmath>

#include "plot/curves/curves.hpp"
#include "plot/rows.hpp"

namespace credence::plot {

Range range_along(const Slice& slice, const std::vector<Chunk>& data, std::size_t column) {
  const Range range = slice.range_of_densities(data, column);
  if (slice.schema().columns[column].kind != ColumnKind::count) return range;
  return {std::ceil(range.low) - 0.5, std::ceil(range.high) + 0.5};
}

Along::Along(const Slice& slice, std::size_t column, const Range& range)
    : counts_(slice.schema().columns[column].kind == ColumnKind::count),
      edges_(slice.edges(column)) {
  if (counts_) {
    places_ = grid_values(true, {range.low + 0.5, range.high - 0.5}, 400);
    std::erase_if(places_, [](double x) { return x < 0; });
    return;
  }
  for (std::size_t b = 0; b + 1 < edges_.size(); ++b) {
    places_.push_back(edges_[b] / 2 + edges_[b + 1] / 2);
  }
  if (!edges_.empty()) return;
  places_ = spaced(range, 300);
  for (std::size_t c = 0; c < slice.classes().size() && c < 40; ++c) {
    for (const double x : spaced(widened(slice.range_of_class(column, c), 0.3), 120)) {
      if (x > range.low && x < range.high) places_.push_back(x);
    }
  }
  std::sort(places_.begin(), places_.end());
  places_.erase(std::unique(places_.begin(), places_.end()), places_.end());
  // What a 0 has is a probability, which no curve of densities goes through.
  if (slice.zeros_apart(column)) std::erase(places_, 0.0);
}

std::vector<Point> Along::line(const std::vector<double>& values) const {
  if (!edges_.empty()) return outline(edges_, values);
  std::vector<Point> result;
  for (std::size_t i = 0; i < values.size(); ++i) result.push_back({places_[i], values[i]});
  return result;
}

double Along::area(const std::vector<double>& values) const {
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (counts_) {
      sum += values[i];
    } else if (!edges_.empty()) {
      sum += values[i] * (edges_[i + 1] - edges_[i]);
    } else if (i > 0) {
      sum += (values[i] + values[i - 1]) / 2 * (places_[i] - places_[i - 1]);
    }
  }
  return sum;
}

}  // namespace credence::plot
