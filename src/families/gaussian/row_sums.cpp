// SPDX-License-Identifier: Apache-2.0
#include "families/gaussian/row_sums.hpp"

#include <algorithm>
#include <cmath>

#include "families/gaussian/anchored_sums.hpp"
#include "families/row_kernels.hpp"

// Four columns at a time where the processor can; std::fma is exact with and without it.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(CREDENCE_SANITIZED)
#define CREDENCE_BY_COLUMNS __attribute__((target_clones("fma", "default")))
#else
#define CREDENCE_BY_COLUMNS
#endif

namespace credence {
namespace {

CREDENCE_BY_COLUMNS void add_differences(const double* __restrict row,
                                         const double* __restrict base, double weight,
                                         std::size_t columns, double* __restrict rough) {
  for (std::size_t j = 0; j < columns; ++j) rough[j] += weight * (row[j] - base[j]);
}

struct RowTotals {
  double *first_hi, *first_lo, *second_hi, *second_lo;
};

template <bool unit>
[[gnu::always_inline]] inline void add_squares(const double* __restrict row,
                                               const double* __restrict anchor, double weight,
                                               std::size_t columns, const RowTotals& totals) {
  double* __restrict first_hi = totals.first_hi;
  double* __restrict first_lo = totals.first_lo;
  double* __restrict second_hi = totals.second_hi;
  double* __restrict second_lo = totals.second_lo;
  for (std::size_t j = 0; j < columns; ++j) {
    DoubleDouble d = two_sum(row[j], -anchor[j]);
    DoubleDouble square = d * d;
    if (!unit) {
      d = DoubleDouble(weight) * d;
      square = DoubleDouble(weight) * square;
    }
    const DoubleDouble first = DoubleDouble(first_hi[j], first_lo[j]) + d;
    const DoubleDouble second = DoubleDouble(second_hi[j], second_lo[j]) + square;
    first_hi[j] = first.hi;
    first_lo[j] = first.lo;
    second_hi[j] = second.hi;
    second_lo[j] = second.lo;
  }
}

CREDENCE_BY_COLUMNS void add_unit_row(const double* row, const double* anchor, std::size_t columns,
                                      const RowTotals& totals) {
  add_squares<true>(row, anchor, 1.0, columns, totals);
}

CREDENCE_BY_COLUMNS void add_weighted_row(const double* row, const double* anchor, double weight,
                                          std::size_t columns, const RowTotals& totals) {
  add_squares<false>(row, anchor, weight, columns, totals);
}

}  // namespace

RowSums::RowSums(std::size_t classes, std::size_t columns)
    : columns_(columns),
      weight_(classes),
      anchor_(classes * columns),
      first_hi_(classes * columns),
      first_lo_(classes * columns),
      second_hi_(classes * columns),
      second_lo_(classes * columns) {}

bool RowSums::find_anchors(const MatrixRows& rows, std::span<const double> weights,
                           std::span<const std::int32_t> classes) {
  std::vector<double> rough(anchor_.size()), count(weight_.size());
  for (std::size_t r = 0; r < classes.size(); ++r) {
    const double* row = rows.row(r);
    if (std::isnan(total(row, columns_))) return false;
    const double w = weights.empty() ? 1.0 : weights[r];
    if (classes[r] < 0 || w == 0) continue;
    const auto c = static_cast<std::size_t>(classes[r]);
    double* base = anchor_.data() + c * columns_;
    if (count[c] == 0) std::copy(row, row + columns_, base);
    count[c] += w;
    add_differences(row, base, w, columns_, rough.data() + c * columns_);
  }
  for (std::size_t cell = 0; cell < anchor_.size(); ++cell) {
    if (count[cell / columns_] > 0) anchor_[cell] += rough[cell] / count[cell / columns_];
  }
  return true;
}

bool RowSums::add(const MatrixRows& rows, std::span<const double> weights,
                  std::span<const std::int32_t> classes) {
  if (!find_anchors(rows, weights, classes)) return false;
  for (std::size_t r = 0; r < classes.size(); ++r) {
    const double w = weights.empty() ? 1.0 : weights[r];
    if (classes[r] < 0 || w == 0) continue;
    const auto c = static_cast<std::size_t>(classes[r]);
    const std::size_t at = c * columns_;
    const RowTotals totals{first_hi_.data() + at, first_lo_.data() + at, second_hi_.data() + at,
                           second_lo_.data() + at};
    if (weights.empty()) {
      weight_[c].hi += 1;
      add_unit_row(rows.row(r), anchor_.data() + at, columns_, totals);
    } else {
      weight_[c] = weight_[c] + DoubleDouble(w);
      add_weighted_row(rows.row(r), anchor_.data() + at, w, columns_, totals);
    }
  }
  return all_ordinary(rows, weights, classes);
}

// By the sums: where squares are beyond a double, their sum is no number, or 0 though values
// differ.
bool RowSums::all_ordinary(const MatrixRows& rows, std::span<const double> weights,
                           std::span<const std::int32_t> classes) const {
  std::vector<std::vector<std::size_t>> constant(weight_.size());  // columns of each class
  for (std::size_t cell = 0; cell < anchor_.size(); ++cell) {
    const std::size_t c = cell / columns_;
    if (weight_[c].hi == 0) continue;
    const double deviation = std::sqrt(second_hi_[cell] / weight_[c].hi);
    if (!is_ordinary(std::fmax(std::abs(anchor_[cell]), deviation)) || std::isnan(deviation)) {
      return false;
    }
    if (second_hi_[cell] == 0) constant[c].push_back(cell % columns_);
  }
  for (std::size_t r = 0; r < classes.size(); ++r) {
    if (classes[r] < 0 || (!weights.empty() && weights[r] == 0)) continue;
    const auto c = static_cast<std::size_t>(classes[r]);
    for (const auto j : constant[c]) {
      if (rows.row(r)[j] != anchor_[c * columns_ + j]) return false;
    }
  }
  return true;
}

Moments RowSums::moments(std::size_t cls, std::size_t column) const {
  const std::size_t cell = cls * columns_ + column;
  return AnchoredSums{weight_[cls],
                      {first_hi_[cell], first_lo_[cell]},
                      {second_hi_[cell], second_lo_[cell]},
                      anchor_[cell],
                      0}
      .moments();
}

}  // namespace credence
