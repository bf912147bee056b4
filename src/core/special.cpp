// SPDX-License-Identifier: Apache-2.0
#include "core/special.hpp"

#include <array>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <numbers>

#include "core/log_math.hpp"

namespace credence {
namespace {

const double half_log_two_pi = 0.5 * std::log(2 * std::numbers::pi);

// log n! - log(sqrt(2 pi n) (n/e)^n), for any real n > 0.
double stirling_error(double n) {
  if (n < 16) return log_gamma(n + 1) - (n + 0.5) * std::log(n) + n - half_log_two_pi;
  const double nn = n * n;
  // 1/12n - 1/360n^3 + 1/1260n^5 - 1/1680n^7 + 1/1188n^9 - 691/360360n^11
  return (1.0 / 12 -
          (1.0 / 360 -
           (1.0 / 1260 - (1.0 / 1680 - (1.0 / 1188 - 691.0 / 360360 / nn) / nn) / nn) / nn) /
              nn) /
         n;
}

// x log(x/m) + m - x, by its series where x is near m.
double deviance(double x, double m) {
  if (std::abs(x - m) >= 0.1 * (x + m)) return x_log_y(x, x / m) + m - x;
  const double v = (x - m) / (x + m);
  double sum = (x - m) * v;
  double power = 2 * x * v;
  for (int j = 1; j < 1000; ++j) {
    power *= v * v;
    const double next = sum + power / (2 * j + 1);
    if (next == sum) break;
    sum = next;
  }
  return sum;
}

// log of the binomial's mass at x of n, for real x and n, as a saddle point.
double log_binomial(double x, double n, double p, double q) {
  if (x == 0) return p < 0.1 ? n * std::log1p(-p) : n * std::log(q);
  if (x == n) return q < 0.1 ? n * std::log1p(-q) : n * std::log(p);
  return stirling_error(n) - stirling_error(x) - stirling_error(n - x) - deviance(x, n * p) -
         deviance(n - x, n * q) - half_log_two_pi + 0.5 * (std::log(n / x) - std::log(n - x));
}

}  // namespace

double log_factorial(double x) {
  static const auto table = [] {
    std::array<double, 256> values{};
    for (std::size_t n = 0; n < values.size(); ++n) {
      values[n] = log_gamma(static_cast<double>(n) + 1);
    }
    return values;
  }();
  if (x < static_cast<double>(table.size()) && x == std::floor(x)) {
    return table[static_cast<std::size_t>(x)];
  }
  return log_gamma(x + 1);
}

double log_rising(double a, double x) {
  if (x == 0) return 0;
  if (x == 1) return std::log(a);
  if (x == std::floor(x) && x <= 32) {
    double sum = 0;
    for (double i = 0; i < x; ++i) sum += std::log(a + i);
    return sum;
  }
  if (a < 16) return log_gamma(a + x) - log_gamma(a);
  // Stirling's series of both, the large terms subtracted by hand; Γ(z) = z! / z.
  return (a + x - 0.5) * std::log1p(x / a) + x * (std::log(a) - 1) + stirling_error(a + x) -
         stirling_error(a);
}

double log_poisson(double x, double rate) {
  if (rate == 0) return x == 0 ? 0 : -infinity;
  if (x == 0) return -rate;
  return -stirling_error(x) - deviance(x, rate) - half_log_two_pi - 0.5 * std::log(x);
}

double log_negative_binomial(double x, double shape, double rate) {
  if (shape == 0) return x == 0 ? 0 : -infinity;
  const double p = rate / (rate + 1);
  const double q = 1 / (rate + 1);
  if (x == 0) return -shape * std::log1p(1 / rate);
  if (x < 1e-8 * shape) {
    // Nearly a Poisson: the binomial's n - x would cancel.
    return log_rising(shape, x) - log_gamma(x + 1) - shape * std::log1p(1 / rate) -
           x * std::log1p(rate);
  }
  return std::log(shape / (shape + x)) + log_binomial(shape, shape + x, p, q);
}

double log_student_norm(double freedom) {
  const double ratio = boost::math::tgamma_delta_ratio(freedom / 2, 0.5);
  return -std::log(ratio) - 0.5 * std::log(std::numbers::pi * freedom);
}

namespace {

// P(z > from), for from >= 0.
double upper_tail(double from, double freedom) {
  if (std::isinf(from)) return 0;
  if (std::isinf(freedom)) return 0.5 * std::erfc(from / std::numbers::sqrt2);
  return boost::math::cdf(boost::math::complement(boost::math::students_t(freedom), from));
}

}  // namespace

// From the tail beyond, so that what is improbable keeps its digits.
double student_between(double low, double high, double freedom) {
  if (!(low < high)) return 0;
  if (low >= 0) return upper_tail(low, freedom) - upper_tail(high, freedom);
  if (high <= 0) return upper_tail(-high, freedom) - upper_tail(-low, freedom);
  return 1 - upper_tail(-low, freedom) - upper_tail(high, freedom);
}

}  // namespace credence
