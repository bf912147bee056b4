// SPDX-License-Identifier: Apache-2.0
// What follows from how often which class was taken for which.
#pragma once

#include <vector>

#include "credence/evaluate.hpp"

namespace credence {

// With the sum of squared weights; prediction may be Outcome::no_label.
struct WeighedCell : Confusion::Cell {
  double squares = 0;
};

struct ConfusionFigures {
  std::vector<double> support, no_label, precision, recall, f1;  // by class; NaN: undefined
  std::vector<double> support_squares, predicted_squares;        // sums of squared weights
  std::vector<double> predicted;
  double balanced_accuracy = 0, macro_f1 = 0, mcc = 0;
};

ConfusionFigures figures_of(const std::vector<WeighedCell>& cells, std::size_t labels);

// Fills the intervals of what figures_of() gives. Precision and recall are shares: Wilson's. The
// others have a bootstrap of the cells. Drawing rows with
// replacement makes the weight of a cell a sum of Poisson numbers; it is drawn as one, of the same
// mean and variance: exactly so where all rows of a cell weigh the same.
void add_intervals(const std::vector<WeighedCell>& cells, std::uint64_t seed, Metrics& metrics);

}  // namespace credence
