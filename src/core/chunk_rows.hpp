// SPDX-License-Identifier: Apache-2.0
// Some of a chunk's rows as a chunk of their own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "credence/chunk.hpp"
#include "credence/schema.hpp"

namespace credence {

// Columns of the schema's kinds, to be filled.
Chunk no_rows(const Schema& schema);

Chunk select_rows(const Chunk& chunk, std::span<const std::size_t> rows);

// Those from `first` on.
Chunk slice_rows(const Chunk& chunk, std::size_t first, std::size_t count);

// Rows that are lent, as columns of the schema they were lent for.
Chunk in_columns(Chunk chunk, const Schema& schema);

// Whether a cell is there.
bool has_value(const Chunk& chunk, std::size_t column, std::size_t row);

// So many rows are scored at a time that their scores take 16 MB, however many classes there are.
std::size_t rows_at_once(std::size_t classes);

// use(slice, its first row) for all rows of a chunk in order; all at once where they are few.
template <typename Use>
void in_slices(const Chunk& chunk, std::size_t classes, const Use& use) {
  const std::size_t most = rows_at_once(classes);
  if (chunk.rows <= most) return use(chunk, std::size_t{0});
  for (std::size_t first = 0; first < chunk.rows; first += most) {
    use(slice_rows(chunk, first, std::min(most, chunk.rows - first)), first);
  }
}

}  // namespace credence
