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

std::optional<double> log_marginal_of_numbers(const Moments& observed, const NumberPrior& before,
                                              const Rule& rule) {
  const double s = imaginary_rows(rule);
  const double n = observed.weight.value();
  if (s == 0) return std::nullopt;
  if (n == 0) return 0;
  const Moments& column = before.column;
  const double mean_rows = s * before.within, rows = s * before.for_spread;
  const DoubleDouble prior_m2 =
      DoubleDouble(rows) * DoubleDouble(before.within) * (column.m2 / column.weight);
  Moments prior{mean_rows, column.mean, prior_m2, column.exponent}, merged = observed;
  merged.merge(prior);
  prior.tell_in(merged.exponent);
  return log_rising(rows / 2, n / 2) - 0.5 * n * std::log(std::numbers::pi) +
         0.5 * std::log(mean_rows / (n + mean_rows)) + 0.5 * rows * std::log(prior.m2.value()) -
         0.5 * (n + rows) * std::log(merged.m2.value()) - n * merged.exponent * std::numbers::ln2;
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

namespace {

// A covariance whose inverse is Wishart with this scatter behind it (Bartlett's decomposition):
// scatter = L Lᵀ, and A has the chi's of falling degrees of freedom on its diagonal.
Eigen::MatrixXd draw_covariance(const Eigen::MatrixXd& scatter, double freedom, Random& random) {
  const Eigen::Index d = scatter.rows();
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(d, d);
  for (Eigen::Index i = 0; i < d; ++i) {
    a(i, i) = std::sqrt(random.chi_squared(freedom - static_cast<double>(i)));
    for (Eigen::Index j = 0; j < i; ++j) a(i, j) = random.normal();
  }
  // Σ⁻¹ = L⁻ᵀ A Aᵀ L⁻¹, so Σ = L A⁻ᵀ A⁻¹ Lᵀ.
  const Eigen::MatrixXd l = scatter.llt().matrixL();
  const Eigen::MatrixXd half = a.triangularView<Eigen::Lower>().solve(l.transpose().eval());
  return half.transpose() * half;
}

// One row of weight 1 that has this mean, as seen from the origin, and covariance.
Scatter as_one_row(const CompleteBlock& block, const Eigen::VectorXd& mean,
                   const Eigen::MatrixXd& covariance) {
  Scatter result(block.kept.size(), false);
  result.weight = 1.0;
  result.exponent = block.units;
  for (std::size_t i = 0; i < block.kept.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    result.mean[i] = DoubleDouble(block.column.origin[row]) + DoubleDouble(mean[row]);
    for (std::size_t j = 0; j <= i; ++j) {
      result.m2[Scatter::packed(i, j)] = covariance(row, static_cast<Eigen::Index>(j));
    }
  }
  return result;
}

}  // namespace

std::optional<std::vector<ClassScatter>> draw_block(const GaussianBlockData& data,
                                                    const Estimation& estimation, Random& random) {
  const auto& kind = data.covariance;
  if (kind.shrinkage != Covariance::Shrinkage::none || kind.towards_tied != 0 || kind.spherical ||
      kind.apart || kind.unit != 0 || kind.rescue >= 0 || kind.tolerance >= 0) {
    return std::nullopt;
  }
  const auto block = complete_block(data, estimation);
  std::vector<ClassScatter> result(data.classes.size());
  if (block.kept.empty()) return result;
  const double d = static_cast<double>(block.kept.size());
  const bool prior = estimation.rule.has_prior();
  Pattern pattern(data.names.size(), '0');
  for (const auto place : block.kept) pattern[place] = '1';
  // Without a prior a mean costs a degree of freedom; the first one of the prior is s + d - 1.
  double means = 0;
  for (const auto& own : block.completed) means += own.rows > 0 ? 1 : 0;
  const auto covariance = [&](const Completed& from, double of_means) -> Eigen::MatrixXd {
    const double freedom = from.weight + (prior ? d - 1 : -of_means);
    if (!(freedom > d - 1)) return {};
    return draw_covariance(from.scatter, freedom, random);
  };
  Eigen::MatrixXd shared;
  if (kind.tied) shared = covariance(pool(block, imaginary_rows(estimation.rule)), means);
  for (std::size_t c = 0; c < block.completed.size(); ++c) {
    const auto& own = block.completed[c];
    if (estimation.class_weights[c] == 0) continue;
    const Eigen::MatrixXd drawn = kind.tied ? shared : covariance(own, 1);
    if (drawn.size() == 0 || own.weight <= 0) return std::nullopt;
    Eigen::VectorXd z(static_cast<Eigen::Index>(d));
    for (auto& value : z) value = random.normal();
    const Eigen::MatrixXd factor = (drawn / own.weight).llt().matrixL();
    result[c].emplace(pattern, as_one_row(block, own.mean + factor * z, drawn));
  }
  return result;
}

}  // namespace credence
