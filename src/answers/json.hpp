// SPDX-License-Identifier: Apache-2.0
// Numbers as JSON has them. NaN and infinities are no numbers there.
#pragma once

#include <string>

#include "core/ordered_json.hpp"
#include "credence/interval.hpp"

namespace credence {

using Json = OrderedJson;

// A JSON number, or null for NaN and infinities; count() writes whole ones without ".0".
Json number(double value);
Json count(double value);
// The same for logarithms, where infinities say something: "inf" and "-inf".
Json log_number(double value);
// [low, high], or null where it is not known.
Json interval_json(const Interval& interval);
// A line of JSON in UTF-8, whatever is in it.
std::string one_line(const Json& json);

}  // namespace credence
