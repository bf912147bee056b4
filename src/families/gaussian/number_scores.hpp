// SPDX-License-Identifier: Apache-2.0
// The log densities of a whole column of numbers at once, where scoring spends its time.
#pragma once

#include <span>

#include "families/numeric.hpp"

namespace credence {

// joint[row * classes + c] += weight * classes[c].log_density(values[row]); NaN adds nothing. Equal
// to log_density but for the last digits, and the same bits on every machine.
void add_number_scores(std::span<const double> values, std::span<const NumberDensity> classes,
                       double weight, std::span<double> joint);

}  // namespace credence
