// SPDX-License-Identifier: Apache-2.0
// The scatter of rows that lie somewhere: sums of products of all pairs of columns, a tile of pairs
// at a time, in plain doubles about the mean. docs/families/gaussian_block.md
#include <algorithm>
#include <cmath>

#include "families/gaussian/scatter.hpp"
#include "families/kernels/eights.hpp"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(CREDENCE_SANITIZED)
#define CREDENCE_FOR_ROWS __attribute__((target_clones("avx512f", "fma", "default")))
#else
#define CREDENCE_FOR_ROWS
#endif

namespace credence {
namespace {

constexpr std::size_t panel_width = 16;  // columns that lie side by side
constexpr std::size_t block_rows = 64;   // rows whose products stay in registers
constexpr std::size_t tile_rows = 4;

// Differences of some rows from an anchor, in panels of columns: value j of row r is at
// [j / 16][r][j % 16]; the last panel ends in zeros.
struct Panels {
  std::vector<double> values;
  std::size_t panels;

  explicit Panels(std::size_t size)
      : values((size + panel_width - 1) / panel_width * panel_width * block_rows),
        panels((size + panel_width - 1) / panel_width) {}
  double* panel(std::size_t p) { return values.data() + p * panel_width * block_rows; }
  const double* panel(std::size_t p) const { return values.data() + p * panel_width * block_rows; }
};

// Sums about an anchor near the mean: of the differences, and of their products, [i][j] for j up
// to the end of the panel of i.
struct AnchoredProducts {
  std::vector<double> anchor, rest, products;
  std::size_t stride;

