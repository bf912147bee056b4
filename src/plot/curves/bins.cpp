// SPDX-License-Identifier: Apache-2.0
// Bins for the rows of a picture.
#include <algorithm>
#include <cmath>

#include "plot/curves/curves.hpp"

namespace credence::plot {
namespace {

// Freedman and Diaconis (1981): 2 IQR / n^(1/3), averaged over the classes.
double usual_width(const Points& rows, std::size_t classes, const Range& range) {
  std::vector<std::vector<double>> by_class(classes);
  for (std::size_t r = 0; r < rows.values.size(); ++r) {
    if (!std::isfinite(rows.values[r]) || rows.classes[r] == Points::no_class) continue;
    by_class[rows.classes[r]].push_back(rows.values[r]);
  }
  double sum = 0, count = 0;
  for (auto& values : by_class) {
    if (values.size() < 8) continue;
    std::sort(values.begin(), values.end());
    const double middle = values[values.size() * 3 / 4] - values[values.size() / 4];
    const double own = 2 * middle / std::cbrt(static_cast<double>(values.size()));
    if (own > 0) {
      sum += own;
      count += 1;
    }
  }
  const double width = count > 0 ? sum / count : range.width() / 10;
  return std::clamp(width, range.width() / 50, range.width() / 8);
}

// The step that values were rounded to, such as 1 or 0.1; 0 where they were not.
double step_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  double step = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    const double apart = values[i] - values[i - 1];
    // Two decimals next to each other may differ in their last bits from the step.
    if (step == 0 || apart < step * (1 - 1e-6)) step = apart;
  }
  for (const double value : values) {
    const double places = (value - values[0]) / step;
    if (places > 1e6 || std::abs(places - std::round(places)) > 1e-3) return 0;
  }
  return step;
}

std::vector<double> even_edges(double low, double high, double width) {
  std::vector<double> edges{low};
  const auto bins = static_cast<std::size_t>(std::max(1.0, std::ceil((high - low) / width - 1e-9)));
  for (std::size_t b = 1; b <= bins; ++b) edges.push_back(low + width * static_cast<double>(b));
  return edges;
}

}  // namespace

std::vector<double> bins_for(const ClassCurves& chart) {
  if (!chart.edges.empty()) return chart.edges;
  if (chart.counts) {
    const double low = std::floor(chart.range.low), high = std::ceil(chart.range.high);
    return even_edges(low - 0.5, high + 0.5, std::max(1.0, std::ceil((high - low) / 60)));
  }
  std::vector<double> all;
  std::copy_if(chart.rows.values.begin(), chart.rows.values.end(), std::back_inserter(all),
               [](double value) { return std::isfinite(value); });
  const Range range = range_of(all);
  const double width = usual_width(chart.rows, chart.classes.size(), range);
  const double step = step_of(all);
  if (step == 0) return even_edges(range.low, range.high, width);
  // Every bin holds as many of the values that can occur as any other.
  const double wide = step * std::max(1.0, std::round(width / step));
  return even_edges(range.low - step / 2, range.high + step / 2, wide);
}

std::vector<double> histogram(const ClassCurves& chart, std::size_t cls,
                              const std::vector<double>& edges) {
  const Points& rows = chart.rows;
  std::vector<double> heights(edges.size() - 1, 0.0);
  double total = 0;
  for (std::size_t r = 0; r < rows.values.size(); ++r) {
    const double value = rows.values[r];
    if (rows.classes[r] != cls || !std::isfinite(value)) continue;
    total += 1;
    if (value < edges.front() || value > edges.back()) continue;
    if (value == 0 && !chart.heaps.empty()) continue;
    const auto above = std::upper_bound(edges.begin(), edges.end(), value) - edges.begin();
    heights[std::min(static_cast<std::size_t>(above), edges.size() - 1) - 1] += 1;
  }
  for (std::size_t b = 0; b < heights.size(); ++b) {
    heights[b] /= std::max(1.0, total) * (edges[b + 1] - edges[b]);
  }
  return heights;
}

std::vector<Point> outline(const std::vector<double>& edges, const std::vector<double>& heights) {
  std::vector<Point> result{{edges.front(), 0}};
  for (std::size_t b = 0; b < heights.size(); ++b) {
    result.push_back({edges[b], heights[b]});
    result.push_back({edges[b + 1], heights[b]});
  }
  result.push_back({edges.back(), 0});
  return result;
}

}  // namespace credence::plot
