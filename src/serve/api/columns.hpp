// SPDX-License-Identifier: Apache-2.0
// The columns of a model: what values they may have, and rows in which one of them varies.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "credence/chunk.hpp"
#include "plot/slice.hpp"
#include "serve/models/snapshot.hpp"
#include "serve/models/store.hpp"

namespace credence::serve {

// "number", "category", "text" or "bag".
std::string kind_of(const ColumnSpec& column);
// The place of a column; throws an HttpError 404.
std::size_t column_place(const Schema& schema, const std::string& name);
// The block that a column is part of.
std::size_t block_place(const Model& model, std::size_t column);

const std::vector<Chunk>& chunks_of(const std::shared_ptr<const DataRows>& data);

// What a column may be set to: every value of a column of words, so many places along a number.
// Nothing for texts and bags.
struct ColumnValues {
  std::vector<double> numbers;
  std::vector<std::string> words;

  std::size_t size() const { return numbers.empty() ? words.size() : numbers.size(); }
  Column column(bool binary) const;
  Json json(std::size_t place) const;
};
ColumnValues values_along(const plot::Slice& slice, const std::vector<Chunk>& data,
                          std::size_t column, std::size_t points);

// A row as it would be sent; null where it has no value. Of rows that came without their texts a
// document is what it was cut into.
Json row_json(const Chunk& chunk, const Schema& schema, std::size_t row);
Json row_json(const DataRows& data, std::size_t chunk, const Schema& schema, std::size_t row);

// A row of which nothing is known.
Chunk empty_row(const Snapshot& snapshot);
// A row as often as a column has values, with each of them once.
Chunk varied(const Chunk& row, std::size_t column, const ColumnValues& values,
             const Schema& schema);
// log p(value | class) of one column, whatever the model's trust in it: [value * classes + class].
std::vector<double> log_densities(const Snapshot& snapshot, std::size_t column,
                                  const ColumnValues& values);

}  // namespace credence::serve
