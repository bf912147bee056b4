// SPDX-License-Identifier: Apache-2.0
#include "plot/drawing/ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "core/strings.hpp"
#include "notation/moments_in_time.hpp"

namespace credence::plot {
namespace {

// The smallest of 1, 2, 5 times a power of ten that is not below `least`.
double step_not_below(double least) {
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

// All labels of an axis have the decimals its step needs.
std::string label(double value, double step, double largest) {
  if (value == 0) return "0";
  if (largest >= 1e6 || largest < 1e-4) {
    const int digits =
        std::max(0, static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-9)) -
                        static_cast<int>(std::floor(std::log10(step) + 1e-9)));
    auto text = fmt::format("{:.{}e}", value, digits);
    const auto e = text.find('e');  // 1e+06 -> 1e6
    const int exponent = std::stoi(text.substr(e + 1));
    return fmt::format("{}e{}", text.substr(0, e), exponent);
  }
  const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
  auto text = fmt::format("{:.{}f}", value, decimals);
  if (text.starts_with('-')) text.replace(0, 1, "\u2212");
  return text;
}

}  // namespace

std::vector<Tick> ticks(const Range& range, double most, bool whole) {
  std::vector<Tick> result;
  if (!(range.width() > 0) || !std::isfinite(range.width())) return result;
  double step = step_not_below(range.width() / std::max(1.0, most));
  if (whole) step = std::max(1.0, step);
  const double largest = std::max(std::abs(range.low), std::abs(range.high));
  const double slack = 1e-9 * range.width();
  const double first = std::ceil((range.low - slack) / step);
  for (int i = 0; i < 1000; ++i) {
    const double value = (first + i) * step;
    if (value > range.high + slack) break;
    result.push_back({value == 0 ? 0.0 : value, label(value, step, largest)});
  }
  return result;
}

std::vector<Tick> log_ticks(const Range& range, double most) {
  std::vector<Tick> all;
  const double slack = 1e-9;
  const double decades = std::log10(range.high / range.low);
  const double every = std::max(1.0, std::ceil(decades / std::max(1.0, most)));
  const bool between = decades * 3 <= most;
  for (double power = std::floor(std::log10(range.low)); power <= std::log10(range.high) + slack;
       power += 1) {
    if (std::fmod(power, every) != 0) continue;
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (factor != 1 && !between) continue;
      const double value = factor * std::pow(10, power);
      if (value < range.low * (1 - slack) || value > range.high * (1 + slack)) continue;
      const bool plain = value >= 1e-3 && value < 1e6;
      all.push_back({value, plain ? format_number(value)
                                  : fmt::format("{}e{}", factor, static_cast<int>(power))});
    }
  }
  return all;
}

namespace {

// The first day of a month, counted from the year 0 on.
double first_of_month(long month) {
  const auto year = static_cast<int>(std::floor(static_cast<double>(month) / 12));
  const auto in_year = static_cast<unsigned>(month - 12L * year) + 1;
  const std::chrono::sys_days day{std::chrono::year{year} / std::chrono::month{in_year} / 1};
  return static_cast<double>(day.time_since_epoch().count());
}

std::vector<Tick> month_ticks(const Range& range, long every) {
  const long first = 12 * 1970 + static_cast<long>(std::floor(range.low / 30.436875)) - every - 1;
  std::vector<Tick> result;
  for (long month = first - (first % every + every) % every; result.size() < 1000; month += every) {
    const double day = first_of_month(month);
    if (day > range.high) break;
    if (day < range.low) continue;
    const auto name = data::written_date(day);  // "2024-03-01"
    result.push_back({day, name.substr(0, name.size() - (every % 12 == 0 ? 6 : 3))});
  }
  return result;
}

}  // namespace

std::vector<Tick> date_ticks(const Range& range, double most) {
  constexpr double farthest = 2e6;  // days: beyond these there is no calendar worth drawing
  const bool in_reach = std::abs(range.low) < farthest && std::abs(range.high) < farthest;
  if (!(range.width() > 0) || !in_reach) return ticks(range, most);
  const double least = range.width() / std::max(1.0, most);
  for (const double step : {1 / 24.0, 0.125, 0.25, 0.5, 1.0, 2.0, 7.0, 14.0}) {
    if (step < least) continue;
    std::vector<Tick> result;
    for (double at = std::ceil(range.low / step); at * step <= range.high; ++at) {
      result.push_back({at * step, data::written_date(at * step)});
    }
    return result;
  }
  for (const long months : {1L, 3L, 6L, 12L, 24L, 60L, 120L, 240L, 600L, 1200L}) {
    if (30.5 * static_cast<double>(months) >= least) return month_ticks(range, months);
  }
  return month_ticks(range, 12000);
}

Range range_of(const std::vector<double>& values) {
  Range range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    range.low = std::min(range.low, value);
    range.high = std::max(range.high, value);
  }
  if (range.low > range.high) return {0, 1};
  const double size = std::max(std::abs(range.low), std::abs(range.high));
  if (range.width() <= 1e-9 * size || range.width() == 0) {
    const double room = size == 0 ? 1 : 0.1 * size;
    return {range.low - room, range.high + room};
  }
  return range;
}

Range widened(const Range& range, double share) {
  return {range.low - share * range.width(), range.high + share * range.width()};
}

}  // namespace credence::plot
