// SPDX-License-Identifier: Apache-2.0
#include "answers/json.hpp"

#include <cmath>

namespace credence {

Json number(double value) {
  if (!std::isfinite(value)) return nullptr;
  return value;
}

Json count(double value) {
  if (value == std::floor(value) && std::abs(value) < 0x1p53)
    return static_cast<std::int64_t>(value);
  return number(value);
}

Json interval_json(const Interval& interval) {
  if (std::isnan(interval.low)) return nullptr;
  return Json::array({number(interval.low), number(interval.high)});
}

Json log_number(double value) {
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

std::string one_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace credence
