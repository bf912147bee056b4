// SPDX-License-Identifier: Apache-2.0
// A generative model's score as coefficients: where logistic regression starts.
#pragma once

#include <vector>

#include "twin/objective.hpp"

namespace credence {

// theta (as LogisticLoss places it) whose scores are the model's log odds, for every factor that is
// linear: words, binary columns and bags; numbers as if all classes had the same variance. A
// factor that is not linear (a probability of 0) is left at 0.
std::vector<double> generative_start(const Model& model, const Features& features,
                                     const LabelledRows& rows);

}  // namespace credence
