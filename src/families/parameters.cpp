// SPDX-License-Identifier: Apache-2.0
#include "families/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/strings.hpp"
#include "credence/error.hpp"
#include "credence/parameters.hpp"

namespace credence {

std::vector<FamilyParameter> parse_parameters(std::string_view text) {
  std::vector<FamilyParameter> result;
  if (trim(text).empty()) return result;
  for (const auto& piece : split(text, ',')) {
    const auto equals = piece.find('=');
    const std::string_view view = piece;
    result.push_back(
        {std::string(trim(view.substr(0, equals))),
         equals == std::string::npos ? "" : std::string(trim(view.substr(equals + 1)))});
  }
  return result;
}

bool same_parameters(std::string_view one, std::string_view other) {
  const auto sorted = [](std::string_view text) {
    std::vector<std::pair<std::string, std::string>> result;
    for (auto& parameter : parse_parameters(text)) {
      const auto number = to_number(parameter.value);
      if (number) parameter.value = format_number(*number);
      result.emplace_back(std::move(parameter.name), std::move(parameter.value));
    }
    std::sort(result.begin(), result.end());
    return result;
  };
  return one == other || sorted(one) == sorted(other);
}

void unknown_parameter(std::string_view family, const FamilyParameter& parameter,
                       const std::vector<std::string>& known) {
  throw Error(ErrorKind::usage,
              fmt::format("{}({}): no parameter \"{}\"{}; it takes {}", family, parameter.name,
                          parameter.name, suggestion(parameter.name, known), join(known, ", ")));
}

double parameter_number(std::string_view family, const FamilyParameter& parameter, double least,
                        double most, std::string_view what) {
  const auto value = to_number_or_fraction(parameter.value);
  if (!value || *value < least || *value > most) {
    throw Error(ErrorKind::usage, fmt::format("{}({}={}): {} is wanted", family, parameter.name,
                                              parameter.value, what));
  }
  return *value;
}

std::vector<std::string> pair_of(const std::string& row, const std::string& column) {
  if (row == column) return {row};
  return {row, column};
}

std::string ParameterTable::Row::label() const {
  const auto text = join(of, ", ");
  const auto parameter = name.empty() || of.empty() ? name + text : name + " " + text;
  return component == 0 ? parameter : fmt::format("{}: {}", component, parameter);
}

}  // namespace credence
