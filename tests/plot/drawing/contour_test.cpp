// SPDX-License-Identifier: Apache-2.0
// Contours of functions whose contours are known.
#include "plot/drawing/contour.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace credence::plot {
namespace {

template <typename Function>
Grid sampled(const Range& x, const Range& y, std::size_t count, const Function& function) {
  Grid grid{spaced(x, count), spaced(y, count), {}};
  for (const double value_y : grid.y) {
    for (const double value_x : grid.x) grid.z.push_back(function(value_x, value_y));
  }
  return grid;
}

double area_of(const std::vector<Point>& ring) {
  double twice = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const auto& a = ring[i];
    const auto& b = ring[(i + 1) % ring.size()];
    twice += a.x * b.y - b.x * a.y;
  }
  return std::abs(twice) / 2;
}

double radius_squared(double x, double y) { return x * x + y * y; }

TEST(Contour, of_a_cone_is_one_closed_circle) {
  const auto lines = contour(sampled({-2, 2}, {-2, 2}, 101, radius_squared), 1);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(lines[0].closed);
  for (const auto& point : lines[0].points) {
    EXPECT_NEAR(std::hypot(point.x, point.y), 1, 1e-3);
  }
  EXPECT_NEAR(area_of(lines[0].points), std::acos(-1.0), 5e-3);
}

TEST(Contour, that_leaves_the_grid_is_open_and_reaches_the_border) {
  const auto lines = contour(sampled({0, 1}, {0, 1}, 11, [](double x, double) { return x; }), 0.37);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_FALSE(lines[0].closed);
  ASSERT_EQ(lines[0].points.size(), 11u);
  EXPECT_EQ(std::abs(lines[0].points.front().y - lines[0].points.back().y), 1);
  for (const auto& point : lines[0].points) EXPECT_NEAR(point.x, 0.37, 1e-12);
}

TEST(Contour, joins_segments_into_one_line_per_curve) {
  // Two hills: two curves above the saddle, one below it.
  const auto hills = sampled({-3, 3}, {-2, 2}, 121, [](double x, double y) {
    return std::exp(-((x - 1) * (x - 1) + y * y)) + std::exp(-((x + 1) * (x + 1) + y * y));
  });
  EXPECT_EQ(contour(hills, 0.9).size(), 2u);
  EXPECT_EQ(contour(hills, 0.3).size(), 1u);
  EXPECT_EQ(contour(hills, 5).size(), 0u);
}

TEST(Contour, passes_a_saddle_without_crossing_itself) {
  const Grid grid{{0, 1}, {0, 1}, {1, 0, 0, 1}};
  const auto lines = contour(grid, 0.6);  // the mean, 0.5, is outside: two separate corners
  ASSERT_EQ(lines.size(), 2u);
  for (const auto& line : lines) EXPECT_EQ(line.points.size(), 2u);
}

TEST(Region, follows_the_border_of_the_grid) {
  const auto half = sampled({0, 1}, {0, 1}, 11, [](double x, double) { return x; });
  const auto rings = region(half, 0.25);
  ASSERT_EQ(rings.size(), 1u);
  EXPECT_NEAR(area_of(rings[0]), 0.75, 1e-9);
}

TEST(Region, is_everything_or_nothing_beyond_the_values) {
  const auto flat = sampled({0, 2}, {0, 1}, 5, [](double, double) { return 1.0; });
  ASSERT_EQ(region(flat, 0).size(), 1u);
  EXPECT_NEAR(area_of(region(flat, 0)[0]), 2, 1e-9);
  EXPECT_TRUE(region(flat, 2).empty());
}

TEST(Region, with_a_hole_has_two_outlines) {
  const auto rings = region(sampled({-2, 2}, {-2, 2}, 101, radius_squared), 1);
  ASSERT_EQ(rings.size(), 2u);
  const double areas = std::abs(area_of(rings[0]) - area_of(rings[1]));
  EXPECT_NEAR(areas, 16 - std::acos(-1.0), 1e-2);
}

}  // namespace
}  // namespace credence::plot
