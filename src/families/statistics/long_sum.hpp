// SPDX-License-Identifier: Apache-2.0
// A sum of many numbers to about 30 digits, for a number or for several side by side.
#pragma once

#include "core/double_double.hpp"
#include "families/kernels/eights.hpp"

namespace credence {

// What rounding takes from the sum is added up apart, where it is exact to twice the digits: the
// sums of few thousand numbers lose less than the last of 30 digits. `Number` is double or
// Eights.
template <class Number>
struct LongSum {
  Number high{}, low{};

  [[gnu::always_inline]] void add(const Number& value) {
    const Number sum = high + value;
    const Number part = sum - high;
    low += (high - (sum - part)) + (value - part);
    high = sum;
  }
  // Adds value + rest; rest is not larger than what rounding takes from the value.
  [[gnu::always_inline]] void add(const Number& value, const Number& rest) {
    const Number sum = high + value;
    const Number part = sum - high;
    low += ((high - (sum - part)) + (value - part)) + rest;
    high = sum;
  }
};

// Sums of w x and w x^2.
template <class Number>
struct PowerSums {
  LongSum<Number> first, second;

  [[gnu::always_inline]] void add(const Number& x) {
    const Number square = x * x;
    first.add(x);
    second.add(square, multiply_add(x, x, -square));
  }

  // x + rest, whose sum rounds to x.
  [[gnu::always_inline]] void add(const Number& x, const Number& rest) {
    const Number square = x * x;
    first.add(x, rest);
    second.add(square, multiply_add(x, x, -square) + (x + x) * rest);
  }

  [[gnu::always_inline]] void add_weighted(const Number& x, const Number& rest,
                                           const Number& weight) {
    const Number square = x * x, product = weight * x;
    const Number square_rest = multiply_add(x, x, -square) + (x + x) * rest;
    const Number weighted = weight * square;
    first.add(product, multiply_add(weight, x, -product) + weight * rest);
    second.add(weighted, multiply_add(weight, square, -weighted) + weight * square_rest);
  }

  // x - anchor, and what rounding took from it.
  [[gnu::always_inline]] static Number difference(const Number& x, const Number& anchor,
                                                  Number& rest) {
    const Number result = x - anchor;
    const Number part = result - x;
    rest = (x - (result - part)) - (anchor + part);
    return result;
  }
};

}  // namespace credence
