// SPDX-License-Identifier: Apache-2.0
#include "model/planning/trust.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "core/strings.hpp"
#include "credence/error.hpp"

namespace credence {
namespace {

using Trusts = std::vector<std::pair<std::string, double>>;  // by column, in the order given

// A piece without a number is the first part of a name that has a comma.
Trusts parse_trust(const std::string& line) {
  Trusts result;
  std::string name;
  for (const auto& piece : split(line, ',')) {
    const auto equals = piece.rfind('=');
    name += name.empty() ? "" : ",";
    name += trim(std::string_view(piece).substr(0, equals));
    if (equals == std::string::npos) continue;
    const auto value = to_number(trim(std::string_view(piece).substr(equals + 1)));
    if (!value || !std::isfinite(*value)) {
      throw Error(ErrorKind::usage, fmt::format("{}: \"{}\" is no number", setting("trust", line),
                                                piece.substr(equals + 1)));
    }
    result.emplace_back(std::move(name), *value);
    name.clear();
  }
  if (!name.empty() || result.empty()) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: write 'COLUMN=number, COLUMN=number'", setting("trust", line)));
  }
  return result;
}

[[noreturn]] void no_block(const std::string& line, const std::string& name, const Schema& schema) {
  std::vector<std::string> names;
  for (const auto& column : schema.columns) names.push_back(column.name);
  throw Error(ErrorKind::usage, fmt::format("{}: no column \"{}\" is learnt from{}",
                                            setting("trust", line), name, suggestion(name, names)));
}

}  // namespace

void give_trust(const std::vector<std::string>& lines, const Schema& schema,
                std::vector<BlockSpec>& blocks) {
  std::map<std::string, std::vector<std::size_t>> of_column;
  for (std::size_t b = 0; b < blocks.size() && !lines.empty(); ++b) {
    for (const auto column : blocks[b].columns) {
      of_column[schema.columns[column].name].push_back(b);
    }
  }
  for (const auto& line : lines) {
    std::map<std::string, std::vector<double>> given;
    for (auto& [name, value] : parse_trust(line)) given[name].push_back(value);
    for (const auto& [name, values] : given) {
      const auto found = of_column.find(name);
      if (found == of_column.end()) no_block(line, name, schema);
      const auto& places = found->second;
      if (values.size() > 1 && values.size() != places.size()) {
        throw Error(ErrorKind::usage,
                    fmt::format("{}: \"{}\" is there {} times, but is read in {} way{}",
                                setting("trust", line), name, values.size(), places.size(),
                                places.size() == 1 ? "" : "s"));
      }
      for (std::size_t i = 0; i < places.size(); ++i) {
        blocks[places[i]].weight = values.size() == 1 ? values[0] : values[i];
      }
    }
  }
}

}  // namespace credence
