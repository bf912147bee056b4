// SPDX-License-Identifier: Apache-2.0
// Newton's method where its linear systems are small enough, else L-BFGS (Nocedal & Wright 2006,
// algorithm 7.4). The objective is convex, so both find its minimum from any start.
#include "twin/logistic.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <deque>

namespace credence {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

std::span<const double> view(const Vector& v) {
  return {v.data(), static_cast<std::size_t>(v.size())};
}
std::span<double> view(Vector& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }
std::span<double> view(Matrix& m) { return {m.data(), static_cast<std::size_t>(m.size())}; }

// Near the minimum the decrease that theory promises is below what a double resolves.
double slack(double value) { return 1e-14 * std::max(1.0, std::abs(value)); }

struct Point {
  Vector theta, gradient;
  double value = 0;
};

Point at(const LogisticLoss& objective, Vector theta) {
  Point point{std::move(theta), {}, 0};
  point.gradient.resize(point.theta.size());
  point.value = objective.value(view(std::as_const(point.theta)), view(point.gradient));
  return point;
}

// Solves H d = -g. A constant added to all intercepts changes no probability, so H is singular
// that way; and without a penalty so is every set of columns that adds up to a constant. The
// gradient has no part in such directions, so filling them in does not change the step.
Vector newton_step(const LogisticLoss& objective, Matrix& hessian, const Vector& gradient) {
  const auto free = objective.free_classes();
  if (free > 1) {
    const auto first = static_cast<Eigen::Index>(objective.place(objective.features(), 0));
    for (auto f = first; f < hessian.rows(); ++f) {
      for (auto g = first; g <= f; ++g) hessian(f, g) += 1.0 / static_cast<double>(free);
    }
  }
  const double size = hessian.diagonal().maxCoeff();
  for (double ridge = 1e-13 * size;; ridge *= 100) {
    Matrix damped = hessian;
    damped.diagonal().array() += ridge;
    const Eigen::LLT<Eigen::Ref<Matrix>> factors(damped);
    if (factors.info() == Eigen::Success) {
      const Vector step = factors.solve(-gradient);
      if (step.allFinite()) return step;
    }
    if (!(ridge < 1e6 * size)) return -gradient;
  }
}

std::size_t largest(const Vector& v) {
  Eigen::Index place = 0;
  v.cwiseAbs().maxCoeff(&place);
  return static_cast<std::size_t>(place);
}

// What no penalty holds back: true once every row is on its right side.
bool runs_away(const LogisticLoss& objective, const Point& point, const LogisticOptions& options,
               LogisticFit& fit) {
  if (options.penalty > 0 || !objective.separates(view(point.theta))) return false;
  fit.separated = true;
  fit.growing = largest(point.theta);
  return true;
}

void newton(const LogisticLoss& objective, const LogisticOptions& options, Point point,
            LogisticFit& fit) {
  const std::size_t limit = options.max_iterations ? options.max_iterations : 100;
  Matrix hessian(point.theta.size(), point.theta.size());
  for (;; ++fit.iterations) {
    fit.gradient_norm = point.gradient.norm();
    fit.converged = fit.gradient_norm <= options.tolerance;
    if (runs_away(objective, point, options, fit)) break;
    const bool last = fit.converged || fit.iterations == limit;
    if (last && options.penalty > 0) break;
    Vector gradient(point.theta.size());
    objective.value(view(std::as_const(point.theta)), view(gradient), view(hessian));
    const Vector step = newton_step(objective, hessian, gradient);
    if (last) {
      // At a minimum the next step is next to nothing. Where only some rows hold the boundary, it
      // keeps moving the others by about 1 while the gradient fades.
      fit.separated = objective.largest_change(view(step)) > 0.01;
      fit.growing = largest(step);
      break;
    }
    const double slope = gradient.dot(step);
    Point next;
    double length = 1;
    for (; length > 1e-12; length /= 2) {
      next = at(objective, point.theta + length * step);
      if (next.value <= point.value + 1e-4 * length * slope + slack(point.value)) break;
    }
    if (length <= 1e-12) break;
    point = std::move(next);
  }
  fit.theta.assign(point.theta.begin(), point.theta.end());
}

// Weak Wolfe conditions by doubling and bisection (Lewis & Overton 2013).
Point wolfe(const LogisticLoss& objective, const Point& from, const Vector& direction,
            double length) {
  const double slope = from.gradient.dot(direction);
  double low = 0, high = 0;
  Point next;
  for (int tries = 0; tries < 60; ++tries) {
    next = at(objective, from.theta + length * direction);
    if (!(next.value <= from.value + 1e-4 * length * slope + slack(from.value))) {
      high = length;
    } else if (next.gradient.dot(direction) < 0.9 * slope) {
      low = length;
    } else {
      break;
    }
    length = high > 0 ? (low + high) / 2 : 2 * low;
  }
  return next;
}

void lbfgs(const LogisticLoss& objective, const LogisticOptions& options, Point point,
           LogisticFit& fit) {
  constexpr std::size_t memory = 20;
  const std::size_t limit = options.max_iterations ? options.max_iterations : 5000;
  struct Pair {
    Vector s, y;
    double rho;
  };
  std::deque<Pair> pairs;
  for (;; ++fit.iterations) {
    fit.gradient_norm = point.gradient.norm();
    fit.converged = fit.gradient_norm <= options.tolerance;
    if (runs_away(objective, point, options, fit) || fit.converged || fit.iterations == limit)
      break;
    Vector direction = -point.gradient;
    std::vector<double> alpha(pairs.size());
    for (std::size_t i = pairs.size(); i-- > 0;) {
      alpha[i] = pairs[i].rho * pairs[i].s.dot(direction);
      direction -= alpha[i] * pairs[i].y;
    }
    if (!pairs.empty()) direction /= pairs.back().rho * pairs.back().y.squaredNorm();
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      direction += (alpha[i] - pairs[i].rho * pairs[i].y.dot(direction)) * pairs[i].s;
    }
    const double length = pairs.empty() ? 1 / std::max(1.0, point.gradient.norm()) : 1;
    Point next = wolfe(objective, point, direction, length);
    Pair pair{next.theta - point.theta, next.gradient - point.gradient, 0};
    const double curvature = pair.s.dot(pair.y);
    if (!(curvature > 0)) break;
    pair.rho = 1 / curvature;
    pairs.push_back(std::move(pair));
    if (pairs.size() > memory) pairs.pop_front();
    point = std::move(next);
  }
  fit.theta.assign(point.theta.begin(), point.theta.end());
}

}  // namespace

LogisticFit minimise(const LogisticLoss& objective, std::vector<double> start,
                     const LogisticOptions& options) {
  const auto size = static_cast<Eigen::Index>(objective.size());
  Point from = at(objective, Eigen::Map<const Vector>(start.data(), size));
  // Evidence counted twice can make a start worse than knowing nothing.
  Point zero = at(objective, Vector::Zero(size));
  if (!(from.value <= zero.value)) from = std::move(zero);
  LogisticFit fit;
  if (objective.size() <= options.newton_below) {
    newton(objective, options, std::move(from), fit);
  } else {
    lbfgs(objective, options, std::move(from), fit);
  }
  return fit;
}

}  // namespace credence
