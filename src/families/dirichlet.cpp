// SPDX-License-Identifier: Apache-2.0
#include "families/dirichlet.hpp"

#include <cmath>

#include "core/log_math.hpp"
#include "core/special.hpp"

namespace credence {

double dirichlet_parameter(const Rule& rule, double choices, double bayes) {
  switch (rule.kind) {
    case Rule::Kind::laplace:
      return rule.strength;
    case Rule::Kind::m_estimate:
      return rule.strength / choices;
    case Rule::Kind::map:
      return rule.strength == 0 ? 2 : rule.strength / choices;
    case Rule::Kind::bayes:
      return bayes;
    default:
      return 0;
  }
}

ImaginaryCount imaginary_count(const Rule& rule, double choices, double bayes) {
  const double parameter = dirichlet_parameter(rule, choices, bayes);
  if (rule.kind != Rule::Kind::map) return {parameter, 0};
  return {std::max(0.0, parameter - 1), std::max(0.0, 1 - parameter)};
}

double log_prior_of_shares(std::span<const double> shares, std::span<const double> imaginary,
                           const Rule& rule) {
  if (!rule.has_prior()) return 0;
  double sum = 0;
  for (std::size_t v = 0; v < shares.size(); ++v) {
    // Counts added to those observed are the exponents of a density whose mode they move.
    const double exponent = imaginary[v] - (rule.kind == Rule::Kind::map ? 1 : 0);
    if (shares[v] == 0 && exponent < 0) return infinity;
    sum += x_log_y(exponent, shares[v]);
  }
  return sum;
}

std::optional<double> log_marginal_of_counts(std::span<const double> counts,
                                             std::span<const double> imaginary) {
  double draws = 0, rows = 0, sum = 0;
  for (const double a : imaginary) rows += a;
  if (rows <= 0) return std::nullopt;
  for (std::size_t v = 0; v < counts.size(); ++v) {
    draws += counts[v];
    if (counts[v] > 0) sum += imaginary[v] > 0 ? log_rising(imaginary[v], counts[v]) : -infinity;
  }
  return sum - log_rising(rows, draws);
}

}  // namespace credence
