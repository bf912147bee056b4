// SPDX-License-Identifier: Apache-2.0
#include "notation/moments_in_time.hpp"

#include <gtest/gtest.h>

#include <string>

namespace credence::data {
namespace {

// Days since 1970-01-01, by date(1): date -u -d 2024-03-01 +%s divided by 86400.
constexpr double first_of_march = 19783;

std::optional<double> days(std::string_view text, DateOrder order) {
  const auto moment = parse_moment(text, order);
  if (!moment) return std::nullopt;
  return static_cast<double>(moment->day.time_since_epoch().count()) +
         (moment->seconds - moment->zone.value_or(0)) / 86400;
}

TEST(Moments, one_date_in_all_its_forms) {
  for (const char* text :
       {"2024-03-01", "2024/3/1", "2024.03.01", "2024-03-01T00:00:00Z", "2024-03-01 01:00+01:00",
        "2024-02-29T19:00:00-0500", "2024-03-01 00:00:00.000000"}) {
    EXPECT_EQ(days(text, DateOrder::ymd), first_of_march) << text;
  }
  for (const char* text :
       {"1.3.2024", "01/03/2024", "01-03-2024", "1 March 2024", "1-Mar-2024", "01.03.2024 00:00"}) {
    EXPECT_EQ(days(text, DateOrder::dmy), first_of_march) << text;
  }
  for (const char* text : {"3/1/2024", "03-01-2024", "Mar 1, 2024", "March 1 2024",
                           "3/1/2024 12:00 AM", "3/1/2024, 12:00:00 AM"}) {
    EXPECT_EQ(days(text, DateOrder::mdy), first_of_march) << text;
  }
  EXPECT_EQ(days("2024-03-01 06:00", DateOrder::ymd), first_of_march + 0.25);
  EXPECT_EQ(days("3/1/2024 6:00 PM", DateOrder::mdy), first_of_march + 0.75);
}

TEST(Moments, numbers_are_written_as_the_dates_times_and_durations_that_they_are) {
  EXPECT_EQ(written_date(first_of_march), "2024-03-01");
  EXPECT_EQ(written_date(first_of_march + 0.25), "2024-03-01 06:00");
  EXPECT_EQ(written_date(first_of_march + (6 * 3600 + 1) / 86400.0), "2024-03-01 06:00:01");
  EXPECT_EQ(written_date(-1), "1969-12-31");
  EXPECT_EQ(written_date(-0.5), "1969-12-31 12:00");
  EXPECT_EQ(written_date(1e300), "1e+300");
  EXPECT_EQ(written_clock(14 + 5 / 60.0), "14:05");
  EXPECT_EQ(written_clock(2.0 / 3600), "00:00:02");
  EXPECT_EQ(written_clock(-1.5), "-01:30");
  EXPECT_EQ(written_duration(0), "0s");
  EXPECT_EQ(written_duration(45.25), "45.2s");
  EXPECT_EQ(written_duration(90), "1min 30s");
  EXPECT_EQ(written_duration(9000), "2h 30min");
  EXPECT_EQ(written_duration(7199.9), "2h");
  EXPECT_EQ(written_duration(-3 * 86400 - 7200), "-3d 2h");
}

TEST(Moments, what_is_no_date_is_none) {
  for (const char* text : {"2024-13-01", "2023-02-29", "2024-03", "24-03-01", "2024-03/01",
                           "2024-03-01x", "2024-03-01 25:00", "2024-03-01 12:60",
                           "2024-03-01T12:00+25:00", "12024-03-01", "2024-03-01 ", "20240301"}) {
    EXPECT_EQ(days(text, DateOrder::ymd), std::nullopt) << text;
  }
  EXPECT_EQ(days("1.3.24", DateOrder::dmy), std::nullopt);    // of which century?
  EXPECT_EQ(days("1.3.2024", DateOrder::mdy), std::nullopt);  // points go with the day first
  EXPECT_EQ(days("13/13/2024", DateOrder::dmy), std::nullopt);
  EXPECT_EQ(days("1 Foo 2024", DateOrder::dmy), std::nullopt);
}

TEST(Moments, clocks_say_how_many_parts_they_have) {
  EXPECT_EQ(parse_clock("14:05")->seconds, 14 * 3600 + 5 * 60);
  EXPECT_EQ(parse_clock("14:05:30.5")->seconds, 14 * 3600 + 5 * 60 + 30.5);
  EXPECT_EQ(parse_clock("2:05 PM")->seconds, 14 * 3600 + 5 * 60);
  EXPECT_EQ(parse_clock("12:05 am")->seconds, 5 * 60);
  EXPECT_EQ(parse_clock("14:05:30")->parts, 3);
  EXPECT_TRUE(parse_clock("23:59")->of_day);
  EXPECT_FALSE(parse_clock("26:10")->of_day);
  for (const char* text :
       {"14:5", "14", "14:60", "14:05:", "13:05 PM", "0:05 AM", "3:2", ":05", "14:05:30."}) {
    EXPECT_FALSE(parse_clock(text)) << text;
  }
}

TEST(Moments, durations_are_seconds) {
  for (const char* text : {"2h 30m", "2h30m", "150 min", "2.5 hours", "PT2H30M", "9000 s",
                           "0 days 02:30:00", "2 h, 30 min"}) {
    EXPECT_EQ(parse_duration(text), 9000) << text;
  }
  EXPECT_EQ(parse_duration("-1 min"), -60);
  EXPECT_EQ(parse_duration("-1 days +23:00:00"), -3600);
  EXPECT_EQ(parse_duration("P1DT1H"), 25 * 3600);
  EXPECT_EQ(parse_duration("1 week"), 7 * 86400);
  for (const char* text :
       {"180 m", "3D", "3 d", "5", "P1Y", "P1M", "min", "5 kg", "1h 2", "P", "P1312"}) {
    EXPECT_FALSE(parse_duration(text)) << text;
  }
}

}  // namespace
}  // namespace credence::data
