// SPDX-License-Identifier: Apache-2.0
// A chunk: some thousands of rows as typed columns. The unit of reading, learning and scoring.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace credence {

// Real numbers, counts, or 0/1; NaN marks a missing value.
struct Numbers {
  std::vector<double> values;
};

// Words, as codes into the chunk's own dictionary; missing_code marks a missing value.
struct Categories {
  static constexpr std::int32_t missing_code = -1;
  std::vector<std::int32_t> codes;
  std::vector<std::string> dictionary;
};

// A sparse row of named counts each: features[offsets[r] .. offsets[r+1]) of row r, codes into
// the chunk's own dictionary. A row whose whole set is missing has missing[r] != 0.
struct Bags {
  std::vector<std::size_t> offsets{0};
  std::vector<std::int32_t> features;
  std::vector<double> counts;
  std::vector<std::uint8_t> missing;
  std::vector<std::string> dictionary;
};

using Column = std::variant<Numbers, Categories, Bags>;

// Rows of plain numbers one behind the other, read where they lie; NaN marks a missing value.
struct MatrixRows {
  const double* data = nullptr;  // null: there are none
  std::size_t columns = 0;
  std::shared_ptr<const void> owner = {};  // of numbers that had to be copied

  explicit operator bool() const { return data != nullptr; }
  const double* row(std::size_t r) const { return data + r * columns; }
};

// The same of a sparse matrix: row r has the features [starts[r], starts[r + 1]), rising, and the
// count of each.
struct SparseRows {
  const std::int32_t* features = nullptr;  // null: there are none
  const double* counts = nullptr;
  std::vector<std::size_t> starts = {};
  std::shared_ptr<const void> owner = {};  // of what had to be copied

  explicit operator bool() const { return features != nullptr; }
};

struct Chunk {
  std::size_t rows = 0;
  std::vector<Column> columns;  // in the order of the schema
  Categories labels;            // the class of each row; no codes when there is no target
  std::vector<double> weights;  // empty: every row weighs 1
  // Of the rows that were read, the places of those that are not in here for a bad cell; sorted.
  std::vector<std::size_t> left_out = {};
  // In place of `columns`, where a source lends its rows: value j of a row is that of column j or,
  // where the schema is one bag, the count of its declared feature j.
  MatrixRows matrix = {};
  SparseRows sparse = {};  // where the schema is one bag
};

}  // namespace credence
