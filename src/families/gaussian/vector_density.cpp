// SPDX-License-Identifier: Apache-2.0
#include "families/gaussian/vector_density.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/log_math.hpp"
#include "core/special.hpp"
#include "families/gaussian/covariance.hpp"
#include "families/kernels/row_kernels.hpp"

namespace credence {

using Eigen::Index;

namespace {

// From squares of this size on, rows are told in a unit in which they do not overflow.
constexpr double far_square = 1e300;
constexpr int far_exponent = 600;

// log(1 + q), or where q is told in the square of that unit.
double log_one_plus(double q, bool far) {
  if (!far) return std::log1p(q);
  return q == 0 ? 0.0 : std::max(0.0, std::log(q) + 2 * far_exponent * std::numbers::ln2);
}

}  // namespace

Marginal::Marginal(const VectorDensity& density, const Places& present)
    : mean_(density.mean(present)), freedom_(density.freedom), independent_(density.independent) {
  const Index size = mean_.size();
  const bool known = density.factor && size == density.mean.size();
  Eigen::MatrixXd scale;
  if (!known) scale = density.scale(present, present);
  if (density.tolerance >= 0) directions_ = whitening(scale, density.tolerance);
  deficient_ = density.tolerance >= 0 && directions_.rows() < size;
  if (!deficient_) directions_.resize(0, 0);  // those of the factor do
  log_steps_.resize(size);
  if (deficient_) {
    // Along the directions that are left, in units of deviations: what all classes share.
    factor_ = scale * directions_.transpose();
    const auto rank = static_cast<double>(directions_.rows());
    log_norm_ = -0.5 * rank * std::log(2 * std::numbers::pi);
    log_steps_.setConstant(log_norm_ / static_cast<double>(size));
    return;
  }
  if (known) {
    factor_ = std::sqrt(density.stretch) * density.factor->lower();
    directions_ = density.factor->inverse() / std::sqrt(density.stretch);
  } else {
    factor_ = Eigen::LLT<Eigen::MatrixXd>(scale).matrixL();
  }
  for (Index i = 0; i < mean_.size(); ++i) {
    // The constant of log p(x_i | x_before): for a t the freedom grows with every column before.
    const double before = independent_ ? 0 : static_cast<double>(i);
    const double norm = normal() ? -0.5 * std::log(2 * std::numbers::pi)
                                 : log_student_norm(freedom_ + before) +
                                       0.5 * std::log((freedom_ + before) / freedom_);
    log_steps_[i] = norm - std::log(factor_(i, i));
  }
  log_norm_ = log_steps_.sum();
}

bool Marginal::normal() const { return std::isinf(freedom_); }

void Marginal::prepare_rows() {
  const Index size = mean_.size();
  if (!deficient_ && directions_.size() == 0) {
    directions_ =
        factor_.triangularView<Eigen::Lower>().solve(Eigen::MatrixXd::Identity(size, size));
  }
  row_directions_.size = static_cast<std::size_t>(size);
  row_directions_.count = static_cast<std::size_t>(directions_.rows());
  row_directions_.triangle = !deficient_;
  const std::size_t stride = row_directions_.stride();
  row_directions_.columns.assign(stride * row_directions_.size, 0.0);
  for (Index k = 0; k < directions_.rows(); ++k) {
    for (Index j = 0; j < (deficient_ ? size : k + 1); ++j) {
      row_directions_.columns[static_cast<std::size_t>(j) * stride + static_cast<std::size_t>(k)] =
          directions_(k, j);
    }
  }
}

Eigen::MatrixXd Marginal::whitened(Eigen::MatrixXd d) const {
  if (deficient_) return directions_ * d;
  factor_.triangularView<Eigen::Lower>().solveInPlace(d);
  return d;
}

Eigen::VectorXd Marginal::precision_times(const Eigen::VectorXd& v) const {
  Eigen::VectorXd result = whitened(v);
  if (deficient_) return directions_.transpose() * result;
  factor_.triangularView<Eigen::Lower>().transpose().solveInPlace(result);
  return result;
}

double Marginal::log_likelihood(double rows, const Eigen::MatrixXd& spread) const {
  return rows * log_norm_ - 0.5 * whitened(whitened(spread).transpose()).trace();
}

bool Marginal::far_out(const Eigen::VectorXd& d, Eigen::VectorXd& z) const {
  if (z.squaredNorm() < far_square || normal()) return false;
  z = whitened(d.cwiseMax(-far_square).cwiseMin(far_square) * std::ldexp(1.0, -far_exponent));
  return true;
}

double Marginal::student_far_out(const Eigen::VectorXd& d) const {
  Eigen::VectorXd z = whitened(d);
  const bool far = far_out(d, z);
  const double size = static_cast<double>(d.size());
  if (!independent_) {
    return log_norm_ - 0.5 * (freedom_ + size) * log_one_plus(z.squaredNorm() / freedom_, far);
  }
  double logs = 0;
  for (const double own : z) logs += log_one_plus(own * own / freedom_, far);
  return log_norm_ - 0.5 * (freedom_ + 1) * logs;
}

double Marginal::independent_log_density(const double* d) const {
  double logs = 0;
  for (Index i = 0; i < mean_.size(); ++i) {
    const double z = d[i] * directions_(i, i);
    logs += std::log1p(z * z / freedom_);
  }
  if (logs < infinity) return log_norm_ - 0.5 * (freedom_ + 1) * logs;
  return student_far_out(Eigen::Map<const Eigen::VectorXd>(d, mean_.size()));
}

double Marginal::log_density_of(double squares, const double* d) const {
  if (normal()) return log_norm_ - 0.5 * (std::isnan(squares) ? infinity : squares);
  if (!(squares < far_square)) {
    return student_far_out(Eigen::Map<const Eigen::VectorXd>(d, mean_.size()));
  }
  const auto size = static_cast<double>(mean_.size());
  return log_norm_ - 0.5 * (freedom_ + size) * std::log1p(squares / freedom_);
}

double Marginal::log_density(const double* y) const {
  thread_local std::vector<double> d;
  d.resize(static_cast<std::size_t>(mean_.size()));
  for (std::size_t i = 0; i < d.size(); ++i) d[i] = y[i] - mean_[static_cast<Index>(i)];
  if (independent_ && !normal()) return independent_log_density(d.data());
  return log_density_of(squared_length(d.data(), row_directions_), d.data());
}

void Marginal::panel_log_density(const double* rows, double* results) const {
  thread_local std::vector<double> panel, d;
  const auto size = static_cast<std::size_t>(mean_.size());
  panel.resize(size * row_panel);
  d.resize(size);
  panel_differences(rows, mean_.data(), size, panel.data());
  const bool singly = independent_ && !normal();
  if (!singly) panel_squared_lengths(panel.data(), row_directions_, results);
  for (std::size_t k = 0; k < row_panel; ++k) {
    if (singly || !(results[k] < far_square)) {
      for (std::size_t i = 0; i < size; ++i) d[i] = panel[i * row_panel + k];
    }
    results[k] = singly ? independent_log_density(d.data()) : log_density_of(results[k], d.data());
  }
}

Eigen::VectorXd Marginal::log_density(const Eigen::MatrixXd& y) const {
  const Eigen::MatrixXd z = whitened(y.colwise() - mean_);
  if (normal()) {
    const auto squares = z.colwise().squaredNorm().array();
    return (log_norm_ - 0.5 * squares.isNaN().select(infinity, squares)).matrix().transpose();
  }
  Eigen::VectorXd result(z.cols());
  if (independent_) {
    const auto logs = (z.array().square() / freedom_).log1p();
    result = (log_norm_ - 0.5 * (freedom_ + 1) * logs.colwise().sum()).matrix().transpose();
  } else {
    const double d = static_cast<double>(mean_.size());
    result =
        (log_norm_ - 0.5 * (freedom_ + d) * (z.colwise().squaredNorm().array() / freedom_).log1p())
            .matrix()
            .transpose();
  }
  for (Index r = 0; r < result.size(); ++r) {
    if (!std::isfinite(result[r])) result[r] = student_far_out(y.col(r) - mean_);
  }
  return result;
}

Eigen::VectorXd Marginal::steps(const Eigen::VectorXd& y) const {
  Eigen::VectorXd result = log_steps_;
  if (deficient_) {
    const Eigen::VectorXd d = y - mean_;
    return result - 0.5 * d.cwiseProduct(directions_.transpose() * (directions_ * d));
  }
  Eigen::VectorXd z = whitened(y - mean_);
  const bool far = far_out(y - mean_, z);
  double squares = 0;
  for (Index i = 0; i < z.size(); ++i) {
    const double square = z[i] * z[i];
    if (normal()) {
      result[i] -= 0.5 * square;
    } else if (independent_) {
      result[i] -= 0.5 * (freedom_ + 1) * log_one_plus(square / freedom_, far);
    } else {
      const double before = freedom_ + static_cast<double>(i);
      result[i] -= 0.5 * (before + 1) * log_one_plus((squares + square) / freedom_, far) -
                   0.5 * before * log_one_plus(squares / freedom_, far);
    }
    squares += square;
  }
  return result;
}

std::vector<NumberDensity> Marginal::conditionals(const Eigen::VectorXd& y) const {
  std::vector<NumberDensity> result;
  if (deficient_) return result;
  const Eigen::VectorXd z = whitened(y - mean_);
  double squares = 0;
  for (Index i = 0; i < z.size(); ++i) {
    // y_i is z_i deviations from what the numbers before it let expect.
    const double spread = factor_(i, i), mean = y[i] - z[i] * spread;
    if (normal() || independent_) {
      result.push_back(NumberDensity::make(mean, spread, freedom_));
    } else {
      const double before = freedom_ + static_cast<double>(i);
      const double wider = std::sqrt((freedom_ + squares) / before);
      result.push_back(NumberDensity::make(mean, spread * wider, before));
    }
    squares += z[i] * z[i];
  }
  return result;
}

sql::Expression Marginal::sql(sql::Query& query, const std::vector<sql::Expression>& y) const {
  std::vector<sql::Expression> squares, logs;
  for (Index k = 0; k < directions_.rows(); ++k) {
    std::vector<sql::Expression> terms;
    for (Index i = 0; i < mean_.size(); ++i) {
      if (directions_(k, i) == 0) continue;
      terms.push_back(directions_(k, i) * (y[static_cast<std::size_t>(i)] - mean_[i]));
    }
    const auto z = query.let(sum(terms));
    squares.push_back(z * z);
    if (independent_ && !normal()) {
      logs.push_back(query.log_one_plus(z * z / query.number(freedom_)));
    }
  }
  if (!logs.empty()) return log_norm_ - 0.5 * (freedom_ + 1) * sum(logs);
  if (normal()) return log_norm_ - 0.5 * sum(squares);
  const double power = 0.5 * (freedom_ + static_cast<double>(mean_.size()));
  return log_norm_ - power * query.log_one_plus(sum(squares) / query.number(freedom_));
}

Eigen::VectorXd Marginal::sample(Random& random) const {
  Eigen::VectorXd z(factor_.cols());
  const auto stretch = [&] {
    return normal() ? 1.0 : std::sqrt(freedom_ / random.chi_squared(freedom_));
  };
  const double common = independent_ ? 1.0 : stretch();
  for (Index i = 0; i < z.size(); ++i) z[i] = random.normal() * (independent_ ? stretch() : common);
  return mean_ + factor_ * z;
}

}  // namespace credence
