// SPDX-License-Identifier: Apache-2.0
// Ticks, ranges and texts of axes.
#include "plot/drawing/ticks.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "plot/drawing/text.hpp"

namespace credence::plot {
namespace {

using testing::ElementsAre;

std::vector<std::string> labels(const std::vector<Tick>& ticks) {
  std::vector<std::string> result;
  for (const auto& tick : ticks) result.push_back(tick.label);
  return result;
}

TEST(Ticks, are_multiples_of_1_2_or_5) {
  EXPECT_THAT(labels(ticks({0, 1}, 5)), ElementsAre("0", "0.2", "0.4", "0.6", "0.8", "1.0"));
  EXPECT_THAT(labels(ticks({-3, 12}, 4)), ElementsAre("0", "5", "10"));
  EXPECT_THAT(labels(ticks({4.3, 7.9}, 8)),
              ElementsAre("4.5", "5.0", "5.5", "6.0", "6.5", "7.0", "7.5"));
  EXPECT_THAT(labels(ticks({-0.2, 0.2}, 4)), ElementsAre("−0.2", "−0.1", "0", "0.1", "0.2"));
}

// 19723 is 2024-01-01, by date(1).
TEST(Ticks, dates_are_called_by_the_years_months_or_days_that_begin_there) {
  const double january = 19723;
  EXPECT_THAT(labels(date_ticks({january, january + 800}, 4)), ElementsAre("2024", "2025", "2026"));
  EXPECT_THAT(labels(date_ticks({january - 20, january + 140}, 4)),
              ElementsAre("2024-01", "2024-04"));
  EXPECT_THAT(labels(date_ticks({january - 20, january + 70}, 4)),
              ElementsAre("2024-01", "2024-02", "2024-03"));
  EXPECT_THAT(labels(date_ticks({january - 0.5, january + 2}, 4)),
              ElementsAre("2024-01-01", "2024-01-02", "2024-01-03"));
  EXPECT_THAT(labels(date_ticks({january, january + 0.5}, 3)),
              ElementsAre("2024-01-01", "2024-01-01 06:00", "2024-01-01 12:00"));
  EXPECT_THAT(labels(date_ticks({-31 * 365.25, 60 * 365.25}, 5)),
              ElementsAre("1940", "1960", "1980", "2000", "2020"));
  EXPECT_EQ(date_ticks({-1e300, 1e300}, 5).size(), ticks({-1e300, 1e300}, 5).size());
  for (double width = 0.01; width < 3e6; width *= 1.37) {
    const auto marks = date_ticks({january - width / 3, january + width}, 6);
    EXPECT_LE(marks.size(), 9u) << width;
    EXPECT_GE(marks.size(), 1u) << width;
    for (std::size_t i = 1; i < marks.size(); ++i) EXPECT_LT(marks[i - 1].value, marks[i].value);
  }
}

TEST(Ticks, stay_inside_the_range_and_below_the_number_asked_for) {
  for (const double low : {-1e9, -7.3, 0.0, 1e-12, 3e5}) {
    for (const double width : {1e-9, 0.37, 1.0, 12.0, 98765.0, 1e12}) {
      for (const double most : {2.0, 5.0, 10.0}) {
        const Range range{low, low + width};
        if (range.width() <= 0) continue;
        const auto marks = ticks(range, most);
        EXPECT_LE(static_cast<double>(marks.size()), most + 1);
        for (const auto& tick : marks) {
          EXPECT_GE(tick.value, range.low - 1e-6 * range.width());
          EXPECT_LE(tick.value, range.high + 1e-6 * range.width());
        }
      }
    }
  }
}

TEST(Ticks, of_counts_are_whole) {
  EXPECT_THAT(labels(ticks({-0.5, 3.5}, 10, true)), ElementsAre("0", "1", "2", "3"));
}

TEST(Ticks, of_large_and_small_numbers_have_exponents) {
  EXPECT_THAT(labels(ticks({0, 3e6}, 3)), ElementsAre("0", "1e6", "2e6", "3e6"));
  EXPECT_THAT(labels(ticks({0, 2e-7}, 2)), ElementsAre("0", "1e-7", "2e-7"));
}

TEST(Ticks, of_a_logarithmic_axis_are_powers_of_ten) {
  EXPECT_THAT(labels(log_ticks({10, 10000}, 5)), ElementsAre("10", "100", "1000", "10000"));
  EXPECT_THAT(labels(log_ticks({1, 10}, 5)), ElementsAre("1", "2", "5", "10"));
}

TEST(Ticks, do_not_exist_for_a_range_without_width) {
  EXPECT_TRUE(ticks({3, 3}, 5).empty());
  EXPECT_TRUE(ticks({0, std::numeric_limits<double>::infinity()}, 5).empty());
}

TEST(Range, of_values_ignores_what_is_not_finite_and_is_never_empty) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Range some = range_of({nan, 3, -1, std::numeric_limits<double>::infinity()});
  EXPECT_EQ(some.low, -1);
  EXPECT_EQ(some.high, 3);
  for (const auto& values : {std::vector<double>{}, {nan}, {0}, {5, 5}, {1e15}}) {
    EXPECT_GT(range_of(values).width(), 0);
  }
}

TEST(Text, is_valid_utf8_without_control_characters) {
  EXPECT_EQ(clean_text("größer\tals"), "größer als");
  EXPECT_EQ(clean_text("a\xFFz"), "a\uFFFDz");
  EXPECT_EQ(clean_text("\xC3"), "\uFFFD");
  EXPECT_EQ(clean_text("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");  // half of a surrogate pair
}

TEST(Text, that_is_too_long_is_cut_between_characters) {
  const auto at_most = [](std::size_t bytes) {
    return [=](const std::string& text) { return text.size() <= bytes; };
  };
  EXPECT_EQ(shortened("setosa", at_most(6)), "setosa");
  EXPECT_EQ(shortened("Iris virginica", at_most(9)), "Iris v…");
  EXPECT_EQ(shortened("ääääää", at_most(8)), "ää…");
  EXPECT_EQ(shortened("Iris virginica", at_most(8)), "Iris…");
}

}  // namespace
}  // namespace credence::plot
