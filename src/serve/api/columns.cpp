// SPDX-License-Identifier: Apache-2.0
#include "serve/api/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "answers/rows.hpp"
#include "core/chunk_rows.hpp"
#include "credence/error.hpp"
#include "plot/curves/along.hpp"
#include "plot/rows.hpp"
#include "serve/http/message.hpp"

namespace credence::serve {

std::string kind_of(const ColumnSpec& column) {
  switch (column.kind) {
    case ColumnKind::category:
    case ColumnKind::binary:
      return "category";
    case ColumnKind::text:
      return "text";
    case ColumnKind::bag:
      return "bag";
    default:
      return "number";
  }
}

std::size_t column_place(const Schema& schema, const std::string& name) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    if (schema.columns[i].name == name) return i;
    names.push_back(schema.columns[i].name);
  }
  throw HttpError(404, fmt::format("no column \"{}\"{}", name, suggestion(name, names)));
}

std::size_t block_place(const Model& model, std::size_t column) {
  for (std::size_t b = 0; b < model.blocks().size(); ++b) {
    const auto& columns = model.blocks()[b].columns;
    if (std::find(columns.begin(), columns.end(), column) != columns.end()) return b;
  }
  return 0;
}

const std::vector<Chunk>& chunks_of(const std::shared_ptr<const DataRows>& data) {
  static const std::vector<Chunk> none;
  return data ? data->chunks : none;
}

Column ColumnValues::column(bool binary) const {
  if (!numbers.empty()) return Numbers{numbers};
  if (binary) return Numbers{{0, 1}};
  Categories result;
  result.dictionary = words;
  for (std::size_t i = 0; i < words.size(); ++i) {
    result.codes.push_back(static_cast<std::int32_t>(i));
  }
  return result;
}

Json ColumnValues::json(std::size_t place) const {
  if (numbers.empty()) return words[place];
  return number(numbers[place]);
}

ColumnValues values_along(const plot::Slice& slice, const std::vector<Chunk>& data,
                          std::size_t column, std::size_t points) {
  ColumnValues result;
  const auto& spec = slice.schema().columns[column];
  if (plot::is_word(slice.schema(), column)) {
    result.words = slice.words(data, column);
  } else if (plot::is_numeric(slice.schema(), column)) {
    const bool counts = spec.kind == ColumnKind::count;
    const auto range = plot::range_along(slice, data, column);
    result.numbers = counts ? plot::grid_values(true, {range.low + 0.5, range.high - 0.5}, points)
                            : plot::spaced(range, points);
    if (counts || spec.kind == ColumnKind::amount) {
      std::erase_if(result.numbers, [](double x) { return x < 0; });
    }
  }
  return result;
}

Json row_json(const Chunk& chunk, const Schema& schema, std::size_t row) {
  Json json = to_json(chunk, schema, row);
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    if (!has_value(chunk, i, row)) json[schema.columns[i].name] = nullptr;
  }
  if (row >= chunk.labels.codes.size() || chunk.labels.codes[row] < 0) json.erase(schema.target);
  return json;
}

Json row_json(const DataRows& data, std::size_t chunk, const Schema& schema, std::size_t row) {
  Json json = row_json(data.chunks[chunk], schema, row);
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    if (const auto* text = data.text(chunk, i, row)) json[schema.columns[i].name] = *text;
  }
  return json;
}

Chunk empty_row(const Snapshot& snapshot) {
  const std::string_view empty = "{}";
  return snapshot.rows().read({&empty, 1});
}

Chunk varied(const Chunk& row, std::size_t column, const ColumnValues& values,
             const Schema& schema) {
  Chunk chunk = select_rows(row, std::vector<std::size_t>(values.size(), 0));
  chunk.columns[column] = values.column(schema.columns[column].kind == ColumnKind::binary);
  return chunk;
}

std::vector<double> log_densities(const Snapshot& snapshot, std::size_t column,
                                  const ColumnValues& values) {
  const auto rows = varied(empty_row(snapshot), column, values, snapshot.schema());
  return snapshot.scorer("densities")
      .log_density(block_place(snapshot.model("densities"), column), rows);
}

}  // namespace credence::serve
