// SPDX-License-Identifier: Apache-2.0
// What the rules' Dirichlet prior says of counts and shares, and of counts with the shares
// integrated out. Derivations: docs/evidence.md, docs/semi.md
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "families/family.hpp"

namespace credence {

// The prior's parameter for each of `choices` things that a draw may be, 0 where the rule has none;
// bayes: what it is under that rule.
double dirichlet_parameter(const Rule& rule, double choices, double bayes);

// What a rule makes of a count: so much is added; or, where the mode of a weak prior piles up at 0
// (map), taken away as far as there is any.
struct ImaginaryCount {
  double added = 0;
  double removed = 0;

  double kept(double count) const { return std::max(0.0, count - removed); }
  double operator()(double count) const { return kept(count) + added; }
};
ImaginaryCount imaginary_count(const Rule& rule, double choices, double bayes);

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

// The prior's p that a row has each of these features of a bag, 1/2 unless given. The p under the
// name "" is that of all features without one of their own.
std::vector<double> prior_coins(const Estimation& estimation, const std::string& column,
                                const std::vector<std::string>& features);
// The two sides of a coin: imaginary rows without the feature and with it.
std::vector<double> imaginary_sides(double p, const Rule& rule);

// Shares from the posterior of these counts; without a prior all shares were as likely.
std::vector<double> draw_shares(std::span<const double> counts, std::span<const double> imaginary,
                                const Rule& rule, Random& random);

// The log of the prior density at the shares, up to a constant; infinite where a share of 0 lies
// where the density has no bound. `imaginary`: as of imaginary_counts(). logs: of the shares, where
// someone has them.
double log_prior_of_shares(std::span<const double> shares, std::span<const double> imaginary,
                           const Rule& rule, std::span<const double> logs = {});

// The log of the probability of draws in their order, the shares integrated out; nothing where the
// rule has no prior. The last of `imaginary` may go beyond the counts: values nobody drew.
std::optional<double> log_marginal_of_counts(std::span<const double> counts,
                                             std::span<const double> imaginary);

}  // namespace credence
