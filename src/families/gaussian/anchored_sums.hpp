// SPDX-License-Identifier: Apache-2.0
// The moments of a chunk's numbers, class by class, without the loss of a digit.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/moments.hpp"
#include "families/statistics/long_sum.hpp"

namespace credence {

// Sums of w (x - anchor) and w (x - anchor)^2. The sums have so many digits that any rows can be
// taken away again later. The anchor is 0 where the mean is not far from it, as the spread goes;
// else it is near the mean, so that nothing cancels, and the differences are exact pairs.
struct AnchoredSums {
  DoubleDouble weight, first, second;
  double anchor = 0;
  int exponent = 0;  // of the unit in which the values were told, as of Moments

  AnchoredSums() = default;
  AnchoredSums(DoubleDouble all, const PowerSums<double>& sums, double from)
      : weight(all),
        first(two_sum(sums.first.high, sums.first.low)),
        second(two_sum(sums.second.high, sums.second.low)),
        anchor(from) {}

  Moments moments() const;
  // Whether sums from 0 tell the moments; where squares are beyond a double, they do not either.
  bool tells() const;
};

// Adds the rows of a chunk (weights empty: all 1; class negative or value NaN: skipped).
void add_anchored(std::span<const double> values, std::span<const double> weights,
                  std::span<const std::int32_t> classes, std::vector<AnchoredSums>& sums);

}  // namespace credence
