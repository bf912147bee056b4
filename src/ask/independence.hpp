// SPDX-License-Identifier: Apache-2.0
// Whether the columns of a table are independent: every joint probability the product of its
// marginal ones.
#pragma once

#include "ask/query.hpp"

namespace credence {

// part / whole; sums of weights other than 1 are rounded to what their own digits support.
Probability ratio(DoubleDouble part, DoubleDouble whole, bool counts);

// The G test with its p, from chi-squared.
Significance significance(double g, double freedom);

// In all cases: the mutual information is their mean, and the tests add up.
Independence together(const std::vector<GivenAnswer>& cases);

// Of all columns of a table whose weights sum to `total`.
Independence independence(const WeightedTable& cells, DoubleDouble total);

}  // namespace credence
