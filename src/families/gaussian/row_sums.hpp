// SPDX-License-Identifier: Apache-2.0
// Sums by class over the rows of a matrix, without the loss of a digit: anchored_sums.hpp for all
// columns at once, to the same bits. A matrix has its columns side by side, so they are what runs
// in parallel within the processor: no column is gathered first.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/moments.hpp"
#include "credence/chunk.hpp"

namespace credence {

class RowSums {
 public:
  RowSums(std::size_t classes, std::size_t columns);

  // weights empty: all 1; class negative: skipped. False, and nothing to be read, where a value is
  // missing, or so large or small that it needs a unit: then columns are added each on its own.
  bool add(const MatrixRows& rows, std::span<const double> weights,
           std::span<const std::int32_t> classes);
  Moments moments(std::size_t cls, std::size_t column) const;

 private:
  bool all_ordinary(const MatrixRows& rows, std::span<const double> weights,
                    std::span<const std::int32_t> classes) const;
  bool find_anchors(const MatrixRows& rows, std::span<const double> weights,
                    std::span<const std::int32_t> classes);

  std::size_t columns_;
  std::vector<DoubleDouble> weight_;  // per class
  std::vector<double> anchor_;        // [class][column], as are the sums
  std::vector<double> first_hi_, first_lo_, second_hi_, second_lo_;
};

}  // namespace credence
