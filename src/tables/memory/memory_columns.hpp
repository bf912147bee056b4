// SPDX-License-Identifier: Apache-2.0
// The columns that tables in memory have: numbers, booleans, words, codes of words, sparse rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tables/memory/memory.hpp"

namespace credence::data {

using ColumnPointer = std::shared_ptr<const MemoryColumn>;

enum class NumberType {
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float32,
  float64
};
bool is_integer(NumberType type);

// Every `stride` bytes a number. whole: written without ".0" although the type is real.
struct NumberView {
  const void* data = nullptr;
  NumberType type = NumberType::float64;
  std::ptrdiff_t stride = sizeof(double);
  Validity valid = {};
  bool whole = false;
};
ColumnPointer number_column(const NumberView& numbers);

// Bits as Arrow has them, or a byte each; "True" and "False" where words are wanted.
ColumnPointer bit_column(const std::uint8_t* bits, std::size_t offset, Validity valid);
ColumnPointer byte_column(const std::uint8_t* bytes, std::ptrdiff_t stride);

// Word i is the bytes from offsets[i] to offsets[i + 1].
ColumnPointer word_column(const std::int32_t* offsets, const char* bytes, Validity valid);
ColumnPointer word_column(const std::int64_t* offsets, const char* bytes, Validity valid);
// Arrow's string views: short words lie in the view itself.
ColumnPointer word_view_column(const void* views, const void* const* buffers, Validity valid);
// Words that the column owns.
ColumnPointer word_column(std::vector<std::string> words, std::vector<bool> present);

// Codes into the rows of another column; a negative code is no value.
ColumnPointer coded_column(const NumberView& codes, ColumnPointer words, std::size_t word_count);

// No value anywhere; and values that nothing can be done with, refused when they are asked for.
ColumnPointer missing_column();
ColumnPointer unreadable_column(std::string message);

// Compressed sparse rows: entries starts[r] .. starts[r + 1] are those of row r.
struct SparseView {
  NumberView starts, features, counts;
  std::size_t width = 0;                                  // features are below this
  std::shared_ptr<const std::vector<std::string>> names;  // none: "0", "1", …
};
ColumnPointer sparse_column(const SparseView& rows);

// All columns of a table, every `column_stride` bytes one; `first` is the first of them.
struct MatrixView {
  NumberView first;
  std::size_t columns = 0;
  std::ptrdiff_t column_stride = sizeof(double);

  NumberView column(std::size_t i) const;
};
// Its rows as they lie, or copied where they are not doubles one behind the other.
std::function<MatrixRows(std::size_t from, std::size_t to)> lend_matrix(const MatrixView& matrix);
// Nothing where features or counts are of other types than it lends.
std::function<std::optional<SparseRows>(std::size_t from, std::size_t to)> lend_sparse(
    const SparseView& rows);
// All of it as one column: bags of counts; presences: what is not above 0 is not there.
ColumnPointer bag_column(const MatrixView& matrix,
                         std::shared_ptr<const std::vector<std::string>> names,
                         bool presences = false);

}  // namespace credence::data
