// SPDX-License-Identifier: Apache-2.0
#include "families/gaussian/vector_density.hpp"

#include <Eigen/Cholesky>
#include <cmath>
#include <numbers>

#include "core/special.hpp"

namespace credence {

using Eigen::Index;

Marginal::Marginal(const VectorDensity& density, const Places& present)
    : mean_(density.mean(present)), freedom_(density.freedom), independent_(density.independent) {
  const Eigen::MatrixXd scale = density.scale(present, present);
  factor_ = Eigen::LLT<Eigen::MatrixXd>(scale).matrixL();
  log_steps_.resize(mean_.size());
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

Eigen::VectorXd Marginal::log_density(const Eigen::MatrixXd& y) const {
  Eigen::MatrixXd z = y.colwise() - mean_;
  factor_.triangularView<Eigen::Lower>().solveInPlace(z);
  if (normal()) return (log_norm_ - 0.5 * z.colwise().squaredNorm().array()).matrix().transpose();
  if (independent_) {
    const auto logs = (z.array().square() / freedom_).log1p();
    return (log_norm_ - 0.5 * (freedom_ + 1) * logs.colwise().sum()).matrix().transpose();
  }
  const double d = static_cast<double>(mean_.size());
  return (log_norm_ - 0.5 * (freedom_ + d) * (z.colwise().squaredNorm().array() / freedom_).log1p())
      .matrix()
      .transpose();
}

Eigen::VectorXd Marginal::steps(const Eigen::VectorXd& y) const {
  Eigen::VectorXd z = y - mean_;
  factor_.triangularView<Eigen::Lower>().solveInPlace(z);
  Eigen::VectorXd result = log_steps_;
  double squares = 0;
  for (Index i = 0; i < z.size(); ++i) {
    const double square = z[i] * z[i];
    if (normal()) {
      result[i] -= 0.5 * square;
    } else if (independent_) {
      result[i] -= 0.5 * (freedom_ + 1) * std::log1p(square / freedom_);
    } else {
      const double before = freedom_ + static_cast<double>(i);
      result[i] -= 0.5 * (before + 1) * std::log1p((squares + square) / freedom_) -
                   0.5 * before * std::log1p(squares / freedom_);
    }
    squares += square;
  }
  return result;
}

Eigen::VectorXd Marginal::sample(Random& random) const {
  Eigen::VectorXd z(mean_.size());
  const auto stretch = [&] {
    return normal() ? 1.0 : std::sqrt(freedom_ / random.chi_squared(freedom_));
  };
  const double common = independent_ ? 1.0 : stretch();
  for (Index i = 0; i < z.size(); ++i) z[i] = random.normal() * (independent_ ? stretch() : common);
  return mean_ + factor_ * z;
}

}  // namespace credence
