// SPDX-License-Identifier: Apache-2.0
// Sums by class over some rows of a matrix, without the loss of a digit.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/moments.hpp"

namespace credence::python {

// Sums of w (x - anchor) and w (x - anchor)² for every class and column, the anchors near the
// means: families/anchored_sums.hpp for all columns at once. A matrix has its columns side by side,
// so they are what runs in parallel within the processor: no column is gathered first.
class RowSums {
 public:
  RowSums(std::size_t classes, std::size_t columns);

  // rows: row by row; weights empty: all 1. NaN is left out, an infinite value refused.
  void add(std::span<const double> rows, std::span<const std::int32_t> codes,
           std::span<const double> weights);
  Moments moments(std::size_t cls, std::size_t column) const;

 private:
  void find_anchors(std::span<const double> rows, std::span<const std::int32_t> codes,
                    std::span<const double> weights);
  void add_gaps(const double* row, std::size_t cls, double weight);

  std::size_t columns_;
  std::vector<DoubleDouble> weight_;  // of a class: its rows without a gap
  std::vector<DoubleDouble> extra_;   // of a cell: what rows with gaps add to that
  std::vector<double> anchor_;
  std::vector<double> first_hi_, first_lo_, second_hi_, second_lo_;
  std::vector<std::size_t> with_gaps_;  // rows
  std::vector<bool> has_gaps_;
};

}  // namespace credence::python
