// SPDX-License-Identifier: Apache-2.0
#include "tables/memory/arrow_times.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstring>
#include <limits>

namespace credence::data {
namespace {

enum class TimeKind { date, moment, clock, duration };

struct TimeType {
  TimeKind kind;
  std::size_t width;        // bytes of a value
  std::int64_t per_second;  // of its unit; 0: it counts days
  bool zone = false;
};

std::int64_t units_per_second(char letter) {
  return letter == 's' ? 1 : letter == 'm' ? 1000 : letter == 'u' ? 1000000 : 1000000000;
}

bool is_unit_letter(char letter) {
  return std::string_view("smun").find(letter) != std::string_view::npos;
}

std::optional<TimeType> time_type(std::string_view format) {
  if (format == "tdD") return TimeType{TimeKind::date, 4, 0};
  if (format == "tdm") return TimeType{TimeKind::date, 8, 1000};
  if (format.size() < 3 || !is_unit_letter(format[2])) return std::nullopt;
  const std::int64_t units = units_per_second(format[2]);
  if (format.starts_with("ts") && format.size() > 3 && format[3] == ':') {
    return TimeType{TimeKind::moment, 8, units, format.size() > 4};
  }
  if (format.starts_with("tt")) {
    return TimeType{TimeKind::clock, units < 1000000 ? std::size_t{4} : std::size_t{8}, units};
  }
  if (format.starts_with("tD")) return TimeType{TimeKind::duration, 8, units};
  return std::nullopt;
}

std::int64_t floored(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

class TimeColumn final : public MemoryColumn {
 public:
  TimeColumn(const TimeType& type, const char* data, Validity valid)
      : type_(type), data_(data), valid_(valid) {}

  std::optional<std::string_view> text(std::size_t row, std::string& scratch) const override {
    if (!valid_(row)) return std::nullopt;
    scratch.clear();
    write(value(row), std::back_inserter(scratch));
    return scratch;
  }

 private:
  std::int64_t value(std::size_t row) const {
    if (type_.width == 8) {
      std::int64_t value;
      std::memcpy(&value, data_ + 8 * row, sizeof value);
      return value;
    }
    std::int32_t value;
    std::memcpy(&value, data_ + 4 * row, sizeof value);
    return value;
  }

  template <class Out>
  void write(std::int64_t value, Out out) const {
    if (type_.kind == TimeKind::duration && value < 0) {
      fmt::format_to(out, "-");
      value = value == std::numeric_limits<std::int64_t>::min() ? 0 : -value;
    }
    const std::int64_t day = type_.per_second == 0 ? 1 : 86400 * type_.per_second;
    const std::int64_t days = floored(value, day);
    const std::int64_t rest = value - days * day;
    if (type_.kind == TimeKind::duration) fmt::format_to(out, "{} days ", days);
    if (type_.kind == TimeKind::date || type_.kind == TimeKind::moment) write_date(days, out);
    if (type_.kind == TimeKind::date) return;
    if (type_.kind == TimeKind::moment) fmt::format_to(out, " ");
    write_clock(rest, out);
    if (type_.zone) fmt::format_to(out, "+00:00");
  }

  template <class Out>
  static void write_date(std::int64_t days, Out out) {
    constexpr std::int64_t most = 2'000'000;  // beyond the year 7000 there are no dates
    if (days < -most || days > most) {
      fmt::format_to(out, "day {}", days);
      return;
    }
    const std::chrono::year_month_day date{
        std::chrono::sys_days(std::chrono::days(static_cast<int>(days)))};
    fmt::format_to(out, "{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                   static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  }

  template <class Out>
  void write_clock(std::int64_t rest, Out out) const {
    const std::int64_t seconds = rest / type_.per_second, part = rest % type_.per_second;
    fmt::format_to(out, "{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    if (part == 0) return;
    const int digits = type_.per_second == 1000 ? 3 : type_.per_second == 1000000 ? 6 : 9;
    fmt::format_to(out, ".{:0{}}", part, digits);
  }

  TimeType type_;
  const char* data_;
  Validity valid_;
};

}  // namespace

ColumnPointer time_column(std::string_view format, const void* data, std::size_t offset,
                          Validity valid) {
  const auto type = time_type(format);
  if (!type) return nullptr;
  return std::make_shared<TimeColumn>(*type, static_cast<const char*>(data) + offset * type->width,
                                      valid);
}

}  // namespace credence::data
