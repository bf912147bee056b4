// SPDX-License-Identifier: Apache-2.0
// A chunk: some thousands of rows as typed columns. The unit of reading, learning and scoring.
#pragma once

#include <cstddef>
#include <cstdint>
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

struct Chunk {
  std::size_t rows = 0;
  std::vector<Column> columns;  // in the order of the schema
  Categories labels;            // the class of each row; no codes when there is no target
  std::vector<double> weights;  // empty: every row weighs 1
};

}  // namespace credence
