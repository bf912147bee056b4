// SPDX-License-Identifier: Apache-2.0
#include "families/gaussian/normal_evidence.hpp"

#include <Eigen/Cholesky>
#include <cmath>
#include <numbers>

#include "core/log_math.hpp"
#include "core/special.hpp"
#include "families/gaussian/covariance.hpp"
#include "families/numeric.hpp"

namespace credence {

std::optional<double> log_marginal_of_numbers(const Moments& observed, const Moments& column,
                                              const Rule& rule) {
  const double s = imaginary_rows(rule);
  const double n = observed.weight.value();
  if (s == 0) return std::nullopt;
  if (n == 0) return 0;
  const DoubleDouble prior_m2 = DoubleDouble(s) * (column.m2 / column.weight);
  Moments prior{s, column.mean, prior_m2, column.exponent}, merged = observed;
  merged.merge(prior);
  prior.tell_in(merged.exponent);
  return log_rising(s / 2, n / 2) - 0.5 * n * std::log(std::numbers::pi) +
         0.5 * std::log(s / (n + s)) + 0.5 * s * std::log(prior.m2.value()) -
         0.5 * (n + s) * std::log(merged.m2.value()) - n * merged.exponent * std::numbers::ln2;
}

namespace {

// The variances of n rows integrated out: scatter before and after them, s imaginary rows. The
// first degree of freedom of the Wishart is s + d - 1, so its gamma functions have (s + i) / 2,
// i from 0 to d - 1.
double spread_part(const Eigen::MatrixXd& before, const Eigen::MatrixXd& after, double s, double n,
                   bool spherical) {
  const double d = static_cast<double>(before.rows());
  if (spherical) {
    return log_rising(s * d / 2, n * d / 2) + 0.5 * s * d * std::log(before.trace()) -
           0.5 * (s + n) * d * std::log(after.trace());
  }
  double sum = 0;
  for (double i = 0; i < d; ++i) sum += log_rising((s + i) / 2, n / 2);
  return sum + 0.5 * (s + d - 1) * log_determinant(before) -
         0.5 * (s + n + d - 1) * log_determinant(after);
}

}  // namespace

std::optional<double> log_marginal_of_block(const GaussianBlockData& data,
                                            const Estimation& estimation) {
  const auto& kind = data.covariance;
  const double s = imaginary_rows(estimation.rule);
  if (s == 0 || kind.shrinkage != Covariance::Shrinkage::none || kind.towards_tied != 0) {
    return std::nullopt;
  }
  for (const auto& cls : data.classes) {
    for (const auto& [pattern, part] : cls) {
      if (pattern.find('0') != Pattern::npos) return std::nullopt;
    }
  }
  const auto block = complete_block(data, estimation);
  if (block.kept.empty()) return 0;
  const double d = static_cast<double>(block.kept.size());
  const Eigen::MatrixXd before = (s * block.column.variance).asDiagonal();
  Eigen::MatrixXd pooled = before;
  double total = 0, sum = 0, log_units = 0;
  for (const int unit : block.units) log_units += unit * std::numbers::ln2;
  for (const auto& own : block.completed) {
    if (own.rows == 0) continue;
    total += own.rows;
    sum += 0.5 * d * std::log(s / own.weight) - 0.5 * own.rows * d * std::log(std::numbers::pi);
    sum -= own.rows * log_units;
    if (kind.tied) {
      pooled += own.scatter - before;
    } else {
      sum += spread_part(before, own.scatter, s, own.rows, kind.spherical);
    }
  }
  if (kind.tied) sum += spread_part(before, pooled, s, total, kind.spherical);
  return sum;
}

}  // namespace credence