  explicit AnchoredProducts(std::size_t size)
      : anchor(size), rest(size), stride((size + panel_width - 1) / panel_width * panel_width) {
    products.resize((size + tile_rows - 1) / tile_rows * tile_rows * stride);
  }
};

CREDENCE_FOR_ROWS void find_anchor(const RowsOfClass& own, double weight, double* anchor,
                                   std::size_t size) {
  const double* first = own.rows[0];
  for (std::size_t r = 0; r < own.count; ++r) {
    const double* row = own.rows[r];
    const double w = own.weights ? own.weights[r] : 1.0;
    for (std::size_t i = 0; i < size; ++i) anchor[i] += w * (row[i] - first[i]);
  }
  for (std::size_t i = 0; i < size; ++i) anchor[i] = first[i] + anchor[i] / weight;
}

// Some rows of a class less the anchor; weighted: times their weights.
CREDENCE_FOR_ROWS void lay_out(const RowsOfClass& own, AnchoredProducts& sums, Panels& plain,
                               Panels& weighted) {
  const std::size_t size = sums.anchor.size();
  double* __restrict rest = sums.rest.data();
  for (std::size_t p = 0; p < plain.panels; ++p) {
    const std::size_t from = p * panel_width, many = std::min(panel_width, size - from);
    const double* anchor = sums.anchor.data() + from;
    for (std::size_t r = 0; r < own.count; ++r) {
      const double* row = own.rows[r] + from;
      const double w = own.weights ? own.weights[r] : 1.0;
      double* __restrict to = plain.panel(p) + r * panel_width;
      for (std::size_t i = 0; i < many; ++i) to[i] = row[i] - anchor[i];
      for (std::size_t i = 0; i < many; ++i) rest[from + i] += w * to[i];
      if (!own.weights) continue;
      double* __restrict times = weighted.panel(p) + r * panel_width;
      for (std::size_t i = 0; i < many; ++i) times[i] = w * to[i];
    }
  }
}

// Four columns with some eights of others, all rows of a block.
template <class Eight, std::size_t wide>
[[gnu::always_inline]] inline void add_tile(const double* left, const double* right,
                                            std::size_t rows, double* sums, std::size_t stride) {
  Eight found[tile_rows][wide];
  for (std::size_t r = 0; r < rows; ++r, left += panel_width, right += panel_width) {
    Eight values[wide];
#pragma GCC unroll 2
    for (std::size_t j = 0; j < wide; ++j) values[j] = Eight::at(right + 8 * j);
#pragma GCC unroll 4
    for (std::size_t i = 0; i < tile_rows; ++i) {
      const Eight own = Eight::all(left[i]);
#pragma GCC unroll 2
      for (std::size_t j = 0; j < wide; ++j) {
        found[i][j] = multiply_add(own, values[j], found[i][j]);
      }
    }
  }
#pragma GCC unroll 4
  for (std::size_t i = 0; i < tile_rows; ++i) {
#pragma GCC unroll 2
    for (std::size_t j = 0; j < wide; ++j) {
      (Eight::at(sums + i * stride + 8 * j) + found[i][j]).store(sums + i * stride + 8 * j);
    }
  }
}

// The products of a block: the lower triangle, and what its tiles have beyond it.
void add_products(const Panels& left, const Panels& right, std::size_t rows,
                  AnchoredProducts& sums) {
  with_eights([&](auto eights) __attribute__((always_inline)) {
    using Eight = decltype(eights);
    // As many sums as the processor has registers for.
    constexpr std::size_t wide = Eight::parts == 1 ? 2 : 1;
    for (std::size_t i = 0; i < sums.anchor.size(); i += tile_rows) {
      const double* own = left.panel(i / panel_width) + i % panel_width;
      for (std::size_t j = 0; j < i + tile_rows; j += 8 * wide) {
        add_tile<Eight, wide>(own, right.panel(j / panel_width) + j % panel_width, rows,
                              sums.products.data() + i * sums.stride + j, sums.stride);
      }
    }
  });
}

AnchoredProducts products_of(const RowsOfClass& own, double weight, std::size_t size) {
  AnchoredProducts sums(size);
  find_anchor(own, weight, sums.anchor.data(), size);
  Panels plain(size), weighted(own.weights ? size : 0);
  for (std::size_t from = 0; from < own.count; from += block_rows) {
    RowsOfClass block{own.rows + from, nullptr, std::min(block_rows, own.count - from)};
    if (own.weights) block.weights = own.weights + from;
    lay_out(block, sums, plain, weighted);
    add_products(plain, own.weights ? weighted : plain, block.count, sums);
  }
  return sums;
}

// By the sums: where squares are beyond a double, their sum is no number, or 0 though values
// differ.
bool all_ordinary(const RowsOfClass& own, const AnchoredProducts& sums, double weight) {
  for (std::size_t i = 0; i < sums.anchor.size(); ++i) {
    const double deviation = std::sqrt(sums.products[i * sums.stride + i] / weight);
    if (!is_ordinary(std::fmax(std::abs(sums.anchor[i]), deviation)) || std::isnan(deviation)) {
      return false;
    }
    for (std::size_t r = 0; deviation == 0 && r < own.count; ++r) {
      if (own.rows[r][i] != sums.anchor[i]) return false;
    }
  }
  return true;
}

// The rows in units of their own, where columns are extreme, one behind the other.
std::vector<double> rows_in_units(const RowsOfClass& own, std::vector<int>& exponent) {
  const std::size_t size = exponent.size();
  std::vector<double> result(own.count * size);
  for (std::size_t i = 0; i < size; ++i) {
    double largest = 0;
    for (std::size_t r = 0; r < own.count; ++r) {
      largest = std::max(largest, std::abs(own.rows[r][i]));
    }
    exponent[i] = unit_exponent(largest);
    for (std::size_t r = 0; r < own.count; ++r) {
      result[r * size + i] = std::ldexp(own.rows[r][i], -exponent[i]);
    }
  }
  return result;
}

// The sums are about an anchor, from which the rows sum to weight * shift: moves them to the mean.
CREDENCE_FOR_ROWS void move_to_mean(Scatter& scatter, const std::vector<DoubleDouble>& shift) {
  const std::size_t size = shift.size();
  if (!scatter.third.empty()) {
    const auto about = [&](std::size_t i, std::size_t j) {
      return scatter.m2[Scatter::packed(i, j)];
    };
    const DoubleDouble two(2), three(3), four(4);
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        const DoubleDouble di = shift[i], dj = shift[j];
        auto& q = scatter.fourth[Scatter::packed(i, j)];
        q = q - two * dj * scatter.third[i * size + j] - two * di * scatter.third[j * size + i] +
            dj * dj * about(i, i) + di * di * about(j, j) + four * di * dj * about(i, j) -
            three * scatter.weight * di * di * dj * dj;
      }
    }
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        auto& t = scatter.third[i * size + j];
        t = t - shift[j] * about(i, i) - two * shift[i] * about(i, j) +
            two * scatter.weight * shift[i] * shift[i] * shift[j];
      }
    }
  }
  for (std::size_t i = 0; i < size; ++i) {
    const DoubleDouble own = scatter.weight * shift[i];
    for (std::size_t j = 0; j <= i; ++j) {
      auto& m = scatter.m2[Scatter::packed(i, j)];
      m = m - own * shift[j];
    }
    scatter.mean[i] = scatter.mean[i] + shift[i];
  }
}

