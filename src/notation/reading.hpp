// SPDX-License-Identifier: Apache-2.0
// How the cells of a column are written: fixed when a model is planned, and kept in its schema, so
// that every row is read the same way.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "notation/cell_text.hpp"
#include "notation/moments_in_time.hpp"
#include "notation/written_numbers.hpp"

namespace credence::data {

struct Reading {
  enum class Kind {
    plain,     // what std::from_chars reads
    number,    // with a decimal mark, groups and a unit
    date,      // days since 1970-01-01, in UTC where a zone is written
    time,      // hours since midnight
    duration,  // seconds
    part,      // a word: the weekday, month or hour of a date, or the hour of a time of day
  };
  enum class Clock { hm, hms, ms, units };
  enum class Part { month, weekday, hour };

  Kind kind = Kind::plain;
  DecimalMark mark = DecimalMark::point;
  std::string unit = {};  // every cell must have it
  DateOrder order = DateOrder::ymd;
  bool zone = false;  // every date must have one, or none
  Clock clock = Clock::hm;
  bool halves = false;  // every time of day must have AM or PM, or none
  Part part = Part::weekday;
  bool of_time = false;  // the part is of a time of day, not of a date

  // Of a trimmed cell; not for parts.
  NumberState number(std::string_view text, double& value) const;
  // Of a part; nothing where the cell is no date or time, nor the part itself ("Mon").
  std::optional<std::string> word(std::string_view text) const;

  // "numbers with decimal commas, in €": what the plan says.
  std::string describe() const;
  // What a cell should look like, for messages: "1.234,5 €".
  std::string example() const;
};

// "comma(€)", "date(dmy, zone)", "time(hm)", "weekday(ymd)", "hour(hm)"; "" is plain. Throws Error
// usage.
Reading parse_reading(std::string_view text);
std::string to_string(const Reading& reading);
bool is_reading_name(std::string_view name);
std::vector<std::string> reading_names();

// "weekday, hour", with "date" for the date itself, and "dmy" where the order is not known; of
// times of day "hour" and "time". `known` is the reading of the column. Throws Error usage that
// begins with `place`.
std::vector<Reading> parse_parts(std::string_view text, const std::string& known,
                                 const std::string& place);
const char* name_of(Reading::Part part);

// Whether two readings give the same numbers, though of cells written in different ways.
bool same_quantity(const std::string& a, const std::string& b);

// A number of such a column, to be read: "2024-03-01", "14:05", "2h 30min"; "" where its cells are
// written as numbers.
std::string written(const std::string& reading, double value);

// All the words a part can be.
std::vector<std::string> words_of(Reading::Part part);

}  // namespace credence::data
