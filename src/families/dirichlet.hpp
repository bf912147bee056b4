// SPDX-License-Identifier: Apache-2.0
// What the rules' Dirichlet prior says of shares, and of counts with the shares integrated out.
// Derivations: docs/evidence.md, docs/semi.md
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "credence/rule.hpp"

namespace credence {

// The log of the prior density at the shares, up to a constant; infinite where a share of 0 lies
// where the density has no bound. `imaginary`: as of imaginary_counts().
double log_prior_of_shares(std::span<const double> shares, std::span<const double> imaginary,
                           const Rule& rule);

// The log of the probability of draws in their order, the shares integrated out; nothing where the
// rule has no prior. The last of `imaginary` may go beyond the counts: values nobody drew.
std::optional<double> log_marginal_of_counts(std::span<const double> counts,
                                             std::span<const double> imaginary);

}  // namespace credence
