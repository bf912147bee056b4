// SPDX-License-Identifier: Apache-2.0
// Numbers as people write them: 1,234.5 and 1.234,5, in percent or in money.
#pragma once

#include <string>
#include <string_view>

#include "notation/cell_text.hpp"

namespace credence::data {

// What separates the decimals. Thousands are separated by the other one of the two, by spaces or by
// apostrophes, or by nothing.
enum class DecimalMark { point, comma };

// A whole trimmed text, without a unit. Groups of digits must be of three, so that nothing that is
// written for the other mark is taken for this one but what could be either (1,234).
NumberState parse_written(std::string_view text, DecimalMark mark, double& value);

// The percent sign or the currency of a cell, as it is written; "": none. The rest is the number.
struct UnitAndNumber {
  std::string_view unit;
  std::string number;
};
UnitAndNumber take_unit(std::string_view text);
bool is_unit(std::string_view text);

}  // namespace credence::data
