// SPDX-License-Identifier: Apache-2.0
#include "model/blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "core/strings.hpp"
#include "credence/error.hpp"

namespace credence {

std::unique_ptr<BlockStatistics> make_block(const Schema& schema, const BlockSpec& spec) {
  const auto& family = find_family(spec.family);
  for (const auto i : spec.columns) {
    if (i < schema.columns.size()) continue;
    throw Error(ErrorKind::model, fmt::format("a {} block has the column {} of {}", spec.family, i,
                                              schema.columns.size()));
  }
  if (spec.columns.empty()) {
    throw Error(ErrorKind::model, fmt::format("a {} block has no column", spec.family));
  }
  const auto& first = schema.columns[spec.columns[0]];
  BlockColumns columns{spec.columns, {}, first.kind, first.values};
  bool fits =
      spec.columns.size() == 1 || (family.joins(spec.parameters) && first.kind != ColumnKind::bag);
  for (const auto i : spec.columns) {
    const auto& column = schema.columns[i];
    columns.names.push_back(column.name);
    columns.specs.push_back(column);
    fits = fits && reads(family, column.kind) && (column.kind == first.kind || family.mixes_kinds);
  }
  if (!fits) {
    throw Error(
        ErrorKind::model,
        fmt::format("the columns of a {} block are of the wrong kind or number", spec.family));
  }
  if (!family.takes_parameters && !trim(spec.parameters).empty()) {
    throw Error(ErrorKind::usage, fmt::format("{}({}): {} takes no parameters", family.name,
                                              spec.parameters, family.name));
  }
  return family.make(columns, spec.parameters);
}

bool is_coins(const Schema& schema, const BlockSpec& block) {
  return schema.columns[block.columns[0]].kind == ColumnKind::bag &&
         find_family(block.family).presence_only(block.parameters);
}

namespace {

// Each feature of a bag may have a p of its own; the values of a column share one row.
void check_shares_of(const std::string& column, const std::map<std::string, double>& shares,
                     bool coins) {
  for (const auto& [value, p] : shares) {
    if (coins && !(p >= 0 && p <= 1)) {
      throw Error(
          ErrorKind::usage,
          fmt::format("{}: column \"{}\"{}: {} is no probability", setting("shares"), column,
                      value.empty() ? "" : ", \"" + value + "\"", format_number(p)));
    }
    if (!coins && value.empty()) {
      throw Error(ErrorKind::usage,
                  fmt::format("{}: column \"{}\": a p without a value is for all features of a "
                              "bernoulli bag",
                              setting("shares"), column));
    }
  }
}

}  // namespace

void check_shares(const Settings& settings, const Schema& schema,
                  const std::vector<BlockSpec>& blocks) {
  if (settings.shares.empty()) return;
  std::vector<std::string> names;
  std::unordered_map<std::string_view, const BlockSpec*> alone;  // by the only column of a block
  for (const auto& block : blocks) {
    const auto& column = schema.columns[block.columns[0]].name;
    names.push_back(column);
    if (block.columns.size() == 1) alone[column] = &block;
  }
  for (const auto& [name, shares] : settings.shares) {
    const auto known = alone.find(name);
    const BlockSpec* found = known == alone.end() ? nullptr : known->second;
    if (!found) {
      throw Error(ErrorKind::usage, fmt::format("{}: no column \"{}\"{}", setting("shares"), name,
                                                suggestion(name, names)));
    }
    const auto kind = schema.columns[found->columns[0]].kind;
    const auto& able = find_family(found->family).takes_shares;
    if (std::find(able.begin(), able.end(), kind) == able.end()) {
      throw Error(ErrorKind::usage,
                  fmt::format("{}: column \"{}\" is {}, which takes no p (categorical does)",
                              setting("shares"), name, found->family));
    }
    check_shares_of(name, shares, is_coins(schema, *found));
  }
}

}  // namespace credence
