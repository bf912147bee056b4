// SPDX-License-Identifier: Apache-2.0
// With u_c = a s_c + b_c, p = softmax(u) and targets t, a row's loss is -Σ t_c log p_c. Its slope
// in u is p - t and its curvature diag(p) - p p'. u is linear in θ = (a, b_1, …, b_K-1), so
//   gradient = Σ_c (p_c - t_c) du_c,  Hessian = Σ_c p_c du_c du_c' - m m',  m = Σ_c p_c du_c.
#include "choose/scaling.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Dense>
#include <cmath>

#include "core/log_math.hpp"

namespace credence {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Point {
  double value = 0;
  VectorXd gradient;
  MatrixXd hessian;
};

class ScalingLoss {
 public:
  ScalingLoss(const ScalingData& data, bool with_bias, double doubt)
      : data_(data), size_(with_bias ? static_cast<Index>(data.classes) : 1), doubt_(doubt) {
    for (const double weight : data.weights) total_ += weight;
  }

  Index size() const { return size_; }

  double value(const VectorXd& theta) const {
    double sum = 0;
    std::vector<double> u(data_.classes);
    for (std::size_t r = 0; r < data_.weights.size(); ++r) sum += loss(r, theta, u);
    return (sum + doubt_of(theta)) / total_;
  }

  Point at(const VectorXd& theta) const {
    Point result{0, VectorXd::Zero(size_), MatrixXd::Zero(size_, size_)};
    std::vector<double> u(data_.classes);
    VectorXd mean(size_);
    for (std::size_t r = 0; r < data_.weights.size(); ++r) {
      result.value += loss(r, theta, u);
      const double weight = data_.weights[r];
      const double log_total = log_sum_exp(u);
      mean.setZero();
      for (std::size_t c = 0; c < data_.classes; ++c) {
        if (u[c] == -infinity) continue;
        const double p = std::exp(u[c] - log_total);
        const double score = data_.scores[r * data_.classes + c];
        const double miss = weight * (p - data_.targets[r * data_.classes + c]);
        result.gradient[0] += miss * score;
        result.hessian(0, 0) += weight * p * score * score;
        mean[0] += p * score;
        if (size_ == 1 || c == 0) continue;
        const auto k = static_cast<Index>(c);
        result.gradient[k] += miss;
        result.hessian(k, 0) += weight * p * score;
        result.hessian(k, k) += weight * p;
        mean[k] += p;
      }
      result.hessian.selfadjointView<Eigen::Lower>().rankUpdate(mean, -weight);
    }
    if (doubt_ > 0 && size_ > 1) {
      const Index biases = size_ - 1;
      const double mean_bias = theta.tail(biases).sum() / static_cast<double>(size_);
      result.value += doubt_of(theta);
      result.gradient.tail(biases).array() += doubt_ * (theta.tail(biases).array() - mean_bias);
      result.hessian.bottomRightCorner(biases, biases).array() -=
          doubt_ / static_cast<double>(size_);
      result.hessian.diagonal().tail(biases).array() += doubt_;
    }
    result.value /= total_;
    result.gradient /= total_;
    result.hessian /= total_;
    return result;
  }

 private:
  // Of biases that are not alike; the first is 0.
  double doubt_of(const VectorXd& theta) const {
    if (size_ == 1) return 0;
    const auto biases = theta.tail(size_ - 1);
    const double sum = biases.sum();
    return 0.5 * doubt_ * (biases.squaredNorm() - sum * sum / static_cast<double>(size_));
  }

  // Of a row, by its weight; leaves its u.
  double loss(std::size_t r, const VectorXd& theta, std::vector<double>& u) const {
    for (std::size_t c = 0; c < data_.classes; ++c) {
      const double score = data_.scores[r * data_.classes + c];
      u[c] = score == -infinity ? -infinity : theta[0] * score;
      if (size_ > 1 && c > 0) u[c] += theta[static_cast<Index>(c)];
    }
    const double log_total = log_sum_exp(u);
    double sum = 0;
    for (std::size_t c = 0; c < data_.classes; ++c) {
      const double target = data_.targets[r * data_.classes + c];
      if (target != 0) sum -= target * (u[c] - log_total);
    }
    return data_.weights[r] * sum;
  }

  const ScalingData& data_;
  Index size_;
  double doubt_;
  double total_ = 0;
};

}  // namespace

Scaling fit_scaling(const ScalingData& data, bool with_bias, double doubt) {
  const ScalingLoss objective(data, with_bias, doubt);
  // From 0, where all classes are alike and the curvature is large: at slope 1 scores of hundreds
  // would have none.
  VectorXd theta = VectorXd::Zero(objective.size());
  Scaling result;
  // Twice what is left to gain, by Newton's estimate; below this only rounding is left. Where
  // biases are in doubt, digits that rows do not speak of are not worth the time.
  const std::size_t most_steps = doubt > 0 ? 30 : 200;
  const double least_gain = doubt > 0 ? 1e-10 : 1e-22;
  for (;; ++result.steps) {
    const Point here = objective.at(theta);
    result.gradient_norm = here.gradient.norm();
    if (result.gradient_norm < 1e-12 || result.steps == most_steps) break;
    const VectorXd step = -here.hessian.selfadjointView<Eigen::Lower>().ldlt().solve(here.gradient);
    const double slope = here.gradient.dot(step);
    if (-slope < least_gain) break;
    double length = 1;
    while (length > 1e-10 &&
           !(objective.value(theta + length * step) <= here.value + 1e-4 * length * slope)) {
      length /= 2;
    }
    // No shorter step gets lower: this is the minimum, as near as doubles can tell.
    if (length <= 1e-10 || !step.allFinite()) break;
    theta += length * step;
  }
  // Where rows are all far from any doubt the objective is flat, and the way from 0 ends early.
  VectorXd unchanged = VectorXd::Zero(objective.size());
  unchanged[0] = 1;
  if (objective.value(unchanged) <= objective.value(theta)) theta = unchanged;
  result.slope = theta[0];
  if (with_bias) {
    result.bias.assign(theta.data(), theta.data() + theta.size());
    result.bias[0] = 0;
  }
  return result;
}

}  // namespace credence
