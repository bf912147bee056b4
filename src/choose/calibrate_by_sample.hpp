// SPDX-License-Identifier: Apache-2.0
// What fit does about probabilities that are too sure, for those who judge it beforehand.
#pragma once

#include <vector>

#include "credence/calibrate.hpp"

namespace credence {

// Whether a model like this, of so many rows, would be calibrated by a sample of them.
bool calibrated_by_sample(const Rule& rule, const std::vector<BlockSpec>& blocks, std::size_t rows,
                          std::size_t classes);

// What is found from rows of other folds, or in time of those before, is applied to each; one
// calibration, from some of the rows, to all of many: it has no more unknowns than there are
// classes. `log_prior`: the shares of the classes; `prior` has those that each row was scored
// under.
void calibrate_held_out(ScoredRows& held, const std::vector<double>& log_prior,
                        const std::vector<double>& prior, bool in_time);

}  // namespace credence
