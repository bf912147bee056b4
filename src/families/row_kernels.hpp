// SPDX-License-Identifier: Apache-2.0
// What learning and scoring rows of plain numbers come down to: loops over the columns of one row,
// which lie side by side, several at a time where the processor can. The same bits on every
// machine.
#pragma once

#include <cstddef>

namespace credence {

// Sums of one class, a pair of doubles for every column.
struct ExactRow {
  double* high;
  double* low;
};

// sums += weight * row, each product rounded once and no sum at all.
void add_row(const double* row, std::size_t columns, double weight, const ExactRow& sums);
// The same for columns above 0, as if they were 1.
void add_presence(const double* row, std::size_t columns, double weight, const ExactRow& sums);

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

}  // namespace credence
