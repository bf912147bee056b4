// SPDX-License-Identifier: Apache-2.0
// What learning and scoring rows of plain numbers come down to: loops over the columns of one row,
// which lie side by side, several at a time where the processor can. The same bits on every
// machine.
#pragma once

#include <cstddef>
#include <vector>

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
// The same of rows that weigh 1, whose sums are whole.
void count_presence(const double* row, std::size_t columns, double* counts);

double total(const double* values, std::size_t count);

// Of each of several vectors, one behind the other, the product with a row.
void products(const double* row, const double* vectors, std::size_t count, std::size_t size,
              double* results);
// joint[row * count + c] += weight * (offsets[c] + the product of vector c with the row), for rows
// one behind the other; presence: with 1 where the row is above 0, and with 0 elsewhere.
void add_products(const double* rows, std::size_t many, bool presence, const double* vectors,
                  const double* offsets, std::size_t count, std::size_t size, double weight,
                  double* joint);

// Of each of several points the weighted squared distance from a row.
void distances(const double* row, const double* points, const double* weights, std::size_t count,
               std::size_t size, double* results);

// A matrix that makes a row a vector whose squared length is asked for: its columns one behind the
// other, each padded with zeros to a multiple of eight.
struct Directions {
  std::vector<double> columns;
  std::size_t size = 0;   // columns
  std::size_t count = 0;  // rows
  bool triangle = false;  // row k ends after column k

  std::size_t stride() const { return (count + 7) / 8 * 8; }
};
double squared_length(const double* d, const Directions& directions);

// Several rows at once, to the same bits. They stand side by side: number i of row k is at
// [i * row_panel + k], as result i of row k is.
constexpr std::size_t row_panel = 16;
void panel_distances(const double* rows, const double* points, const double* weights,
                     std::size_t count, std::size_t size, double* results);
void panel_squared_lengths(const double* d, const Directions& directions, double* results);
void panel_products(const double* rows, const double* vectors, std::size_t count, std::size_t size,
                    double* results);
// Puts a row into a panel, of which `to` is its place in the first line, as it is seen from an
// origin and told in units; the sum of these numbers.
double put_in_panel(const double* row, const double* origin, const double* units, std::size_t size,
                    double* to);
// to = rows - point
void panel_differences(const double* rows, const double* point, std::size_t size, double* to);

}  // namespace credence
