// SPDX-License-Identifier: Apache-2.0
// Temperature and Platt scaling: softmax(slope * score + bias) fitted to soft targets.
#pragma once

#include <cstddef>
#include <vector>

namespace credence {

// One row per place; rows x classes. Scores are log posteriors up to what a row's classes share;
// -inf: the class is impossible, and has target 0. Targets of a row sum to 1.
struct ScalingData {
  std::size_t classes = 0;
  std::vector<double> scores, targets, weights;
};

struct Scaling {
  double slope = 1;
  std::vector<double> bias;  // empty, or one per class, the first 0
  std::size_t steps = 0;
  double gradient_norm = 0;  // of the mean cross-entropy
};

// Newton's method. The objective is convex; soft targets keep its minimum finite. Slope 1 without
// bias is never lower than what is returned. doubt: how much is added for half the squared distance
// of each bias from their mean, as if it were normal around it with the variance 1 / doubt.
Scaling fit_scaling(const ScalingData& data, bool with_bias, double doubt = 0);

}  // namespace credence
