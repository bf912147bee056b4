// SPDX-License-Identifier: Apache-2.0
// Tables in memory as sources: a matrix of numbers, or an Arrow stream. They are read where they
// lie, and give the model that a file of the same table gives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "credence/source.hpp"

struct ArrowArrayStream;

namespace credence {

// Row by row; NaN is a missing value. What it points to must outlive the source.
struct MatrixTable {
  const double* data = nullptr;
  std::size_t rows = 0;
  std::vector<std::string> columns;
  std::span<const std::int32_t> labels = {};  // places in `classes`, negative: no class
  std::vector<std::string> classes = {};
  std::string target = "class";          // what the classes are called, where there are labels
  std::span<const double> weights = {};  // empty: every row weighs 1
};
std::unique_ptr<Source> open_matrix(const MatrixTable& table);

// Takes the stream over; its columns are the fields of a struct.
std::unique_ptr<Source> open_arrow(ArrowArrayStream& stream);

}  // namespace credence
