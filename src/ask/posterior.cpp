// SPDX-License-Identifier: Apache-2.0
#include "ask/posterior.hpp"

#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace credence {
namespace {

// A quantile too near 0 for a double is 0; Boost would rather throw.
using Policy = boost::math::policies::policy<
    boost::math::policies::underflow_error<boost::math::policies::ignore_error>,
    boost::math::policies::overflow_error<boost::math::policies::ignore_error>>;

// The upper tail is asked for as such: 1 - 0.025 would cost digits.
template <typename Distribution>
Interval equal_tailed(const Distribution& distribution, double level) {
  const double tail = (1 - level) / 2;
  return {boost::math::quantile(distribution, tail),
          boost::math::quantile(boost::math::complement(distribution, tail))};
}

}  // namespace

Interval beta_interval(double a, double b, double level) {
  if (a <= 0) return {0, 0};
  if (b <= 0) return {1, 1};
  return equal_tailed(boost::math::beta_distribution<double, Policy>(a, b), level);
}

Interval gamma_interval(double shape, double rate, double level) {
  if (shape <= 0) return {0, 0};
  return equal_tailed(boost::math::gamma_distribution<double, Policy>(shape, 1 / rate), level);
}

Interval student_interval(double mean, double scale, double freedom, double level) {
  const auto t = equal_tailed(boost::math::students_t_distribution<double, Policy>(freedom), level);
  return {mean + scale * t.low, mean + scale * t.high};
}

Interval sd_interval(double freedom, double m2, double level) {
  const auto chi =
      equal_tailed(boost::math::chi_squared_distribution<double, Policy>(freedom), level);
  return {std::sqrt(m2 / chi.high), std::sqrt(m2 / chi.low)};
}

}  // namespace credence
