// SPDX-License-Identifier: Apache-2.0
// The probability of numbers whose mean and variance are integrated out under the imaginary rows.
// Derivations: docs/evidence.md
#pragma once

#include <optional>
#include <vector>

#include "core/moments.hpp"
#include "families/gaussian/gaussian_density.hpp"
#include "families/numeric.hpp"

namespace credence {

// One class of one column.
std::optional<double> log_marginal_of_numbers(const Moments& observed, const NumberPrior& prior,
                                              const Rule& rule);

// A block of columns. Nothing for rows with gaps and for covariances that are shrunk or blended.
std::optional<double> log_marginal_of_block(const GaussianBlockData& data,
                                            const Estimation& estimation);

// A mean vector and a covariance for every class from their posterior, each as the scatter of one
// row; nothing where the covariance is not simply full or tied.
std::optional<std::vector<ClassScatter>> draw_block(const GaussianBlockData& data,
                                                    const Estimation& estimation, Random& random);

}  // namespace credence
