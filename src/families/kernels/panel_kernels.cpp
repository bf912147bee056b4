// SPDX-License-Identifier: Apache-2.0
// Several rows at once, side by side, with several vectors one after the other: the processor need
// not wait for a sum to add to it again.
#include <algorithm>

#include "families/kernels/eights.hpp"
#include "families/kernels/row_kernels.hpp"

namespace credence {
namespace {

template <class Eight, std::size_t many>
[[gnu::always_inline]] inline void distances_of(const double* rows, const double* points,
                                                const double* weights, std::size_t size,
                                                double* results) {
  Eight sums[many];
  for (std::size_t j = 0; j < size; ++j) {
    const Eight row = Eight::at(rows + j * row_panel);
#pragma GCC unroll 4
    for (std::size_t c = 0; c < many; ++c) {
      const Eight d = row - Eight::all(points[c * size + j]);
      sums[c] = multiply_add(d * d, Eight::all(weights[c * size + j]), sums[c]);
    }
  }
#pragma GCC unroll 4
  for (std::size_t c = 0; c < many; ++c) sums[c].store(results + c * row_panel);
}

template <class Eight, std::size_t many>
[[gnu::always_inline]] inline void products_of(const double* rows, const double* vectors,
                                               std::size_t size, double* results) {
  Eight sums[many];
  for (std::size_t j = 0; j < size; ++j) {
    const Eight row = Eight::at(rows + j * row_panel);
#pragma GCC unroll 4
    for (std::size_t c = 0; c < many; ++c) {
      sums[c] = multiply_add(row, Eight::all(vectors[c * size + j]), sums[c]);
    }
  }
#pragma GCC unroll 4
  for (std::size_t c = 0; c < many; ++c) sums[c].store(results + c * row_panel);
}

// The squares of four directions, added to result.
template <class Eight, std::size_t wide>
[[gnu::always_inline]] inline void add_squares(const double* d, const double* column,
                                               std::size_t end, std::size_t stride, Eight* result) {
  Eight lengths[4][wide];
  for (std::size_t j = 0; j < end; ++j, column += stride) {
    Eight x[wide];
#pragma GCC unroll 2
    for (std::size_t h = 0; h < wide; ++h) x[h] = Eight::at(d + j * row_panel + 8 * h);
#pragma GCC unroll 4
    for (std::size_t i = 0; i < 4; ++i) {
      const Eight own = Eight::all(column[i]);
#pragma GCC unroll 2
      for (std::size_t h = 0; h < wide; ++h) lengths[i][h] = multiply_add(own, x[h], lengths[i][h]);
    }
  }
#pragma GCC unroll 4
  for (std::size_t i = 0; i < 4; ++i) {
#pragma GCC unroll 2
    for (std::size_t h = 0; h < wide; ++h) result[h] += lengths[i][h] * lengths[i][h];
  }
}

}  // namespace

void panel_distances(const double* rows, const double* points, const double* weights,
                     std::size_t count, std::size_t size, double* results) {
  with_eights<Lanes::four>([&](auto eights) __attribute__((always_inline)) {
    using Eight = decltype(eights);
    for (std::size_t h = 0; h < row_panel; h += 8) {
      std::size_t c = 0;
      for (; c + 4 <= count; c += 4) {
        distances_of<Eight, 4>(rows + h, points + c * size, weights + c * size, size,
                               results + c * row_panel + h);
      }
      for (; c < count; ++c) {
        distances_of<Eight, 1>(rows + h, points + c * size, weights + c * size, size,
                               results + c * row_panel + h);
      }
    }
  });
}

void panel_products(const double* rows, const double* vectors, std::size_t count, std::size_t size,
                    double* results) {
  with_eights([&](auto eights) __attribute__((always_inline)) {
    using Eight = decltype(eights);
    for (std::size_t h = 0; h < row_panel; h += 8) {
      std::size_t c = 0;
      for (; c + 4 <= count; c += 4) {
        products_of<Eight, 4>(rows + h, vectors + c * size, size, results + c * row_panel + h);
      }
      for (; c < count; ++c) {
        products_of<Eight, 1>(rows + h, vectors + c * size, size, results + c * row_panel + h);
      }
    }
  });
}

void panel_differences(const double* rows, const double* point, std::size_t size, double* to) {
  with_eights<Lanes::four>([&](auto eights) __attribute__((always_inline)) {
    using Eight = decltype(eights);
    for (std::size_t j = 0; j < size; ++j) {
      const Eight own = Eight::all(point[j]);
      for (std::size_t h = 0; h < row_panel; h += 8) {
        (Eight::at(rows + j * row_panel + h) - own).store(to + j * row_panel + h);
      }
    }
  });
}

void panel_squared_lengths(const double* d, const Directions& directions, double* results) {
  with_eights([&](auto eights) __attribute__((always_inline)) {
    using Eight = decltype(eights);
    constexpr std::size_t wide = Eight::parts == 1 ? 2 : 1;  // as there are registers
    const double* columns = directions.columns.data();
    for (std::size_t h = 0; h < row_panel; h += 8 * wide) {
      Eight result[wide];
      for (std::size_t k = 0; k < directions.count; k += 4) {
        const std::size_t end =
            directions.triangle ? std::min(directions.size, k + 4) : directions.size;
        add_squares<Eight, wide>(d + h, columns + k, end, directions.stride(), result);
      }
      for (std::size_t g = 0; g < wide; ++g) result[g].store(results + h + 8 * g);
    }
  });
}

void add_products(const double* rows, std::size_t many, bool presence, const double* vectors,
                  const double* offsets, std::size_t count, std::size_t size, double weight,
                  double* joint) {
  std::vector<double> panel(size * row_panel), results(count * row_panel), own(size);
  const auto value = [&](double x) { return !presence ? x : x > 0 ? 1.0 : 0.0; };
  std::size_t r = 0;
  for (; r + row_panel <= many; r += row_panel) {
    for (std::size_t k = 0; k < row_panel; ++k) {
      const double* row = rows + (r + k) * size;
      for (std::size_t j = 0; j < size; ++j) panel[j * row_panel + k] = value(row[j]);
    }
    panel_products(panel.data(), vectors, count, size, results.data());
    double* to = joint + r * count;
    for (std::size_t k = 0; k < row_panel; ++k, to += count) {
      for (std::size_t c = 0; c < count; ++c) {
        to[c] += weight * (offsets[c] + results[c * row_panel + k]);
      }
    }
  }
  for (; r < many; ++r) {
    for (std::size_t j = 0; j < size; ++j) own[j] = value(rows[r * size + j]);
    products(own.data(), vectors, count, size, results.data());
    for (std::size_t c = 0; c < count; ++c) {
      joint[r * count + c] += weight * (offsets[c] + results[c]);
    }
  }
}

}  // namespace credence
