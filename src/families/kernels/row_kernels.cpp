// SPDX-License-Identifier: Apache-2.0
#include "families/kernels/row_kernels.hpp"

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

CREDENCE_WIDE void count_presence(const double* row, std::size_t columns, double* counts) {
  for (std::size_t j = 0; j < columns; ++j) counts[j] += row[j] > 0 ? 1.0 : 0.0;
}

CREDENCE_WIDE double total(const double* values, std::size_t count) {
  return sum_of(
      count, [=](std::size_t j) __attribute__((always_inline)) { return values[j]; });
}

CREDENCE_WIDE void products(const double* row, const double* vectors, std::size_t count,
                            std::size_t size, double* results) {
  for (std::size_t c = 0; c < count; ++c, vectors += size) {
    double sum = 0;
    for (std::size_t j = 0; j < size; ++j) sum = multiply_add(row[j], vectors[j], sum);
    results[c] = sum;
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

// Sixteen columns at a time: a division takes long, and as long for several numbers as for one.
CREDENCE_WIDE double put_in_panel(const double* row, const double* origin, const double* units,
                                  std::size_t size, double* to) {
  constexpr std::size_t many = 16;
  double told[many], sum = 0;
  for (std::size_t from = 0; from < size; from += many) {
    const std::size_t count = std::min(many, size - from);
    for (std::size_t j = 0; j < count; ++j) {
      told[j] = (row[from + j] - origin[from + j]) / units[from + j];
    }
    for (std::size_t j = 0; j < count; ++j) {
      to[(from + j) * row_panel] = told[j];
      sum += told[j];
    }
  }
  return sum;
}

// Eight directions side by side.
double squared_length(const double* d, const Directions& directions) {
  double result = 0;
  with_eights([&](auto eights) __attribute__((always_inline)) {
    using Eight = decltype(eights);
    const std::size_t stride = directions.stride();
    for (std::size_t k = 0; k < directions.count; k += 8) {
      const std::size_t end =
          directions.triangle ? std::min(directions.size, k + 8) : directions.size;
      const double* column = directions.columns.data() + k;
      Eight lengths{};
      for (std::size_t j = 0; j < end; ++j, column += stride) {
        lengths = multiply_add(Eight::at(column), Eight::all(d[j]), lengths);
      }
      double each[8];
      lengths.store(each);
      for (const double length : each) result += length * length;
    }
  });
  return result;
}

}  // namespace credence
