// SPDX-License-Identifier: Apache-2.0
// Which columns a picture can show, and what to say of those it cannot.
#include <fmt/format.h>

#include <algorithm>

#include "core/strings.hpp"
#include "credence/error.hpp"
#include "plot/slice.hpp"

namespace credence::plot {

std::size_t column_named(const Schema& schema, const std::string& option, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& column : schema.columns) names.push_back(column.name);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  auto hint = suggestion(name, names);
  if (hint.empty() && names.size() <= 12) hint = "; the columns are " + join(names, ", ");
  throw Error(ErrorKind::usage,
              fmt::format("{}: the model has no column \"{}\"{}", option, name, hint));
}

std::string family_of(const Model& model, std::size_t column) {
  for (const auto& block : model.blocks()) {
    if (std::find(block.columns.begin(), block.columns.end(), column) != block.columns.end())
      return block.family;
  }
  return "";
}

bool is_numeric(const Schema& schema, std::size_t column) {
  const auto kind = schema.columns[column].kind;
  return kind == ColumnKind::number || kind == ColumnKind::count;
}

bool is_word(const Schema& schema, std::size_t column) {
  const auto kind = schema.columns[column].kind;
  return kind == ColumnKind::category || kind == ColumnKind::binary;
}

void require_number(const Model& model, std::size_t column) {
  if (is_numeric(model.schema(), column)) return;
  throw Error(ErrorKind::usage,
              fmt::format("column \"{}\" is {}: a curve needs numbers",
                          model.schema().columns[column].name, family_of(model, column)));
}

std::vector<std::size_t> numeric_columns(const Schema& schema) {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    if (is_numeric(schema, i)) result.push_back(i);
  }
  return result;
}

std::pair<std::size_t, std::size_t> contour_columns(const Schema& schema, const View& view,
                                                    const Model* model) {
  const auto named = [&](const std::string& option, const std::string& name) {
    const std::size_t column = column_named(schema, option, name);
    if (is_numeric(schema, column)) return column;
    throw Error(ErrorKind::usage,
                fmt::format("{}: column \"{}\" is {}, and contours need numbers (plot … feature "
                            "{} shows it)",
                            option, name, model ? family_of(*model, column) : "no number",
                            setting("x", name)));
  };
  const auto numeric = numeric_columns(schema);
  const auto free_column = [&](std::size_t taken) {
    for (const std::size_t column : numeric) {
      if (column != taken) return column;
    }
    throw Error(
        ErrorKind::usage,
        fmt::format(
            "{} two columns of numbers, and the {} has {} (plot … feature shows one column)",
            model ? "contours need" : "a scatter needs", model ? "model" : "table",
            numeric.empty() ? "none" : "\"" + schema.columns[numeric[0]].name + "\" only"));
  };
  std::size_t x = view.x.empty() ? no_column : named(setting("x"), view.x);
  std::size_t y = view.y.empty() ? no_column : named(setting("y"), view.y);
  if (x == no_column) x = free_column(y);
  if (y == no_column) y = free_column(x);
  if (x == y) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: \"{}\" is already on the other axis", setting("y"), view.y));
  }
  return {x, y};
}

}  // namespace credence::plot
