// SPDX-License-Identifier: Apache-2.0
// The moments of a chunk's numbers, class by class, without the loss of a digit.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/moments.hpp"

namespace credence {

// Sums of w (x - anchor) and w (x - anchor)^2, for an anchor near the mean. The differences are
// exact pairs and the sums double-doubles, so that any rows can be taken away again later.
struct AnchoredSums {
  DoubleDouble weight, first, second;
  double anchor = 0;
  int exponent = 0;  // of the unit in which the values were told, as of Moments

  Moments moments() const;
};

// Adds the rows of a chunk (weights empty: all 1; class negative or value NaN: skipped).
void add_anchored(std::span<const double> values, std::span<const double> weights,
                  std::span<const std::int32_t> classes, std::vector<AnchoredSums>& sums);

}  // namespace credence
