// SPDX-License-Identifier: Apache-2.0
// Rows that somebody typed.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/strings.hpp"
#include "credence/error.hpp"
#include "credence/source.hpp"
#include "tables/cells.hpp"

namespace credence {

Chunk parse_given(const Schema& schema, const std::vector<std::string>& rows,
                  std::string_view name_of_rows) {
  data::Selection selection{{}, data::MissingTokens(schema.missing)};
  std::vector<std::string> names;
  for (const auto& column : schema.columns) {
    selection.slots.push_back({data::Slot::Role::column, column, {}});
    names.push_back(column.name);
    if (!column.from.empty()) names.push_back(column.from);
  }
  const std::string place = setting(name_of_rows);
  data::ChunkBuilder builder(selection, place, rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::vector<std::optional<std::string>> cells(schema.columns.size());
    for (const auto& piece : split(rows[r], ',')) {
      if (piece.empty()) continue;
      const auto equals = piece.find('=');
      const std::string name(trim(piece.substr(0, equals)));
      if (equals == std::string::npos) {
        throw Error(ErrorKind::usage,
                    fmt::format("{}: \"{}\" is not column=value (for example 'color=red')",
                                setting(name_of_rows, rows[r]), piece));
      }
      if (std::find(names.begin(), names.end(), name) == names.end()) {
        throw Error(ErrorKind::usage,
                    fmt::format("{}: the model has no column \"{}\"{}",
                                setting(name_of_rows, rows[r]), name, suggestion(name, names)));
      }
      std::string_view value = trim(std::string_view(piece).substr(equals + 1));
      if (value.size() >= 2 && value.front() == '"' && value.back() == '"') {
        value = value.substr(1, value.size() - 2);  // so that it may hold a comma
      }
      // A text that is read in several ways is several columns of one name, a date with parts is
      // several columns from one.
      for (std::size_t slot = 0; slot < cells.size(); ++slot) {
        const auto& column = schema.columns[slot];
        if (column.name != name && column.from != name) continue;
        if (cells[slot]) {
          throw Error(ErrorKind::usage,
                      fmt::format("{}: \"{}\" stands twice", setting(name_of_rows, rows[r]), name));
        }
        cells[slot] = value;
      }
    }
    builder.start_row(r + 1);
    for (std::size_t slot = 0; slot < cells.size(); ++slot) {
      if (!cells[slot]) {
        builder.absent(slot);
      } else if (schema.columns[slot].kind == ColumnKind::bag) {
        builder.bag(slot);
        for (const auto& word : split(*cells[slot], ' ')) {
          if (!word.empty()) builder.bag_item(slot, word, 1);
        }
      } else {
        builder.cell(slot, *cells[slot]);
      }
    }
  }
  return builder.finish();
}

}  // namespace credence
