// SPDX-License-Identifier: Apache-2.0
// Arrow's dates, times and durations, written as pandas writes them into a file.
#pragma once

#include <string_view>

#include "tables/memory/memory_columns.hpp"

namespace credence::data {

// By the letters of an Arrow format such as "tdD" or "tsu:UTC"; null: it is another type. data: the
// first value of the column.
ColumnPointer time_column(std::string_view format, const void* data, std::size_t offset,
                          Validity valid);

}  // namespace credence::data
