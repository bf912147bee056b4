// SPDX-License-Identifier: Apache-2.0
#include "notation/reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/strings.hpp"
#include "credence/error.hpp"

namespace credence::data {
namespace {

template <class Value, std::size_t n>
using Names = std::array<std::pair<Value, const char*>, n>;

constexpr Names<DateOrder, 3> orders = {
    {{DateOrder::ymd, "ymd"}, {DateOrder::dmy, "dmy"}, {DateOrder::mdy, "mdy"}}};
constexpr Names<Reading::Clock, 4> clocks = {{{Reading::Clock::hm, "hm"},
                                              {Reading::Clock::hms, "hms"},
                                              {Reading::Clock::ms, "ms"},
                                              {Reading::Clock::units, "units"}}};
constexpr Names<Reading::Part, 3> part_names = {{{Reading::Part::month, "month"},
                                                 {Reading::Part::weekday, "weekday"},
                                                 {Reading::Part::hour, "hour"}}};

template <class Value, std::size_t n>
const char* name_in(const Names<Value, n>& names, Value value) {
  return std::find_if(names.begin(), names.end(), [&](const auto& p) { return p.first == value; })
      ->second;
}

template <class Value, std::size_t n>
bool find_in(const Names<Value, n>& names, std::string_view name, Value& value) {
  for (const auto& [known, text] : names) {
    if (name != text) continue;
    value = known;
    return true;
  }
  return false;
}

// How a time of day is written.
bool take_clock(Reading& reading, const std::string& word) {
  if (word == "pm") return reading.halves = true;
  return find_in(clocks, word, reading.clock) && reading.clock <= Reading::Clock::hms;
}

// One of the words in parentheses. False: it means nothing here.
bool take_parameter(Reading& reading, const std::string& word) {
  switch (reading.kind) {
    case Reading::Kind::number:
      reading.unit = word;
      return is_unit(word);
    case Reading::Kind::part:
      if (reading.part == Reading::Part::hour && take_clock(reading, word)) {
        return reading.of_time = true;
      }
      [[fallthrough]];
    case Reading::Kind::date:
      if (word == "zone") return reading.zone = true;
      return find_in(orders, word, reading.order);
    case Reading::Kind::time:
      return take_clock(reading, word);
    case Reading::Kind::duration:
      return find_in(clocks, word, reading.clock);
    default:
      return false;
  }
}

// False: no reading has this name.
bool take_name(Reading& reading, std::string_view name) {
  using Kind = Reading::Kind;
  if (name == "plain") return true;
  if (find_in(part_names, name, reading.part)) {
    reading.kind = Kind::part;
  } else if (name == "point" || name == "comma") {
    reading.kind = Kind::number;
    reading.mark = name == "point" ? DecimalMark::point : DecimalMark::comma;
  } else if (name == "date") {
    reading.kind = Kind::date;
  } else if (name == "time") {
    reading.kind = Kind::time;
  } else if (name == "duration") {
    reading.kind = Kind::duration;
    reading.clock = Reading::Clock::units;
  } else {
    return false;
  }
  return true;
}

NumberState state_of(std::optional<double> found, double& value) {
  if (!found) return NumberState::not_a_number;
  value = *found;
  return NumberState::finite;
}

std::optional<double> seconds_of(std::string_view text, Reading::Clock form) {
  if (form == Reading::Clock::units) return parse_duration(text);
  const auto clock = parse_clock(text);
  if (!clock || clock->half_days || clock->parts != (form == Reading::Clock::hms ? 3 : 2)) {
    return std::nullopt;
  }
  return form == Reading::Clock::ms ? clock->seconds / 60 : clock->seconds;
}

std::optional<double> hours_of(std::string_view text, const Reading& reading) {
  const auto clock = parse_clock(text);
  if (!clock || !clock->of_day || clock->half_days != reading.halves ||
      clock->parts != (reading.clock == Reading::Clock::hms ? 3 : 2)) {
    return std::nullopt;
  }
  return clock->seconds / 3600;
}

std::optional<Moment> moment_of(std::string_view text, const Reading& reading) {
  const auto moment = parse_moment(text, reading.order);
  return moment && moment->zone.has_value() == reading.zone ? moment : std::nullopt;
}

const char* order_in_words(DateOrder order) {
  return order == DateOrder::ymd   ? "year first"
         : order == DateOrder::dmy ? "day first"
                                   : "month first";
}

}  // namespace

const char* name_of(Reading::Part part) { return name_in(part_names, part); }

std::vector<std::string> words_of(Reading::Part part) {
  if (part == Reading::Part::month) {
    return {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  }
  if (part == Reading::Part::weekday) return {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
  std::vector<std::string> hours;
  for (int hour = 0; hour < 24; ++hour) hours.push_back(fmt::format("{}", hour));
  return hours;
}

NumberState Reading::number(std::string_view text, double& value) const {
  if (kind == Kind::plain) return parse_number(text, value);
  if (kind == Kind::number) {
    const auto found = take_unit(text);
    if (found.unit != unit) return NumberState::not_a_number;
    return parse_written(found.number, mark, value);
  }
  if (kind == Kind::time) return state_of(hours_of(text, *this), value);
  if (kind == Kind::duration) return state_of(seconds_of(text, clock), value);
  const auto moment = moment_of(text, *this);
  if (!moment) return NumberState::not_a_number;
  const double seconds = moment->seconds - moment->zone.value_or(0);
  value = static_cast<double>(moment->day.time_since_epoch().count()) + seconds / 86400;
  return NumberState::finite;
}

std::optional<std::string> Reading::word(std::string_view text) const {
  const auto words = words_of(part);
  if (std::find(words.begin(), words.end(), text) != words.end()) return std::string(text);
  if (of_time) {
    const auto hours = hours_of(text, *this);
    if (!hours) return std::nullopt;
    return words[static_cast<std::size_t>(*hours)];
  }
  const auto moment = moment_of(text, *this);
  if (!moment) return std::nullopt;
  if (part == Part::hour) return words[static_cast<std::size_t>(moment->seconds / 3600) % 24];
  if (part == Part::month) {
    const unsigned month{std::chrono::year_month_day(moment->day).month()};
    return words[month - 1];
  }
  return words[std::chrono::weekday(moment->day).iso_encoding() - 1];
}

std::string Reading::describe() const {
  switch (kind) {
    case Kind::number: {
      const std::string in = unit.empty() ? "" : ", in " + unit;
      return (mark == DecimalMark::comma ? "numbers with decimal commas"
              : unit.empty()             ? "numbers with marks between thousands"
                                         : "numbers") +
             in;
    }
    case Kind::date:
      return fmt::format("dates, {}, as days since 1970", order_in_words(order));
    case Kind::time:
      return "times of day, as hours";
    case Kind::duration:
      return "durations, as seconds";
    case Kind::part:
      if (of_time) return "the hour of times of day";
      return fmt::format("the {} of dates, {}", name_in(part_names, part), order_in_words(order));
    default:
      return "numbers";
  }
}

std::string Reading::example() const {
  switch (of_time ? Kind::time : kind) {
    case Kind::number: {
      const std::string number = mark == DecimalMark::comma ? "1.234,5" : "1,234.5";
      return unit.empty() ? number : number + " " + unit;
    }
    case Kind::date:
    case Kind::part: {
      const char* day = order == DateOrder::ymd   ? "2024-03-31"
                        : order == DateOrder::dmy ? "31.3.2024"
                                                  : "3/31/2024";
      return zone ? fmt::format("{} 14:05+01:00", day) : day;
    }
    case Kind::time:
      if (halves) return clock == Clock::hm ? "2:05 PM" : "2:05:30 PM";
      return clock == Clock::hm ? "14:05" : "14:05:30";
    case Kind::duration:
      return clock == Clock::units ? "2h 30min" : clock == Clock::hms ? "2:30:00" : "2:30";
    default:
      return "1234.5";
  }
}

Reading parse_reading(std::string_view text) {
  Reading reading;
  if (text.empty()) return reading;
  const std::size_t open = std::min(text.find('('), text.size());
  const auto refuse = [&] {
    throw Error(ErrorKind::usage,
                fmt::format("no reading \"{}\"; choose plain, point, comma, point(UNIT), "
                            "comma(UNIT), date(ymd|dmy|mdy), time(hm|hms), "
                            "duration(units|hm|hms|ms)",
                            text));
  };
  if (!take_name(reading, trim(text.substr(0, open)))) refuse();
  if (open == text.size()) return reading;
  if (!text.ends_with(')')) refuse();
  for (const auto& word : split(text.substr(open + 1, text.size() - open - 2), ',')) {
    if (!take_parameter(reading, word)) refuse();
  }
  return reading;
}

namespace {

// Of times of day: the hour, and the time itself.
std::vector<Reading> parts_of_time(std::string_view text, const Reading& time,
                                   const std::string& place) {
  std::vector<Reading> parts;
  for (const auto& word : split(text.empty() ? "hour" : text, ',')) {
    parts.push_back(time);
    if (word == "time") continue;
    if (word != "hour") {
      throw Error(
          ErrorKind::usage,
          fmt::format("{}: no part \"{}\" of a time of day; choose hour or time", place, word));
    }
    parts.back().kind = Reading::Kind::part;
    parts.back().part = Reading::Part::hour;
    parts.back().of_time = true;
  }
  return parts;
}

}  // namespace

std::vector<Reading> parse_parts(std::string_view text, const std::string& known,
                                 const std::string& place) {
  Reading date = parse_reading(known);
  if (date.kind == Reading::Kind::time) return parts_of_time(text, date, place);
  const bool duration = date.kind == Reading::Kind::duration;
  bool ordered = date.kind == Reading::Kind::date;
  date.kind = Reading::Kind::date;
  std::vector<std::string> wanted;
  for (const auto& word : split(text, ',')) {
    Reading part;
    if (take_parameter(date, word)) {
      ordered = true;
    } else if (word == "date" || find_in(part_names, word, part.part)) {
      wanted.push_back(word);
    } else if (!word.empty()) {
      throw Error(ErrorKind::usage, fmt::format("{}: no part \"{}\" of a date; choose month, "
                                                "weekday, hour or date",
                                                place, word));
    }
  }
  if (wanted.empty()) wanted = {"month", "weekday", "hour"};
  if (!ordered) {
    throw Error(
        ErrorKind::usage,
        place + (duration ? ": the cells are durations, which are one number each, seconds; "
                            "dates have parts, and times of day an hour"
                          : ": the cells are not all dates that can be read in one way (add "
                            "ymd, dmy or mdy: parts(dmy, weekday))"));
  }
  std::vector<Reading> parts;
  for (const auto& word : wanted) {
    parts.push_back(date);
    if (find_in(part_names, word, parts.back().part)) parts.back().kind = Reading::Kind::part;
  }
  return parts;
}

std::string to_string(const Reading& reading) {
  const char* zone = reading.zone ? ", zone" : "";
  switch (reading.kind) {
    case Reading::Kind::number: {
      const std::string name = reading.mark == DecimalMark::point ? "point" : "comma";
      return reading.unit.empty() ? name : fmt::format("{}({})", name, reading.unit);
    }
    case Reading::Kind::date:
      return fmt::format("date({}{})", name_in(orders, reading.order), zone);
    case Reading::Kind::time:
      return fmt::format("time({}{})", name_in(clocks, reading.clock),
                         reading.halves ? ", pm" : "");
    case Reading::Kind::duration:
      return fmt::format("duration({})", name_in(clocks, reading.clock));
    case Reading::Kind::part:
      if (reading.of_time) {
        return fmt::format("hour({}{})", name_in(clocks, reading.clock),
                           reading.halves ? ", pm" : "");
      }
      return fmt::format("{}({}{})", name_in(part_names, reading.part),
                         name_in(orders, reading.order), zone);
    default:
      return "";
  }
}

bool same_quantity(const std::string& a, const std::string& b) {
  if (a == b) return true;
  const auto bare = [](const Reading& reading) {
    return reading.kind == Reading::Kind::plain ||
           (reading.kind == Reading::Kind::number && reading.unit.empty());
  };
  const auto x = parse_reading(a), y = parse_reading(b);
  if (bare(x) && bare(y)) return true;
  return x.kind == y.kind &&
         (x.kind == Reading::Kind::number ? x.unit == y.unit : x.kind != Reading::Kind::part);
}

std::string written(const std::string& reading, double value) {
  switch (parse_reading(reading).kind) {
    case Reading::Kind::date:
      return written_date(value);
    case Reading::Kind::time:
      return written_clock(value);
    case Reading::Kind::duration:
      return written_duration(value);
    default:
      return "";
  }
}

std::vector<std::string> reading_names() {
  return {"plain", "point", "comma", "date", "time", "duration", "parts"};
}

bool is_reading_name(std::string_view name) {
  const auto names = reading_names();
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace credence::data
