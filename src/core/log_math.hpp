// SPDX-License-Identifier: Apache-2.0
// The few functions of logarithms that everything rests on.
#pragma once

#include <cmath>
#include <limits>
#include <span>

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

// x log y with 0 log 0 = 0, as likelihoods need it.
inline double x_log_y(double x, double y) { return x == 0 ? 0.0 : x * std::log(y); }

// log Γ without std::lgamma's global sign variable, which threads would share.
inline double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

}  // namespace credence
