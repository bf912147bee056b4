// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "plot/drawing/canvas.hpp"

namespace credence::plot {
namespace {

double distance(const Point& point, const Point& from, const Point& to) {
  const double x = to.x - from.x, y = to.y - from.y, length = x * x + y * y;
  double along = 0;
  if (length > 0) along = ((point.x - from.x) * x + (point.y - from.y) * y) / length;
  along = std::clamp(along, 0.0, 1.0);
  return std::hypot(point.x - from.x - along * x, point.y - from.y - along * y);
}

}  // namespace

std::vector<Point> simplified(const std::vector<Point>& line, double tolerance) {
  if (line.size() < 3) return line;
  std::vector<bool> kept(line.size(), false);
  kept.front() = kept.back() = true;
  std::vector<std::pair<std::size_t, std::size_t>> parts{{0, line.size() - 1}};
  while (!parts.empty()) {
    const auto [first, last] = parts.back();
    parts.pop_back();
    double most = tolerance;
    std::size_t farthest = first;
    for (std::size_t i = first + 1; i < last; ++i) {
      const double far = distance(line[i], line[first], line[last]);
      if (!(far <= most)) {
        most = far;
        farthest = i;
      }
    }
    if (farthest == first) continue;
    kept[farthest] = true;
    parts.emplace_back(first, farthest);
    parts.emplace_back(farthest, last);
  }
  std::vector<Point> result;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (kept[i]) result.push_back(line[i]);
  }
  return result;
}

}  // namespace credence::plot
