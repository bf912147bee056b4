// SPDX-License-Identifier: Apache-2.0
#include "families/row_kernels.hpp"

#include <algorithm>

#include "core/double_double.hpp"
#include "families/statistics/long_sum.hpp"

// Four numbers at a time where the processor can. Sums are made in the same order either way.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(CREDENCE_SANITIZED)
#define CREDENCE_WIDE __attribute__((target_clones("fma", "default")))
#else
#define CREDENCE_WIDE
#endif

namespace credence {
namespace {

// Eight sums side by side: the processor need not wait for one to add to it again.
template <typename Term>
[[gnu::always_inline]] inline double sum_of(std::size_t count, const Term& term) {
  double sums[8] = {};
  std::size_t j = 0;
  for (; j + 8 <= count; j += 8) {
    for (std::size_t k = 0; k < 8; ++k) sums[k] += term(j + k);
  }
  for (; j < count; ++j) sums[0] += term(j);
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

}  // namespace

CREDENCE_WIDE void add_row(const double* row, std::size_t columns, double weight,
                           const ExactRow& sums) {
  double* __restrict high = sums.high;
  double* __restrict low = sums.low;
  for (std::size_t j = 0; j < columns; ++j) {
    const DoubleDouble sum = two_sum(high[j], weight * row[j]);
    high[j] = sum.hi;
    low[j] += sum.lo;
  }
}

CREDENCE_WIDE void add_presence(const double* row, std::size_t columns, double weight,
                                const ExactRow& sums) {
  double* __restrict high = sums.high;
  double* __restrict low = sums.low;
  for (std::size_t j = 0; j < columns; ++j) {
    const DoubleDouble sum = two_sum(high[j], row[j] > 0 ? weight : 0.0);
    high[j] = sum.hi;
    low[j] += sum.lo;
  }
}

CREDENCE_WIDE double total(const double* values, std::size_t count) {
  return sum_of(
      count, [=](std::size_t j) __attribute__((always_inline)) { return values[j]; });
}

CREDENCE_WIDE void products(const double* row, const double* vectors, std::size_t count,
                            std::size_t size, double* results) {
  for (std::size_t c = 0; c < count; ++c, vectors += size) {
    results[c] = sum_of(
        size, [=](std::size_t j) __attribute__((always_inline)) { return row[j] * vectors[j]; });
  }
}

CREDENCE_WIDE void distances(const double* row, const double* points, const double* weights,
                             std::size_t count, std::size_t size, double* results) {
  for (std::size_t c = 0; c < count; ++c, points += size, weights += size) {
    double sum = 0;
    for (std::size_t j = 0; j < size; ++j) {
      const double d = row[j] - points[j];
      sum = multiply_add(d * d, weights[j], sum);
    }
    results[c] = sum;
  }
}

CREDENCE_WIDE void panel_distances(const double* rows, const double* points, const double* weights,
                                   std::size_t count, std::size_t size, double* results) {
  for (std::size_t c = 0; c < count; ++c, points += size, weights += size) {
    Eight sum;
    for (std::size_t j = 0; j < size; ++j) {
      const Eight d = Eight::at(rows + j * row_panel) - Eight::all(points[j]);
      sum = multiply_add(d * d, Eight::all(weights[j]), sum);
    }
    sum.store(results + c * row_panel);
  }
}

// Eight directions side by side.
CREDENCE_WIDE double squared_length(const double* d, const Directions& directions) {
  const std::size_t stride = directions.stride();
  double result = 0;
  for (std::size_t k = 0; k < directions.count; k += 8) {
    const std::size_t end =
        directions.triangle ? std::min(directions.size, k + 8) : directions.size;
    const double* column = directions.columns.data() + k;
    Eight lengths;
    for (std::size_t j = 0; j < end; ++j, column += stride) {
      lengths = multiply_add(Eight::at(column), Eight::all(d[j]), lengths);
    }
    double each[8];
    lengths.store(each);
    for (const double length : each) result += length * length;
  }
  return result;
}

// Eight rows side by side, four directions one after the other: the processor need not wait for a
// sum to add to it again.
CREDENCE_WIDE void panel_squared_lengths(const double* d, const Directions& directions,
                                         double* results) {
  const std::size_t stride = directions.stride();
  Eight result;
  for (std::size_t k = 0; k < directions.count; k += 4) {
    const std::size_t end =
        directions.triangle ? std::min(directions.size, k + 4) : directions.size;
    const double* column = directions.columns.data() + k;
    Eight first, second, third, fourth;
    for (std::size_t j = 0; j < end; ++j, column += stride) {
      const Eight x = Eight::at(d + j * row_panel);
      first = multiply_add(Eight::all(column[0]), x, first);
      second = multiply_add(Eight::all(column[1]), x, second);
      third = multiply_add(Eight::all(column[2]), x, third);
      fourth = multiply_add(Eight::all(column[3]), x, fourth);
    }
    result += first * first;
    result += second * second;
    result += third * third;
    result += fourth * fourth;
  }
  result.store(results);
}

}  // namespace credence
