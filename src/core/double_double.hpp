// SPDX-License-Identifier: Apache-2.0
// A number as the unevaluated sum of two doubles: about 32 digits. Sums of weights kept this way
// are exact for all practical data, hence the same in any order; moments lose nothing that shows.
// Dekker (1971), Knuth (TAOCP 2, 4.2.2), Hida, Li & Bailey (2001).
#pragma once

#include <cmath>

namespace credence {

struct DoubleDouble {
  double hi = 0;
  double lo = 0;

  DoubleDouble() = default;
  DoubleDouble(double high) : hi(high) {}
  DoubleDouble(double high, double low) : hi(high), lo(low) {}

  double value() const { return hi + lo; }
  DoubleDouble operator-() const { return {-hi, -lo}; }
  bool operator==(const DoubleDouble&) const = default;
};

inline DoubleDouble two_sum(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

inline DoubleDouble quick_two_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

inline DoubleDouble two_product(double a, double b) {
  const double product = a * b;
  return {product, std::fma(a, b, -product)};
}

inline DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  DoubleDouble high = two_sum(a.hi, b.hi);
  const DoubleDouble low = two_sum(a.lo, b.lo);
  high = quick_two_sum(high.hi, high.lo + low.hi);
  return quick_two_sum(high.hi, high.lo + low.lo);
}

inline DoubleDouble operator-(DoubleDouble a, DoubleDouble b) { return a + -b; }

inline DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  DoubleDouble product = two_product(a.hi, b.hi);
  return quick_two_sum(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}

// Long division, one correction per double of the quotient.
inline DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
  const double first = a.hi / b.hi;
  DoubleDouble rest = a - b * DoubleDouble(first);
  const double second = rest.hi / b.hi;
  rest = rest - b * DoubleDouble(second);
  const double third = rest.hi / b.hi;
  return quick_two_sum(first, second) + DoubleDouble(third);
}

// Whether a sum is larger than the one it is a part of, by more than rounding.
inline bool exceeds(DoubleDouble part, DoubleDouble whole) {
  return (part - whole).hi > 0x1p-80 * whole.hi;
}

}  // namespace credence
