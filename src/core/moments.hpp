// SPDX-License-Identifier: Apache-2.0
// Weight, mean and m2 = sum of w (x - mean)^2 of weighted numbers, mergeable and subtractable.
// Derivation: docs/families/gaussian.md
#pragma once

#include <cmath>

#include "core/double_double.hpp"

namespace credence {

struct Moments {
  DoubleDouble weight;
  DoubleDouble mean;
  DoubleDouble m2;

  // Chan, Golub & LeVeque (1979). It also holds for negative weights: forgetting is merging
  // what was learnt with weight and m2 negated.
  void merge(const Moments& other) {
    if (other.weight.hi == 0) return;
    if (weight.hi == 0) {
      *this = other;
      return;
    }
    const DoubleDouble total = weight + other.weight;
    if (total.hi == 0) {
      *this = {};
      return;
    }
    const DoubleDouble shift = other.mean - mean;
    const DoubleDouble step = shift * (other.weight / total);
    m2 = m2 + other.m2 + shift * step * weight;
    mean = mean + step;
    weight = total;
  }

  // A spread below what the rounding of the values themselves would make, or below the last digit
  // of the spread before, is what rounding left behind: the remaining values are equal.
  // So is a mean below the last digits of those it comes from: the remaining values are 0.
  void forget(const Moments& other) {
    const double before = m2.hi, size = std::abs(mean.hi) + std::abs(other.mean.hi);
    merge({-other.weight, other.mean, -other.m2});
    if (std::abs(mean.hi) <= 0x1p-90 * size) mean = {};
    const double rounding = 0x1p-50 * mean.hi;
    const double noise = rounding * rounding * weight.hi + 0x1p-96 * before;
    if (m2.hi <= noise && m2.hi >= -noise) m2 = {};
  }
};

}  // namespace credence
