// SPDX-License-Identifier: Apache-2.0
// Weight, mean and m2 = sum of w (x - mean)^2 of weighted numbers, mergeable and subtractable.
// Derivation: docs/families/gaussian.md
#pragma once

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

  void forget(const Moments& other) { merge({-other.weight, other.mean, -other.m2}); }

  // A spread that the rounding of the doubles themselves would make is no spread: it can only be
  // what forgetting left behind.
  double sum_of_squares() const {
    const double noise = 0x1p-50 * mean.hi;
    return m2.hi <= noise * noise * weight.hi ? 0.0 : m2.value();
  }
};

}  // namespace credence
