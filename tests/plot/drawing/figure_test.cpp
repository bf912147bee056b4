// SPDX-License-Identifier: Apache-2.0
// Layout: what stands beside the data does not stand on them.
#include "plot/drawing/figure.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "credence/error.hpp"
#include "plot/drawing/lines.hpp"

namespace credence::plot {
namespace {

bool overlap(const Box& a, const Box& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

bool contains(const Box& outer, const Box& inner) {
  return inner.x >= outer.x && inner.y >= outer.y && inner.right() <= outer.right() + 1e-9 &&
         inner.bottom() <= outer.bottom() + 1e-9;
}

std::vector<std::string> names(std::size_t count, std::size_t length) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < count; ++i) {
    result.push_back(std::to_string(i) + std::string(length, 'm'));
  }
  return result;
}

TEST(Figure, keeps_legend_and_axes_apart) {
  for (const auto& [width, height] : {std::pair(800.0, 600.0),
                                      {1920.0, 1080.0},
                                      {400.0, 300.0},
                                      {250.0, 200.0},
                                      {2000.0, 300.0}}) {
    for (const std::size_t count : {1u, 3u, 20u, 200u}) {
      for (const std::size_t length : {1u, 12u, 300u}) {
        Figure figure({Format::svg, width, height, ""}, "A title", "A subtitle");
        const Box page{0, 0, figure.canvas().width(), figure.canvas().height()};
        const Box legend = figure.add_legend(
            "species", class_legend(names(count, length), LegendEntry::Kind::marker));
        const Axes axes(figure.canvas(), figure.area(), {"x", {0, 1e6}, false, false, {}, false},
                        {"y", {-1, 1}, false, false, {}, false});
        EXPECT_TRUE(contains(page, legend)) << width << " " << count << " " << length;
        EXPECT_TRUE(contains(page, axes.box())) << width << " " << count << " " << length;
        EXPECT_FALSE(overlap(legend, axes.box())) << width << " " << count << " " << length;
        EXPECT_GT(axes.box().width, 20);
        EXPECT_GT(axes.box().height, 20);
      }
    }
  }
}

TEST(Figure, keeps_the_colour_bar_and_the_axes_apart) {
  Figure figure({}, "A title", "");
  const Box bar = figure.add_color_bar("P", {0.1, 0.5}, {{0, 0, 0}, {0.5, 0, 0}, {1, 0, 0}});
  EXPECT_FALSE(overlap(bar, figure.area()));
}

TEST(Axes, map_the_corners_of_the_range_to_the_corners_of_the_box) {
  Figure figure({}, "", "");
  const Axes axes(figure.canvas(), figure.area(), {"x", {2, 4}, false, false, {}, false},
                  {"y", {0.1, 1000}, false, true, {}, false});
  EXPECT_NEAR(axes.at(2, 0.1).x, axes.box().x, 1e-9);
  EXPECT_NEAR(axes.at(2, 0.1).y, axes.box().bottom(), 1e-9);
  EXPECT_NEAR(axes.at(4, 1000).x, axes.box().right(), 1e-9);
  EXPECT_NEAR(axes.at(3, 10).x, axes.box().center().x, 1e-9);
  EXPECT_NEAR(axes.at(3, 10).y, axes.box().center().y, 1e-9);  // the geometric middle
}

TEST(Format, is_told_by_the_ending) {
  EXPECT_EQ(format_of("a/b.svg"), Format::svg);
  EXPECT_EQ(format_of("b.PNG"), Format::png);
  EXPECT_EQ(format_of("b.pdf"), Format::pdf);
  EXPECT_THROW(format_of("b.jpg"), Error);
  EXPECT_THROW(format_of("svg"), Error);
}

TEST(Canvas, refuses_sizes_that_cannot_be_drawn) {
  EXPECT_THROW(Canvas({Format::png, 0, 600, ""}), Error);
  EXPECT_THROW(Canvas({Format::png, 800, 1e9, ""}), Error);
  EXPECT_THROW(Canvas({Format::png, 800.5, 600, ""}), Error);
}

TEST(LineChart, leaves_gaps_where_there_is_nothing_to_draw) {
  const double nan = std::nan("");
  const Series series{"a", {1, 2, 3, 4}, {1, nan, 2, 3}, {0.1, 0.1, nan, 0.2}};
  EXPECT_NE(line_chart({}, "t", "s", "x", "y", {series}, true).find("<svg"), std::string::npos);
  EXPECT_NE(line_chart({}, "t", "s", "x", "y", {}, false).find("<svg"), std::string::npos);
}

}  // namespace
}  // namespace credence::plot
