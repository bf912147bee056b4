// SPDX-License-Identifier: Apache-2.0
// Randomness with fixed results: the generator is specified by the C++ standard and the
// distributions are Boost's, so a seed gives the same draws with every standard library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>

namespace credence {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  double uniform();
  double normal();
  double gamma(double shape, double scale = 1);
  double chi_squared(double freedom) { return gamma(freedom / 2, 2); }
  double student(double freedom);
  double poisson(double rate);
  // An index drawn with the given probabilities, which sum to about 1.
  std::size_t pick(std::span<const double> probabilities);
  std::size_t below(std::size_t bound) {
    return static_cast<std::size_t>(uniform() * static_cast<double>(bound));
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace credence
