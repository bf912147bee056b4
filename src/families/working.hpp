// SPDX-License-Identifier: Apache-2.0
// What families write on the board: fractions of counts, with and without imaginary ones, and the
// formulas of densities with their values.
#pragma once

#include "credence/parameters.hpp"

namespace credence {

Working working_of_number(double log_value, bool density);
// count / total.
Working working_of_fraction(double count, double total);
// (count + added) / (total + added to all values together).
Working working_of_fraction(double count, double total, double added, double added_to_all);
// start (start + 1) … , `factors` of them, or one over that.
Working working_of_rising(double start, double factors, bool inverse, double log_value);

}  // namespace credence
