// SPDX-License-Identifier: Apache-2.0
// fit --discriminative: logistic regression on the columns a generative model would learn.
#pragma once

#include <string>

#include "cli/options/plan.hpp"

namespace credence::cli {

// Learns DATA and writes the model to `output` ("-": stdout; "": DATA's name + .logistic.json).
void run_discriminative(const PlanOptions& options, const Common& common, const std::string& output,
                        double penalty);

}  // namespace credence::cli
