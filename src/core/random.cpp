// SPDX-License-Identifier: Apache-2.0
#include "core/random.hpp"

#include <boost/random/gamma_distribution.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/poisson_distribution.hpp>
#include <boost/random/uniform_01.hpp>
#include <cmath>

namespace credence {

double Random::uniform() { return boost::random::uniform_01<double>()(engine_); }

double Random::normal() { return boost::random::normal_distribution<double>()(engine_); }

double Random::gamma(double shape, double scale) {
  return boost::random::gamma_distribution<double>(shape, scale)(engine_);
}

double Random::student(double freedom) {
  return normal() / std::sqrt(chi_squared(freedom) / freedom);
}

double Random::poisson(double rate) {
  if (rate <= 0) return 0;
  return static_cast<double>(boost::random::poisson_distribution<std::int64_t>(rate)(engine_));
}

std::size_t Random::pick(std::span<const double> probabilities) {
  double rest = uniform();
  std::size_t last = 0;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    if (probabilities[i] <= 0) continue;
    last = i;
    rest -= probabilities[i];
    if (rest < 0) break;
  }
  return last;
}

}  // namespace credence
