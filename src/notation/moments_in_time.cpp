// SPDX-License-Identifier: Apache-2.0
#include "notation/moments_in_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>

#include "core/strings.hpp"
#include "notation/cell_text.hpp"

namespace credence::data {
namespace {

bool is_letter(char c) { return ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z'; }

// Takes a text apart from its front.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }
  char next() const { return rest_.empty() ? '\0' : rest_.front(); }
  bool take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool spaces() {
    const std::size_t before = rest_.size();
    while (take(' ')) {
    }
    return rest_.size() < before;
  }
  // A whole number of so many digits.
  std::optional<int> digits(std::size_t least, std::size_t most) {
    int value = 0;
    std::size_t count = 0;
    for (; count < rest_.size() && rest_[count] >= '0' && rest_[count] <= '9'; ++count) {
      if (count == most) return std::nullopt;
      value = 10 * value + (rest_[count] - '0');
    }
    if (count < least) return std::nullopt;
    rest_.remove_prefix(count);
    return value;
  }
  // Digits, perhaps with a point and more digits.
  std::optional<double> decimal() {
    std::size_t size = 0;
    while (size < rest_.size() &&
           ((rest_[size] >= '0' && rest_[size] <= '9') || rest_[size] == '.')) {
      ++size;
    }
    double value = 0;
    if (size == 0 || size > 18 ||
        parse_number(rest_.substr(0, size), value) != NumberState::finite) {
      return std::nullopt;
    }
    rest_.remove_prefix(size);
    return value;
  }
  std::string word() {
    std::string result;
    while (is_letter(next())) {
      result += ascii_lower(next());
      rest_.remove_prefix(1);
    }
    return result;
  }

 private:
  std::string_view rest_;
};

// 1 to 12, by English names or their first three letters; 0: none.
int month_named(const std::string& word) {
  constexpr std::array<std::string_view, 12> names = {
      "january", "february", "march",     "april",   "may",      "june",
      "july",    "august",   "september", "october", "november", "december"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (word == names[i] || word == names[i].substr(0, 3)) return static_cast<int>(i) + 1;
  }
  return word == "sept" ? 9 : 0;
}

std::optional<std::chrono::sys_days> day_of(std::optional<int> year, std::optional<int> month,
                                            std::optional<int> day) {
  if (!year || !month || !day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date);
}

// Four digits, or two: 69 to 99 are of the century of 1900, as POSIX has it. `few`: two may do.
std::optional<int> take_year(Cursor& at, bool few) {
  const std::size_t before = at.rest().size();
  const auto value = at.digits(2, 4);
  const std::size_t digits = before - at.rest().size();
  if (!value || digits == 3 || (digits == 2 && !few)) return std::nullopt;
  return digits == 4 ? *value : *value + (*value < 69 ? 2000 : 1900);
}

// 2024-03-01, 2024/3/1, 2024.03.01
std::optional<std::chrono::sys_days> year_first(Cursor& at) {
  const auto year = at.digits(4, 4);
  const char mark = at.next();
  if (!year || (mark != '-' && mark != '/' && mark != '.')) return std::nullopt;
  at.take(mark);
  const auto month = at.digits(1, 2);
  if (!month || !at.take(mark)) return std::nullopt;
  return day_of(year, month, at.digits(1, 2));
}

// 1.3.2024, 1/3/2024, 1-3-2024, 1 March 2024, 1-Mar-2024; 01.03.24, 1/3/24, 1-Mar-24, but
// not 1.3.24, which may be a version.
std::optional<std::chrono::sys_days> day_first(Cursor& at) {
  const std::size_t before = at.rest().size();
  const auto day = at.digits(1, 2);
  const char mark = at.next();
  if (!day || (mark != '-' && mark != '/' && mark != '.' && mark != ' ')) return std::nullopt;
  at.take(mark);
  std::optional<int> month;
  if (is_letter(at.next())) {
    if (const int named = month_named(at.word())) month = named;
  } else if (mark != ' ') {
    month = at.digits(1, 2);
  }
  if (!month || !at.take(mark)) return std::nullopt;
  const bool full = before - at.rest().size() >= std::string_view("01.03.").size();
  return day_of(take_year(at, mark != '.' || full), month, day);
}

// 3/1/2024, 3-1-2024, 3/1/24, March 1, 2024
std::optional<std::chrono::sys_days> month_first(Cursor& at) {
  if (is_letter(at.next())) {
    const int month = month_named(at.word());
    if (month == 0) return std::nullopt;
    at.take('.');
    if (!at.spaces()) return std::nullopt;
    const auto day = at.digits(1, 2);
    const bool apart = at.take(',') | at.spaces();
    at.spaces();
    return apart ? day_of(at.digits(4, 4), month, day) : std::nullopt;
  }
  const auto month = at.digits(1, 2);
  const char mark = at.next();
  if (!month || (mark != '-' && mark != '/')) return std::nullopt;
  at.take(mark);
  const auto day = at.digits(1, 2);
  if (!day || !at.take(mark)) return std::nullopt;
  return day_of(take_year(at, true), month, day);
}

std::optional<double> small_number(Cursor& at, double below) {
  const auto value = at.digits(2, 2);
  if (!value || *value >= below) return std::nullopt;
  return *value;
}

std::optional<Clock> take_clock(Cursor& at) {
  const auto first = at.digits(1, 4);
  if (!first || !at.take(':')) return std::nullopt;
  const auto second = small_number(at, 60);
  if (!second) return std::nullopt;
  Clock clock{3600.0 * *first + 60 * *second, 2, false, false};
  if (at.take(':')) {
    const auto third = small_number(at, 61);  // a leap second has the number 60
    if (!third) return std::nullopt;
    clock.seconds += *third;
    clock.parts = 3;
    if (at.next() == '.' || at.next() == ',') {
      at.take(at.next());
      const std::string fraction =
          "0." + std::string(at.rest().substr(0, at.rest().find_first_not_of("0123456789")));
      double value = 0;
      if (fraction.size() == 2 || parse_number(fraction, value) != NumberState::finite) {
        return std::nullopt;
      }
      for (std::size_t i = 2; i < fraction.size(); ++i) at.take(at.next());
      clock.seconds += value;
    }
  }
  Cursor behind = at;
  behind.spaces();
  const auto half = behind.word();
  if (half == "am" || half == "pm") {
    if (*first < 1 || *first > 12) return std::nullopt;
    at = behind;
    clock.half_days = true;
    if (*first == 12) clock.seconds -= 12 * 3600;
    if (half == "pm") clock.seconds += 12 * 3600;
  }
  clock.of_day = *first < 24;
  return clock;
}

// Z, UTC, +01:00, -0530. False: something else stands there.
bool take_zone(Cursor& at, std::optional<double>& zone) {
  if (at.at_end()) return true;
  Cursor name = at;
  name.spaces();
  const auto word = name.word();
  if (word == "z" || word == "utc" || word == "gmt") {
    at = name;
    zone = 0;
    if (at.at_end()) return true;
  } else {
    at.spaces();
  }
  const char sign = at.next();
  if (sign != '+' && sign != '-') return false;
  at.take(sign);
  int hours = 0, minutes = 0;
  if (const auto both = at.digits(4, 4)) {
    hours = *both / 100;
    minutes = *both % 100;
  } else {
    const auto first = at.digits(2, 2);
    const auto second = at.take(':') ? at.digits(2, 2) : std::optional<int>(0);
    if (!first || !second) return false;
    hours = *first;
    minutes = *second;
  }
  if (hours > 23 || minutes > 59 || !at.at_end()) return false;
  zone = (sign == '-' ? -1 : 1) * (3600.0 * hours + 60.0 * minutes);
  return true;
}

// In seconds; 0: no unit. "m" is minutes beside other units, else more often metres.
double unit_seconds(const std::string& word, bool others) {
  struct Unit {
    const char* names;
    double seconds;
  };
  static constexpr Unit units[] = {{" ms msec millisecond milliseconds ", 1e-3},
                                   {" s sec secs second seconds ", 1},
                                   {" min mins minute minutes ", 60},
                                   {" h hr hrs hour hours ", 3600},
                                   {" day days ", 86400},
                                   {" week weeks ", 7 * 86400.0}};
  for (const auto& [names, seconds] : units) {
    if (std::string_view(names).find(" " + word + " ") != std::string_view::npos) return seconds;
  }
  if (others && word == "m") return 60;
  if (others && word == "d") return 86400;
  return others && word == "w" ? 7 * 86400 : 0;
}

// P3DT4H30M. Months and years have no fixed length.
std::optional<double> iso_duration(Cursor at) {
  double seconds = 0;
  bool time = false, any = false;
  at.take('P');
  while (!at.at_end()) {
    if (!time && at.take('T')) {
      time = true;
      continue;
    }
    const auto value = at.decimal();
    if (!value) return std::nullopt;
    const char unit = at.next();
    at.take(unit);
    const double each = time ? (unit == 'H'   ? 3600
                                : unit == 'M' ? 60
                                : unit == 'S' ? 1
                                              : 0)
                             : (unit == 'D'   ? 86400
                                : unit == 'W' ? 7 * 86400
                                              : 0);
    if (each == 0) return std::nullopt;
    seconds += *value * each;
    any = true;
  }
  return any ? std::optional(seconds) : std::nullopt;
}

}  // namespace

std::optional<Moment> parse_moment(std::string_view text, DateOrder order) {
  if (text.size() < 6 || text.size() > 40) return std::nullopt;
  Cursor at(text);
  const auto day = order == DateOrder::ymd   ? year_first(at)
                   : order == DateOrder::dmy ? day_first(at)
                                             : month_first(at);
  if (!day) return std::nullopt;
  Moment moment{*day, 0, std::nullopt};
  if (at.at_end()) return moment;
  const bool apart = at.take('T') || (at.take(',') | at.spaces());
  const auto clock = apart ? take_clock(at) : std::nullopt;
  if (!clock || !clock->of_day || !take_zone(at, moment.zone)) return std::nullopt;
  moment.seconds = clock->seconds;
  return moment;
}

std::optional<Clock> parse_clock(std::string_view text) {
  Cursor at(text);
  const auto clock = take_clock(at);
  return at.at_end() ? clock : std::nullopt;
}

std::optional<double> parse_duration(std::string_view text) {
  if (text.size() > 60) return std::nullopt;
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const double sign = negative ? -1 : 1;
  if (text.starts_with('P')) {
    const auto seconds = iso_duration(Cursor(text));
    return seconds ? std::optional(sign * *seconds) : std::nullopt;
  }
  Cursor at(text);
  double seconds = 0;
  bool any = false;
  const auto letters = std::count_if(text.begin(), text.end(), is_letter);
  const bool others = std::any_of(text.begin(), text.end(), [&, digit = false](char c) mutable {
    // A digit behind a letter: more than one unit.
    if (is_letter(c)) digit = true;
    return digit && c >= '0' && c <= '9';
  });
  while (!at.at_end() && letters > 0) {
    // What pandas writes: 3 days 04:05:06, and -1 days +23:00:00 for an hour less than nothing
    if (any) {
      Cursor clock_at = at;
      const bool apart = clock_at.take('+');
      if (const auto clock = take_clock(clock_at); clock && clock_at.at_end()) {
        return apart ? sign * seconds + clock->seconds : sign * (seconds + clock->seconds);
      }
    }
    const auto value = at.decimal();
    at.spaces();
    const double each = value ? unit_seconds(at.word(), others) : 0;
    if (each == 0) return std::nullopt;
    seconds += *value * each;
    any = true;
    at.take(',');
    at.spaces();
  }
  return any ? std::optional(sign * seconds) : std::nullopt;
}

namespace {

// "14:05", and the seconds where there are some.
std::string clock_text(long seconds) {
  const long minutes = seconds / 60;
  const auto text = fmt::format("{:02}:{:02}", minutes / 60, minutes % 60);
  return seconds % 60 == 0 ? text : fmt::format("{}:{:02}", text, seconds % 60);
}

}  // namespace

std::string written_date(double days) {
  constexpr double most = 3e6;  // some 8,000 years to each side
  if (!(std::abs(days) < most)) return format_number(days);
  const auto whole = std::lround(days * 86400);
  const long day = static_cast<long>(std::floor(static_cast<double>(whole) / 86400));
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{day}}};
  const auto text =
      fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  const long rest = whole - day * 86400;
  return rest == 0 ? text : text + " " + clock_text(rest);
}

