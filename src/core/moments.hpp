// SPDX-License-Identifier: Apache-2.0
// Weight, mean and m2 = sum of w (x - mean)^2 of weighted numbers, mergeable and subtractable.
// Derivation: docs/families/gaussian.md
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "core/double_double.hpp"

namespace credence {

// The power of two in which numbers up to this size are told: 0 for all that a float can hold,
// whose fourth powers, added up, are far from what a double cannot hold. docs/design.md
inline int unit_exponent(double largest) {
  constexpr int step = 64, most = 960;
  if ((largest >= 0x1p-128 && largest < 0x1p128) || largest == 0) return 0;
  if (!std::isfinite(largest)) return 0;
  const int exponent = std::ilogb(largest);
  const int steps = (std::abs(exponent) + step / 2) / step;
  return std::min(steps * step, most) * (exponent < 0 ? -1 : 1);
}

// The largest size among numbers; a missing one has none.
inline double largest_size(std::span<const double> values) {
  double largest = 0;
  for (const double x : values) {
    if (std::abs(x) > largest) largest = std::abs(x);
  }
  return largest;
}

// Whether numbers of this size are told as they are, and their squares can be.
inline bool is_ordinary(double size) { return unit_exponent(size) == 0 && std::isfinite(size); }

inline DoubleDouble times_power(DoubleDouble x, int exponent) {
  return {std::ldexp(x.hi, exponent), std::ldexp(x.lo, exponent)};
}

struct Moments {
  DoubleDouble weight;
  DoubleDouble mean;
  DoubleDouble m2;
  int exponent = 0;  // mean is told in units of 2^exponent, m2 in their squares

  static Moments of(double x, double weight) {
    const int exponent = unit_exponent(std::abs(x));
    return {weight, exponent == 0 ? x : std::ldexp(x, -exponent), 0.0, exponent};
  }

  // The same in other units.
  void tell_in(int unit) {
    if (unit == exponent) return;
    mean = times_power(mean, exponent - unit);
    m2 = times_power(m2, 2 * (exponent - unit));
    exponent = unit;
  }
  // The same in the units that its size calls for, which follow from what was observed alone.
  void choose_unit() {
    const double deviation = weight.hi > 0 && m2.hi > 0 ? std::sqrt(m2.hi / weight.hi) : 0.0;
    const double size = std::max(std::abs(mean.hi), deviation);
    if (size == 0 || !std::isfinite(size)) return tell_in(0);
    // The size itself may be beyond what a double holds: it is compared by its exponent.
    const int own = std::ilogb(size) + exponent;
    const int wanted = unit_exponent(std::ldexp(1.0, std::clamp(own, -1022, 1023)));
    tell_in(wanted);
  }
  // The unit in which both are told: what the smaller loses is below the last digit of the larger.
  int common_unit(const Moments& other) const {
    if (is_zero()) return other.exponent;
    return other.is_zero() ? exponent : std::max(exponent, other.exponent);
  }
  bool is_zero() const { return mean.hi == 0 && m2.hi == 0; }
  double size_in(int unit) const {
    const double size = std::abs(mean.hi);
    return unit == exponent ? size : std::ldexp(size, exponent - unit);
  }
  double spread_in(int unit) const {
    return unit == exponent ? m2.hi : std::ldexp(m2.hi, 2 * (exponent - unit));
  }

  // Chan, Golub & LeVeque (1979). It also holds for negative weights: forgetting is merging
  // what was learnt with weight and m2 negated.
  void merge(const Moments& other) {
    if (other.weight.hi == 0) return;
    if (weight.hi == 0) {
      *this = other;
      return;
    }
    if (exponent != other.exponent) return merge_in_one_unit(other);
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
  // of the spread before, is what rounding left behind: the remaining values are equal, and their
  // mean is one of them, a double.
  void forget(const Moments& other) {
    const Moments before = *this;
    merge({-other.weight, other.mean, -other.m2, other.exponent});
    mean = mean_left(mean, before.size_in(exponent) + other.size_in(exponent));
    const double rounding = 0x1p-50 * mean.hi;
    const double noise = rounding * rounding * weight.hi + 0x1p-96 * before.spread_in(exponent);
    if (m2.hi > noise || m2.hi < -noise) return;
    m2 = {};
    mean = mean.value();
  }

  // A mean below the last digits of those it comes from is what rounding left behind: the remaining
  // values are 0.
  static DoubleDouble mean_left(DoubleDouble mean, double size_before) {
    return std::abs(mean.hi) <= 0x1p-90 * size_before ? DoubleDouble() : mean;
  }

 private:
  void merge_in_one_unit(const Moments& other) {
    Moments same = other;
    same.tell_in(common_unit(other));
    tell_in(same.exponent);
    merge(same);
  }
};

}  // namespace credence
