// SPDX-License-Identifier: Apache-2.0
// Randomness with fixed results: the generator is specified by the C++ standard and the
// distributions are Boost's, so a seed gives the same draws with every standard library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

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
  // How often something of probability p happens in `count` tries.
  double binomial(double count, double p);
  // How many of `count` draws each share gets; shares sum to about 1. Few draws are made one by
  // one, as pick() does; many take no longer than there are shares.
  std::vector<double> deal(double count, std::span<const double> shares);
  // An index drawn with the given probabilities, which sum to about 1.
  std::size_t pick(std::span<const double> probabilities);
  std::size_t below(std::size_t bound) {
    return static_cast<std::size_t>(uniform() * static_cast<double>(bound));
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace credence
