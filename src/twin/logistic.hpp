// SPDX-License-Identifier: Apache-2.0
// Multinomial logistic regression: the coefficients that minimise the objective.
#pragma once

#include <vector>

#include "twin/objective.hpp"

namespace credence {

struct LogisticOptions {
  double penalty = 1;               // lambda; scikit-learn's C is its inverse
  bool generative_start = true;     // else from 0
  double tolerance = 1e-8;          // on the norm of the mean objective's gradient
  std::size_t max_iterations = 0;   // 0: 100 Newton steps, 5000 of L-BFGS
  std::size_t newton_below = 2000;  // coefficients; beyond that the Hessian costs too much
};

struct LogisticFit {
  std::vector<double> theta;  // as LogisticLoss places it
  std::size_t iterations = 0;
  double gradient_norm = 0;
  bool converged = false;
  bool separated = false;   // without a penalty there is no minimum: some of theta grows for ever
  std::size_t growing = 0;  // then the place in theta of the coefficient that has grown most
};

LogisticFit minimise(const LogisticLoss& objective, std::vector<double> start,
                     const LogisticOptions& options);

}  // namespace credence
