// SPDX-License-Identifier: Apache-2.0
// A column of words: a weight for every value. One binary column is the same with the values 0
// and 1. Derivations: docs/families/categorical.md, docs/families/bernoulli.md
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "families/count_table.hpp"
#include "families/family.hpp"

namespace credence {

// P(value) for each of the values with these counts; shares are the prior's p (empty: uniform).
// Throws a data error, naming column and class, where the rule has nothing to go on.
std::vector<double> estimate_shares(const std::vector<double>& counts,
                                    const std::vector<double>& shares, const Rule& rule,
                                    const std::string& column, const std::string& cls);

// What a count is worth with its imaginary rows, under the rule: a share is this part of their sum.
double share_worth(double count, double imaginary, const Rule& rule);

// The Dirichlet prior's weight on each of `size` values: imaginary rows, spread by the shares.
std::vector<double> imaginary_counts(std::size_t size, const std::vector<double>& shares,
                                     const Rule& rule);

// The prior's p for each value of a column, from the given ones; empty when none were given.
std::vector<double> prior_shares(const Estimation& estimation, const std::string& column,
                                 const std::vector<std::string>& values);

}  // namespace credence
