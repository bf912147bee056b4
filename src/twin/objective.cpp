// SPDX-License-Identifier: Apache-2.0
#include "twin/objective.hpp"

#include <algorithm>
#include <cmath>

#include "core/log_math.hpp"

namespace credence {
namespace {

// hessian += A (x) x x', A over the free classes, x the row's entries and a 1 for the intercept.
void add_outer(std::span<const std::size_t> index, std::span<const double> x,
               std::span<const double> curvature, std::size_t free, std::size_t size,
               std::span<double> hessian) {
  for (std::size_t b = 0; b < index.size(); ++b) {
    for (std::size_t g = 0; g < free; ++g) {
      double* column = hessian.data() + (index[b] * free + g) * size;
      const double* along = curvature.data() + g * free;
      for (std::size_t a = b; a < index.size(); ++a) {
        const double product = x[a] * x[b];
        double* to = column + index[a] * free;
        for (std::size_t f = 0; f < free; ++f) to[f] += product * along[f];
      }
    }
  }
}

}  // namespace

LogisticLoss::LogisticLoss(const LabelledRows& rows, double penalty)
    : rows_(rows), penalty_(penalty), free_(rows.classes == 2 ? 1 : rows.classes) {
  for (const double w : rows.weight) total_ += w;
}

void LogisticLoss::scores(std::size_t row, std::span<const double> theta,
                          std::vector<double>& result) const {
  result.assign(rows_.classes, 0.0);
  double* free = result.data() + first_free();
  const auto add = [&](std::size_t feature, double x) {
    const double* beta = theta.data() + feature * free_;
    for (std::size_t f = 0; f < free_; ++f) free[f] += x * beta[f];
  };
  for (std::size_t k = rows_.x.offsets[row]; k < rows_.x.offsets[row + 1]; ++k) {
    add(rows_.x.index[k], rows_.x.value[k]);
  }
  add(features(), 1);
}

double LogisticLoss::value(std::span<const double> theta, std::span<double> gradient,
                           std::span<double> hessian) const {
  std::fill(gradient.begin(), gradient.end(), 0.0);
  std::fill(hessian.begin(), hessian.end(), 0.0);
  double sum = 0;
  std::vector<double> score, p(free_), slope(free_), curvature(free_ * free_), x;
  std::vector<std::size_t> index;
  for (std::size_t r = 0; r < rows_.cls.size(); ++r) {
    scores(r, theta, score);
    const double evidence = log_sum_exp(score);
    const double w = rows_.weight[r] / total_;
    sum += w * (evidence - score[rows_.cls[r]]);
    if (gradient.empty()) continue;
    for (std::size_t f = 0; f < free_; ++f) {
      p[f] = std::exp(score[first_free() + f] - evidence);
      slope[f] = w * (p[f] - (first_free() + f == rows_.cls[r] ? 1.0 : 0.0));
    }
    const std::size_t begin = rows_.x.offsets[r], end = rows_.x.offsets[r + 1];
    for (std::size_t k = begin; k < end; ++k) {
      double* to = gradient.data() + rows_.x.index[k] * free_;
      for (std::size_t f = 0; f < free_; ++f) to[f] += rows_.x.value[k] * slope[f];
    }
    for (std::size_t f = 0; f < free_; ++f) gradient[place(features(), f)] += slope[f];
    if (hessian.empty()) continue;
    for (std::size_t g = 0; g < free_; ++g) {
      for (std::size_t f = 0; f < free_; ++f) {
        curvature[g * free_ + f] = w * p[g] * ((f == g ? 1.0 : 0.0) - p[f]);
      }
    }
    index.assign(rows_.x.index.begin() + static_cast<std::ptrdiff_t>(begin),
                 rows_.x.index.begin() + static_cast<std::ptrdiff_t>(end));
    x.assign(rows_.x.value.begin() + static_cast<std::ptrdiff_t>(begin),
             rows_.x.value.begin() + static_cast<std::ptrdiff_t>(end));
    index.push_back(features());
    x.push_back(1);
    add_outer(index, x, curvature, free_, size(), hessian);
  }
  const double shrink = penalty_ / total_;
  const std::size_t coefficients = features() * free_;
  for (std::size_t i = 0; i < coefficients; ++i) {
    sum += shrink / 2 * theta[i] * theta[i];
    if (!gradient.empty()) gradient[i] += shrink * theta[i];
    if (!hessian.empty()) hessian[i * size() + i] += shrink;
  }
  return sum;
}

bool LogisticLoss::separates(std::span<const double> theta) const {
  std::vector<double> score;
  for (std::size_t r = 0; r < rows_.cls.size(); ++r) {
    scores(r, theta, score);
    for (std::size_t c = 0; c < score.size(); ++c) {
      if (c != rows_.cls[r] && score[c] >= score[rows_.cls[r]]) return false;
    }
  }
  return true;
}

double LogisticLoss::largest_change(std::span<const double> step) const {
  double result = 0;
  std::vector<double> score;
  for (std::size_t r = 0; r < rows_.cls.size(); ++r) {
    scores(r, step, score);
    for (const double s : score) result = std::max(result, std::abs(s - score[rows_.cls[r]]));
  }
  return result;
}

}  // namespace credence
