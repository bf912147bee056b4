// SPDX-License-Identifier: Apache-2.0
// Isotonic regression: the rising function nearest to points in squares.
#pragma once

#include <vector>

#include "credence/calibration.hpp"

namespace credence {

struct WeightedPoint {
  double x = 0;
  double y = 0;
  double weight = 1;
};

// By pooling adjacent violators. Points with one x count as their mean. The result has the first
// and the last x of every level. `points` of weight 0 have no say; there must be another.
Calibration::Curve isotonic(std::vector<WeightedPoint> points);

}  // namespace credence