std::string written_clock(double hours) {
  if (!(std::abs(hours) < 1e6)) return format_number(hours);
  const auto seconds = std::lround(std::abs(hours) * 3600);
  return (hours < 0 && seconds > 0 ? "-" : "") + clock_text(seconds);
}

std::string written_duration(double seconds) {
  constexpr std::pair<const char*, long> units[] = {{"d", 86400}, {"h", 3600}, {"min", 60}};
  const double size = std::abs(seconds);
  if (!(size < 1e12)) return format_number(seconds);
  const std::string sign = seconds < 0 ? "-" : "";
  if (size < 60) return fmt::format("{}{:.3g}s", sign, size);
  // The largest unit and the one below it.
  for (std::size_t i = 0; i < std::size(units); ++i) {
    const long large = units[i].second, small = i + 1 < std::size(units) ? units[i + 1].second : 1;
    if (size < static_cast<double>(large)) continue;
    const long parts = std::lround(size / static_cast<double>(small));
    const char* name = i + 1 < std::size(units) ? units[i + 1].first : "s";
    const long per = large / small, rest = parts % per;
    const auto text = fmt::format("{}{}{}", sign, parts / per, units[i].first);
    return rest == 0 ? text : fmt::format("{} {}{}", text, rest, name);
  }
  return format_number(seconds);
}

}  // namespace credence::data
