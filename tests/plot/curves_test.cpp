// SPDX-License-Identifier: Apache-2.0
// Bins of rows, labels beside points, lines of text: what pictures are laid out by.
#include "plot/curves/curves.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "plot/drawing/labels.hpp"
#include "plot/fitted.hpp"

namespace credence::plot {
namespace {

ClassCurves chart_of(std::vector<double> values) {
  ClassCurves chart;
  chart.classes = {"a"};
  chart.rows.classes.assign(values.size(), 0);
  chart.rows.values = std::move(values);
  return chart;
}

TEST(Bins, hold_equally_many_of_the_values_that_can_occur) {
  for (const double step : {1.0, 0.1, 25.0}) {
    std::vector<double> values;
    for (int i = 0; i < 600; ++i) values.push_back(step * (i * i % 47));
    const auto edges = bins_for(chart_of(values));
    ASSERT_GE(edges.size(), 3u);
    const double width = (edges[1] - edges[0]) / step;
    EXPECT_NEAR(width, std::round(width), 1e-6);
    for (const double edge : edges) {
      const double place = edge / step - 0.5;
      EXPECT_NEAR(place, std::round(place), 1e-6) << "a value lies on an edge";
    }
  }
}

TEST(Bins, are_the_models_own_where_it_has_some) {
  auto chart = chart_of({1, 2, 3, 9});
  chart.edges = {0, 2.5, 10};
  EXPECT_EQ(bins_for(chart), chart.edges);
  EXPECT_EQ(histogram(chart, 0, chart.edges), (std::vector<double>{0.2, 0.5 / 7.5}));
}

TEST(Bins, of_numbers_that_are_not_rounded_cover_them_all) {
  std::vector<double> values;
  for (int i = 1; i < 100; ++i) values.push_back(std::sqrt(i));
  const auto edges = bins_for(chart_of(values));
  EXPECT_LE(edges.front(), 1);
  EXPECT_GE(edges.back(), std::sqrt(99));
  double all = 0;
  const auto heights = histogram(chart_of(values), 0, edges);
  for (std::size_t b = 0; b < heights.size(); ++b) all += heights[b] * (edges[b + 1] - edges[b]);
  EXPECT_NEAR(all, 1, 1e-12);
}

TEST(Labels, stay_inside_the_frame_and_off_each_other) {
  Canvas canvas(Look{});
  const Box frame{100, 100, 200, 100};
  Labels labels(canvas, frame);
  EXPECT_TRUE(labels.write({101, 150}, "at the left rim", {11}));
  EXPECT_TRUE(labels.write({299, 150}, "at the right rim", {11}));
  EXPECT_FALSE(labels.write({150, 150}, std::string(200, 'x'), {11}));
  int written = 0;
  for (int i = 0; i < 10; ++i) written += labels.write({200, 180}, "the same place", {11});
  EXPECT_LT(written, 5);
  EXPECT_GT(written, 0);
}

TEST(Canvas, breaks_lines_between_words_and_cuts_only_the_last) {
  Canvas canvas(Look{});
  const TextStyle style{12};
  const std::string text = "one two three four five six seven eight nine ten";
  const auto lines = canvas.wrapped(text, style, 100, 9);
  ASSERT_GT(lines.size(), 2u);
  std::string joined;
  for (const auto& line : lines) {
    EXPECT_LE(canvas.text_width(line, style), 100);
    joined += (joined.empty() ? "" : " ") + line;
  }
  EXPECT_EQ(joined, text);
  EXPECT_THAT(canvas.wrapped(text, style, 100, 2).back(), testing::EndsWith("…"));
  EXPECT_TRUE(canvas.wrapped("", style, 100, 2).empty());
}

TEST(Canvas, says_what_it_wrote) {
  Canvas canvas(Look{});
  canvas.text({20, 20}, "a < b & c", {12});
  const auto svg = canvas.finish();
  EXPECT_THAT(svg, testing::HasSubstr("<desc>a &lt; b &amp; c\n</desc>"));
  expect_well_formed(svg, "text");
}

}  // namespace
}  // namespace credence::plot
