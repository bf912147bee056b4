// SPDX-License-Identifier: Apache-2.0
// Sums by class over the rows of a matrix, without the loss of a digit: anchored_sums.hpp for all
// columns at once, to the same bits. A matrix has its columns side by side, so they are what runs
// in parallel within the processor: no column is gathered first. Rows are taken class by class, so
// that the sums stay in registers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "credence/chunk.hpp"
#include "families/gaussian/anchored_sums.hpp"
#include "families/kernels/rows_by_class.hpp"

namespace credence {

class RowSums {
 public:
  // weights empty: all 1; class negative: skipped.
  RowSums(const MatrixRows& rows, std::span<const double> weights,
          std::span<const std::int32_t> classes, std::size_t class_count);

  // False where a value is missing, or so large or small that it needs a unit: such a column is to
  // be added on its own.
  bool tells(std::size_t column) const { return tells_[column]; }
  Moments moments(std::size_t cls, std::size_t column) const {
    return sums_[cls * columns_ + column].moments();
  }

 private:
  void anchor(const RowsOfClass& own, DoubleDouble weight, std::size_t cls, std::size_t column);

  std::size_t columns_;
  std::vector<AnchoredSums> sums_;  // [class][column]
  std::vector<bool> tells_;
};

}  // namespace credence
