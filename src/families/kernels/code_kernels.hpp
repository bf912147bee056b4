// SPDX-License-Identifier: Apache-2.0
// What learning and scoring a column of words come down to: loops over the codes of its cells. The
// same bits on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace credence {

// How many rows have each code and class, at [(code + 1) * (classes + 1) + class + 1]: what is
// below 0 has cells of its own. Codes are below `values`, classes below `classes`.
std::vector<std::uint32_t> count_codes(std::span<const std::int32_t> codes,
                                       std::span<const std::int32_t> class_of, std::size_t values,
                                       std::size_t classes);

// to[row * count + c] += vectors[(code of the row + 1) * count + c]: a vector of a table is added
// to each row, the first one where the code is -1.
void add_vectors(std::span<const std::int32_t> codes, const double* vectors, std::size_t count,
                 double* to);

}  // namespace credence
