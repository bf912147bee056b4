// SPDX-License-Identifier: Apache-2.0
// What scoring a row of a matrix comes down to.
#pragma once

#include <cstddef>

namespace credence::python {

double total(const double* values, std::size_t count);

// Of each of several vectors, one behind the other, the product with a row.
void products(const double* row, const double* vectors, std::size_t count, std::size_t size,
              double* results);

// Of each of several points the weighted squared distance from a row.
void distances(const double* row, const double* points, const double* weights, std::size_t count,
               std::size_t size, double* results);

// The squared length of transform * d, whose rows end after `lengths`.
double squared_length(const double* d, const double* transform, const std::size_t* lengths,
                      std::size_t rows, std::size_t columns);

}  // namespace credence::python
