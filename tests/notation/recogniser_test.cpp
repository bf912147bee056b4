// SPDX-License-Identifier: Apache-2.0
#include "notation/recogniser.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace credence::data {
namespace {

using Cells = std::vector<std::string_view>;

Recogniser::Result recognised(const Cells& cells, TableMarks marks = {}) {
  Recogniser recogniser;
  for (const auto cell : cells) {
    double value = 0;
    if (parse_number(cell, value) == NumberState::not_a_number) {
      recogniser.other(cell);
    } else {
      recogniser.plain(cell);
    }
  }
  recogniser.mark(marks);
  return recogniser.finish(marks);
}

constexpr TableMarks semicolons{false, false, true};
constexpr TableMarks commas{true, false, false};

TEST(Recogniser, plain_numbers_stay_plain) {
  EXPECT_EQ(recognised({"1", "2.5", "-3e4"}).reading, "");
  EXPECT_EQ(recognised({"1", "2.5", "1,5"}).reading, "");
  EXPECT_EQ(recognised({"1.234", "2.500"}).reading, "");
  EXPECT_EQ(recognised({"1.234", "2.5"}, commas).reading, "");
}

TEST(Recogniser, decimal_commas_and_thousands_are_told_apart_by_what_only_one_can_be) {
  EXPECT_EQ(recognised({"1,5", "2", "1,234"}).reading, "comma");
  EXPECT_EQ(recognised({"1.234,5", "2"}).reading, "comma");
  EXPECT_EQ(recognised({"0,123", "1,234"}).reading, "comma");
  EXPECT_EQ(recognised({"1,234", "2,345.5"}).reading, "point");
  EXPECT_EQ(recognised({"1,234,567", "12"}).reading, "point");
  EXPECT_EQ(recognised({"1'234", "12.5"}).reading, "point");
}

TEST(Recogniser, what_could_be_either_follows_the_table) {
  EXPECT_EQ(recognised({"1,234", "2,345"}).reading, "point");
  EXPECT_EQ(recognised({"1,234", "2,345"}, semicolons).reading, "comma");
  EXPECT_EQ(recognised({"1,234", "2,345"}, commas).reading, "comma");
  EXPECT_EQ(recognised({"1.234", "500"}, commas).reading, "comma");
  EXPECT_EQ(recognised({"7", "500"}, commas).reading, "comma");
  EXPECT_TRUE(recognised({"7", "500"}, commas).as_plain);
  // Thousands without a mark beside: the comma is none.
  EXPECT_EQ(recognised({"1,234", "5000", "6000", "7000"}).reading, "comma");
}

TEST(Recogniser, cells_that_contradict_each_other_are_not_read) {
  const auto both = recognised({"1,5", "1.5", "2,5", "2.5"});
  EXPECT_EQ(both.reading, "");
  EXPECT_EQ(both.doubt, "some numbers have decimal commas and some decimal points");
  EXPECT_EQ(recognised({"5 %", "0.05", "6 %", "0.06"}).reading, "");
  EXPECT_EQ(recognised({"5 $", "5 \xE2\x82\xAC", "6 $", "7 \xE2\x82\xAC"}).reading, "");
  EXPECT_EQ(recognised({"13/1/2024", "1/13/2024"}).doubt, "dates in more than one order");
  EXPECT_EQ(recognised({"2024-03-01", "2024-03-01T00:00Z"}).doubt,
            "dates some of which have a time zone");
  EXPECT_NE(recognised({"59:30", "1:02:03"}).doubt, "");
}

TEST(Recogniser, units_dates_times_and_durations_are_read) {
  EXPECT_EQ(recognised({"5 %", "12,5 %"}).reading, "comma(%)");
  EXPECT_EQ(recognised({"$1,234.50", "$7"}).reading, "point($)");
  EXPECT_EQ(recognised({"2024-03-01", "2024-12-31"}).reading, "date(ymd)");
  EXPECT_EQ(recognised({"1/2/2024", "13/2/2024"}).reading, "date(dmy)");
  EXPECT_EQ(recognised({"1/2/2024", "2/13/2024"}).reading, "date(mdy)");
  EXPECT_EQ(recognised({"1.2.2024", "2.3.2024"}).reading, "date(dmy)");
  EXPECT_EQ(recognised({"1/2/2024", "2/1/2024"}).reading, "");
  EXPECT_NE(recognised({"1/2/2024", "2/1/2024"}).doubt, "");
  EXPECT_EQ(recognised({"14:05", "9:10"}).reading, "time(hm)");
  EXPECT_EQ(recognised({"2:05 PM", "9:10 AM"}).reading, "time(hm, pm)");
  EXPECT_EQ(recognised({"26:05", "9:10"}).reading, "duration(hm)");
  EXPECT_EQ(recognised({"2h 30m", "45 min"}).reading, "duration(units)");
}

TEST(Recogniser, words_are_words) {
  for (const Cells& cells :
       {Cells{"red", "blue"}, Cells{"3D", "2D"}, Cells{"A4", "A5"}, Cells{"1-2", "3-4"},
        Cells{"3:2", "1:0"}, Cells{"1.2.3", "1.10.0"}, Cells{"x 5 %", "y"}}) {
    EXPECT_EQ(recognised(cells).reading, "");
    EXPECT_EQ(recognised(cells).doubt, "");
  }
}

}  // namespace
}  // namespace credence::data
