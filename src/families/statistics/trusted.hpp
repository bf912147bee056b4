// SPDX-License-Identifier: Apache-2.0
// Evidence as often as it is trusted. docs/tune.md
#pragma once

#include <cstddef>
#include <limits>
#include <span>

namespace credence {

// What is ruled out stays so, also where evidence counts the other way.
inline double trusted(double log_density, double trust) {
  return log_density == -std::numeric_limits<double>::infinity() ? log_density
                                                                 : trust * log_density;
}

inline void add_trusted(std::span<const double> log_density, double trust, std::span<double> sums) {
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += trusted(log_density[i], trust);
}

}  // namespace credence
