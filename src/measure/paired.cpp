// SPDX-License-Identifier: Apache-2.0
#include "measure/paired.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "core/log_math.hpp"

namespace credence {

double mcnemar_p(double only_one, double only_other) {
  const double n = only_one + only_other, fewer = std::min(only_one, only_other);
  if (n == 0) return 1;
  // The lower tail of a binomial(n, 1/2), twice; from the middle out, each term from its neighbour.
  double term = std::exp(log_gamma(n + 1) - log_gamma(fewer + 1) - log_gamma(n - fewer + 1) -
                         n * std::log(2.0));
  double tail = 0;
  for (double k = fewer; k >= 0; --k) {
    tail += term;
    if (term < 1e-20 * tail) break;
    term *= k / (n - k + 1);
  }
  return std::min(1.0, 2 * tail);
}

double corrected_t_p(std::span<const double> differences, double test_share) {
  const double count = static_cast<double>(differences.size());
  double mean = 0, squares = 0;
  for (const double d : differences) mean += d / count;
  for (const double d : differences) squares += (d - mean) * (d - mean);
  if (!std::isfinite(mean) || count < 2) return not_a_number;
  const double variance = (1 / count + test_share) * squares / (count - 1);
  if (variance == 0) return mean == 0 ? 1 : 0;
  const boost::math::students_t t(count - 1);
  return 2 * boost::math::cdf(boost::math::complement(t, std::abs(mean) / std::sqrt(variance)));
}

PairedTest compare_pairs(std::span<const Outcome> one, std::span<const Outcome> other,
                         std::span<const double> one_by_fold,
                         std::span<const double> other_by_fold) {
  PairedTest result;
  double weight = 0, difference = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    if (one[i].weight == 0) continue;
    const bool first = one[i].prediction == one[i].truth;
    const bool second = other[i].prediction == other[i].truth;
    result.only_one += first && !second;
    result.only_other += second && !first;
    weight += one[i].weight;
    difference += one[i].weight * (other[i].log_probability - one[i].log_probability);
  }
  result.decisions_p = mcnemar_p(result.only_one, result.only_other);
  result.log_loss_difference = difference / weight;
  std::vector<double> by_fold;
  for (std::size_t f = 0; f < one_by_fold.size(); ++f) {
    const double apart = one_by_fold[f] - other_by_fold[f];
    // Models that are the same up to rounding are the same.
    by_fold.push_back(std::abs(apart) <= 1e-12 * std::abs(one_by_fold[f]) ? 0 : apart);
  }
  const double folds = static_cast<double>(by_fold.size());
  result.log_loss_p = corrected_t_p(by_fold, 1 / (folds - 1));
  return result;
}

}  // namespace credence