// Sums of products of squares, which shrinkage alone needs.
void add_fourth(const RowsOfClass& own, const std::vector<double>& anchor, Scatter& scatter) {
  const std::size_t size = anchor.size();
  const auto count = static_cast<Eigen::Index>(own.count);
  const auto columns = static_cast<Eigen::Index>(size);
  Eigen::MatrixXd y(count, columns), weighted(count, columns);
  for (std::size_t r = 0; r < own.count; ++r) {
    for (std::size_t i = 0; i < size; ++i) {
      const auto at = static_cast<Eigen::Index>(r), k = static_cast<Eigen::Index>(i);
      y(at, k) = own.rows[r][i] - anchor[i];
      weighted(at, k) = (own.weights ? own.weights[r] : 1.0) * y(at, k);
    }
  }
  const Eigen::MatrixXd y2 = y.cwiseProduct(y);
  const Eigen::MatrixXd third = y2.transpose() * weighted;
  const Eigen::MatrixXd fourth = y2.transpose() * weighted.cwiseProduct(y);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      const auto a = static_cast<Eigen::Index>(i), b = static_cast<Eigen::Index>(j);
      scatter.third[i * size + j] = DoubleDouble(third(a, b));
      if (j <= i) scatter.fourth[Scatter::packed(i, j)] = DoubleDouble(fourth(a, b));
    }
  }
}

// Plain sums leave their last digits behind when rows are taken out again. That does not matter
// among many rows; where there are few, they are merged one by one, without a loss.
bool are_few(const RowsOfClass& own, std::size_t size) {
  constexpr std::size_t most_rows = 64, most_products = 4096;
  return own.count <= most_rows && own.count * size * size <= most_products;
}

Scatter of_one(const double* row, double weight, std::size_t size, bool with_fourth) {
  Scatter result(size, with_fourth);
  result.weight = weight;
  for (std::size_t i = 0; i < size; ++i) {
    const auto one = Moments::of(row[i], weight);
    result.mean[i] = one.mean;
    result.exponent[i] = one.exponent;
  }
  return result;
}

}  // namespace

Scatter Scatter::of_rows(const RowsOfClass& own, std::size_t size, bool with_fourth) {
  Scatter result(size, with_fourth);
  if (are_few(own, size)) {
    for (std::size_t r = 0; r < own.count; ++r) {
      result.merge(of_one(own.rows[r], own.weights ? own.weights[r] : 1.0, size, with_fourth), 1);
    }
    return result;
  }
  result.weight = own.weight();
  if (result.weight.hi == 0) return result;
  // Two passes about the rounded mean, as for one number.
  const AnchoredProducts sums = products_of(own, result.weight.hi, size);
  if (!all_ordinary(own, sums, result.weight.hi)) {
    std::vector<int> units(size);
    const auto told = rows_in_units(own, units);
    if (units != result.exponent) {
      std::vector<const double*> rows;
      for (std::size_t r = 0; r < own.count; ++r) rows.push_back(told.data() + r * size);
      result = of_rows({rows.data(), own.weights, own.count}, size, with_fourth);
      result.exponent = units;
      return result;
    }
  }
  if (with_fourth) add_fourth(own, sums.anchor, result);
  std::vector<DoubleDouble> shift(size);
  for (std::size_t i = 0; i < size; ++i) {
    result.mean[i] = DoubleDouble(sums.anchor[i]);
    shift[i] = DoubleDouble(sums.rest[i]) / result.weight;
    for (std::size_t j = 0; j <= i; ++j) {
      result.m2[packed(i, j)] = DoubleDouble(sums.products[i * sums.stride + j]);
    }
  }
  move_to_mean(result, shift);
  return result;
}

}  // namespace credence
