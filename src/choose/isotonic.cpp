// SPDX-License-Identifier: Apache-2.0
#include "choose/isotonic.hpp"

#include <algorithm>

namespace credence {
namespace {

// Points that have one value.
struct Level {
  double first, last;  // x
  double sum, weight;  // of weight * y, of weight

  double mean() const { return sum / weight; }
};

void pool(Level& into, const Level& other) {
  into.last = other.last;
  into.sum += other.sum;
  into.weight += other.weight;
}

}  // namespace

Calibration::Curve isotonic(std::vector<WeightedPoint> points) {
  std::erase_if(points, [](const auto& point) { return point.weight == 0; });
  std::stable_sort(points.begin(), points.end(), [](auto& a, auto& b) { return a.x < b.x; });
  std::vector<Level> levels;
  for (std::size_t i = 0; i < points.size();) {
    Level level{points[i].x, points[i].x, 0, 0};
    for (; i < points.size() && points[i].x == level.first; ++i) {
      level.sum += points[i].weight * points[i].y;
      level.weight += points[i].weight;
    }
    // A level below the one before it: the best rising function has both alike.
    levels.push_back(level);
    while (levels.size() > 1 && levels[levels.size() - 2].mean() >= levels.back().mean()) {
      const Level last = levels.back();
      levels.pop_back();
      pool(levels.back(), last);
    }
  }
  Calibration::Curve curve;
  for (const auto& level : levels) {
    curve.score.push_back(level.first);
    curve.probability.push_back(level.mean());
    if (level.last == level.first) continue;
    curve.score.push_back(level.last);
    curve.probability.push_back(level.mean());
  }
  return curve;
}

}  // namespace credence
