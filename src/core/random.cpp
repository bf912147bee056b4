// SPDX-License-Identifier: Apache-2.0
#include "core/random.hpp"

#include <algorithm>
#include <boost/random/binomial_distribution.hpp>
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
  // Beyond 2^50 a double holds hardly more digits than the normal gets right.
  if (rate > 0x1p50) return std::round(rate + std::sqrt(rate) * normal());
  return static_cast<double>(boost::random::poisson_distribution<std::int64_t>(rate)(engine_));
}

double Random::binomial(double count, double p) {
  if (p >= 1) return count;
  if (count <= 0 || p <= 0) return 0;
  if (p > 0.5) return count - binomial(count, 1 - p);
  if (count <= 0x1p50) {
    return static_cast<double>(boost::random::binomial_distribution<std::int64_t>(
        static_cast<std::int64_t>(count), p)(engine_));
  }
  const double mean = count * p;
  if (mean < 0x1p30) return std::min(count, poisson(mean));
  return std::clamp(std::round(mean + std::sqrt(mean * (1 - p)) * normal()), 0.0, count);
}

std::vector<double> Random::deal(double count, std::span<const double> shares) {
  std::vector<double> result(shares.size(), 0.0);
  if (count <= 0x1p20) {
    for (double n = 0; n < count; ++n) result[pick(shares)] += 1;
    return result;
  }
  double left = 0;
  for (const double share : shares) left += share;
  for (std::size_t i = 0; i < shares.size() && count > 0; ++i) {
    result[i] = binomial(count, left > 0 ? shares[i] / left : 0);
    count -= result[i];
    left -= shares[i];
  }
  return result;
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
