// SPDX-License-Identifier: Apache-2.0
// Contours of a function known on a grid: marching squares with linear interpolation, joined into
// lines.
#pragma once

#include <vector>

#include "plot/drawing/canvas.hpp"
#include "plot/drawing/ticks.hpp"

namespace credence::plot {

struct Grid {
  std::vector<double> x, y;  // increasing
  std::vector<double> z;     // z[j * x.size() + i] at (x[i], y[j]); finite

  double at(std::size_t i, std::size_t j) const { return z[j * x.size() + i]; }
};

// `count` points from end to end.
std::vector<double> spaced(const Range& range, std::size_t count);

struct Line {
  std::vector<Point> points;
  bool closed = false;
};

// Where z crosses the level.
std::vector<Line> contour(const Grid& grid, double level);
// The outlines of the places where z is at least the level; all closed, along the grid's border
// where need be.
std::vector<std::vector<Point>> region(const Grid& grid, double level);

}  // namespace credence::plot
