// SPDX-License-Identifier: Apache-2.0
// What stands in parentheses after a family's name: "shrunk=0.3, diagonal".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace credence {

struct FamilyParameter {
  std::string name;
  std::string value;  // empty: none was written
};

std::vector<FamilyParameter> parse_parameters(std::string_view text);

// Whether two texts say the same, whatever their spaces and order: "2,diagonal", "diagonal, 2".
bool same_parameters(std::string_view one, std::string_view other);

// The usage error for a parameter that a family does not have, with what it has.
[[noreturn]] void unknown_parameter(std::string_view family, const FamilyParameter& parameter,
                                    const std::vector<std::string>& known);

// The parameter's value as a number within bounds; `what` says which are good.
double parameter_number(std::string_view family, const FamilyParameter& parameter, double least,
                        double most, std::string_view what);

// What an entry of a matrix belongs to: two columns, or the one that both are.
std::vector<std::string> pair_of(const std::string& row, const std::string& column);

}  // namespace credence
