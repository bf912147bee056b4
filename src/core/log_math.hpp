// SPDX-License-Identifier: Apache-2.0
// The few functions of logarithms that everything rests on.
#pragma once

#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace credence {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// log sum exp(v): -inf when every term is.
inline double log_sum_exp(std::span<const double> values) {
  double top = -infinity;
  for (const double v : values) top = v > top ? v : top;
  if (top == -infinity) return -infinity;
  double sum = 0;
  for (const double v : values) sum += std::exp(v - top);
  return top + std::log(sum);
}

// For every term log sum exp() of all others, each in one step. Few terms are added up anew for
// each of them; of many the sum of all less the term is as good, for at least half of it is left,
// unless it is the largest, whose others are added up by themselves.
class LogSumOfOthers {
 public:
  explicit LogSumOfOthers(std::span<const double> values)
      : values_(values.begin(), values.end()), few_(values.size() <= 32) {
    if (few_) return;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (values_[i] > values_[top_]) top_ = i;
    }
    for (const double v : values_) sum_ += v == -infinity ? 0 : std::exp(v - values_[top_]);
    const double top = std::exchange(values_[top_], -infinity);
    of_top_ = log_sum_exp(values_);
    values_[top_] = top;
  }

  double operator()(std::size_t i) {
    if (few_) {
      const double own = std::exchange(values_[i], -infinity);
      const double result = log_sum_exp(values_);
      values_[i] = own;
      return result;
    }
    if (i == top_) return of_top_;
    return values_[top_] + std::log(sum_ - std::exp(values_[i] - values_[top_]));
  }

 private:
  std::vector<double> values_;
  bool few_;
  std::size_t top_ = 0;
  double sum_ = 0, of_top_ = -infinity;
};

// x log y with 0 log 0 = 0, as likelihoods need it.
inline double x_log_y(double x, double y) { return x == 0 ? 0.0 : x * std::log(y); }

// log Γ without std::lgamma's global sign variable, which threads would share.
inline double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

}  // namespace credence
