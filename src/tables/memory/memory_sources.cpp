// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "credence/memory.hpp"
#include "tables/memory/arrow.hpp"
#include "tables/memory/memory_columns.hpp"

namespace credence {

std::unique_ptr<Source> open_matrix(const MatrixTable& matrix) {
  const std::size_t width = matrix.columns.size();
  const data::MatrixView view{
      {matrix.data, data::NumberType::float64, static_cast<std::ptrdiff_t>(width * sizeof(double))},
      width};
  data::MemoryTable table;
  data::Batch batch;
  batch.rows = matrix.rows;
  batch.lend = data::lend_matrix(view);
  for (std::size_t i = 0; i < width; ++i) {
    table.fields.push_back({matrix.columns[i], data::ValueKind::real});
    batch.columns.push_back(data::number_column(view.column(i)));
  }
  table.lends = true;
  if (!matrix.classes.empty()) table.labels = data::RowLabels{matrix.labels, matrix.classes};
  table.weights = matrix.weights;
  table.next = [batch = std::optional(std::move(batch))]() mutable {
    return std::exchange(batch, std::nullopt);
  };
  return data::open_memory(std::move(table), matrix.classes.empty() ? "" : matrix.target);
}

std::unique_ptr<Source> open_arrow(ArrowArrayStream& stream) {
  return data::open_memory(data::arrow_table(stream));
}

}  // namespace credence
