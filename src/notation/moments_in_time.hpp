// SPDX-License-Identifier: Apache-2.0
// Dates, times of day and durations, as people and programs write them.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace credence::data {

enum class DateOrder { ymd, dmy, mdy };

// A date, and a time where one is written.
struct Moment {
  std::chrono::sys_days day;   // as written, wherever that was
  double seconds = 0;          // since midnight, as written
  std::optional<double> zone;  // seconds that the place is ahead of UTC, where it is written
};

// A whole trimmed text. Years have four digits, or two behind day and month: 1969 to 2068.
std::optional<Moment> parse_moment(std::string_view text, DateOrder order);

// 14:05, 14:05:33.5, 2:05 PM, in seconds. parts: how many numbers stand between colons.
struct Clock {
  double seconds = 0;
  int parts = 0;
  bool half_days = false;  // AM or PM
  bool of_day = false;     // before 24:00
};
std::optional<Clock> parse_clock(std::string_view text);

// 2h 30m, 90 min, 3 days 04:05:06, PT2H30M, in seconds.
std::optional<double> parse_duration(std::string_view text);

// The other way round, to be read: "2024-03-01" of days since 1970-01-01, "2024-03-01 14:05" within
// a day; "14:05" of hours; "2h 30min" of seconds, to a 60th or so.
std::string written_date(double days);
std::string written_clock(double hours);
std::string written_duration(double seconds);

}  // namespace credence::data
