// SPDX-License-Identifier: Apache-2.0
// Randomness with fixed results: the generator is specified by the C++ standard and the
// distributions are Boost's, so a seed gives the same draws with every standard library.
#pragma once

#include <boost/random/gamma_distribution.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/poisson_distribution.hpp>
#include <boost/random/uniform_01.hpp>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>

namespace credence {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  double uniform() { return boost::random::uniform_01<double>()(engine_); }
  double normal() { return boost::random::normal_distribution<double>()(engine_); }
  double gamma(double shape, double scale = 1) {
    return boost::random::gamma_distribution<double>(shape, scale)(engine_);
  }
  double chi_squared(double freedom) { return gamma(freedom / 2, 2); }
  double student(double freedom) { return normal() / std::sqrt(chi_squared(freedom) / freedom); }
  double poisson(double rate) {
    if (rate <= 0) return 0;
    return static_cast<double>(boost::random::poisson_distribution<std::int64_t>(rate)(engine_));
  }
  // An index drawn with the given probabilities, which sum to about 1.
  std::size_t pick(std::span<const double> probabilities) {
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
  std::size_t below(std::size_t bound) {
    return static_cast<std::size_t>(uniform() * static_cast<double>(bound));
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace credence
