// SPDX-License-Identifier: Apache-2.0
#include "notation/reading.hpp"

#include <gtest/gtest.h>

#include "credence/error.hpp"

namespace credence::data {
namespace {

TEST(Reading, its_name_reads_back) {
  for (const char* name :
       {"", "point", "comma", "point(%)", "comma(\xE2\x82\xAC)", "date(ymd)", "date(dmy)",
        "date(mdy, zone)", "time(hm)", "time(hms, pm)", "duration(units)", "duration(ms)",
        "weekday(dmy)", "month(ymd, zone)", "hour(mdy)", "hour(hm)", "hour(hms, pm)"}) {
    EXPECT_EQ(to_string(parse_reading(name)), name);
  }
  for (const char* bad :
       {"comma(kg)", "date(dym)", "time(units)", "point(", "foo", "date(dmy", "month(hm)"}) {
    EXPECT_THROW(parse_reading(bad), Error) << bad;
  }
}

TEST(Reading, its_own_example_is_read) {
  for (const char* name :
       {"point", "comma", "comma(%)", "date(ymd)", "date(dmy)", "date(mdy, zone)", "time(hm)",
        "time(hms, pm)", "duration(units)", "duration(hms)"}) {
    const auto reading = parse_reading(name);
    double value = 0;
    EXPECT_EQ(reading.number(reading.example(), value), NumberState::finite) << name;
  }
}

TEST(Reading, a_unit_or_a_zone_that_is_wanted_must_be_there) {
  double value = 0;
  EXPECT_EQ(parse_reading("point(%)").number("12", value), NumberState::not_a_number);
  EXPECT_EQ(parse_reading("point(%)").number("12 $", value), NumberState::not_a_number);
  EXPECT_EQ(parse_reading("point").number("12 %", value), NumberState::not_a_number);
  EXPECT_EQ(parse_reading("date(ymd)").number("2024-03-01T00:00Z", value),
            NumberState::not_a_number);
  EXPECT_EQ(parse_reading("date(ymd, zone)").number("2024-03-01", value),
            NumberState::not_a_number);
}

TEST(Reading, what_means_the_same_may_be_added_up) {
  EXPECT_TRUE(same_quantity("", "comma"));
  EXPECT_TRUE(same_quantity("date(dmy)", "date(ymd)"));
  EXPECT_TRUE(same_quantity("comma(%)", "point(%)"));
  EXPECT_FALSE(same_quantity("comma(%)", "comma"));
  EXPECT_FALSE(same_quantity("time(hm)", "duration(hm)"));
  EXPECT_FALSE(same_quantity("weekday(ymd)", "hour(ymd)"));
}

TEST(Reading, parts_are_those_of_the_place_where_it_was_written) {
  // 2024-03-01 was a Friday.
  EXPECT_EQ(parse_reading("weekday(ymd)").word("2024-03-01"), "Fri");
  EXPECT_EQ(parse_reading("month(dmy)").word("31.12.1969"), "Dec");
  EXPECT_EQ(parse_reading("hour(ymd, zone)").word("2024-03-01T23:30-05:00"), "23");
  EXPECT_EQ(parse_reading("weekday(ymd)").word("Sun"), "Sun");
  EXPECT_EQ(parse_reading("weekday(ymd)").word("Sunday?"), std::nullopt);
}

TEST(Reading, a_time_of_day_has_its_hour) {
  EXPECT_EQ(parse_reading("hour(hm)").word("14:05"), "14");
  EXPECT_EQ(parse_reading("hour(hm)").word("0:59"), "0");
  EXPECT_EQ(parse_reading("hour(hm)").word("14:05:30"), std::nullopt);
  EXPECT_EQ(parse_reading("hour(hm)").word("24:00"), std::nullopt);
  EXPECT_EQ(parse_reading("hour(hms, pm)").word("12:05:00 AM"), "0");
  EXPECT_EQ(parse_reading("hour(hm)").word("23"), "23");
  EXPECT_EQ(to_string(parse_reading("hour(pm)")), "hour(hm, pm)");
  const auto parts = parse_parts("time, hour", "time(hms)", "here");
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(to_string(parts[0]), "time(hms)");
  EXPECT_EQ(to_string(parts[1]), "hour(hms)");
}

}  // namespace
}  // namespace credence::data
