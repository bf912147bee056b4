// SPDX-License-Identifier: Apache-2.0
// The columns that tables in memory have: numbers, booleans, words, codes of words, sparse rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tables/memory.hpp"

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

}  // namespace credence::data
