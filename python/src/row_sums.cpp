// SPDX-License-Identifier: Apache-2.0
#include "row_sums.hpp"

#include <algorithm>
#include <cmath>

#include "credence/error.hpp"
#include "row_kernels.hpp"

// Four columns at a time where the processor can; std::fma is exact with and without it.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__)
#define CREDENCE_WIDE __attribute__((target_clones("fma", "default")))
#else
#define CREDENCE_WIDE
#endif

namespace credence::python {
namespace {

CREDENCE_WIDE void add_differences(const double* __restrict row, const double* __restrict base,
                                   double weight, std::size_t columns, double* __restrict rough) {
  for (std::size_t j = 0; j < columns; ++j) rough[j] += weight * (row[j] - base[j]);
}

struct Totals {
  double *first_hi, *first_lo, *second_hi, *second_lo;
};

template <bool unit>
[[gnu::always_inline]] inline void add_row(const double* __restrict row,
                                           const double* __restrict anchor, double weight,
                                           std::size_t columns, const Totals& totals) {
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

CREDENCE_WIDE void add_unit(const double* row, const double* anchor, std::size_t columns,
                            const Totals& totals) {
  add_row<true>(row, anchor, 1.0, columns, totals);
}

CREDENCE_WIDE void add_weighted(const double* row, const double* anchor, double weight,
                                std::size_t columns, const Totals& totals) {
  add_row<false>(row, anchor, weight, columns, totals);
}

}  // namespace

RowSums::RowSums(std::size_t classes, std::size_t columns)
    : columns_(columns),
      weight_(classes),
      extra_(classes * columns),
      anchor_(classes * columns),
      first_hi_(classes * columns),
      first_lo_(classes * columns),
      second_hi_(classes * columns),
      second_lo_(classes * columns) {}

void RowSums::find_anchors(std::span<const double> rows, std::span<const std::int32_t> codes,
                           std::span<const double> weights) {
  std::vector<double> rough(anchor_.size()), count(weight_.size()), extra(anchor_.size());
  has_gaps_.assign(codes.size(), false);
  for (std::size_t r = 0; r < codes.size(); ++r) {
    const double* row = rows.data() + r * columns_;
    const double w = weights.empty() ? 1.0 : weights[r];
    if (!std::isfinite(total(row, columns_))) {  // most rows need no second look
      for (std::size_t j = 0; j < columns_; ++j) {
        if (std::isinf(row[j])) {
          throw Error(ErrorKind::data,
                      "Input X contains infinity or a value too large for dtype('float64').");
        }
        if (std::isnan(row[j])) has_gaps_[r] = true;
      }
      if (has_gaps_[r]) {
        with_gaps_.push_back(r);
        continue;
      }
    }
    if (w == 0) continue;
    const auto c = static_cast<std::size_t>(codes[r]);
    double* base = anchor_.data() + c * columns_;
    if (count[c] == 0) std::copy(row, row + columns_, base);
    count[c] += w;
    add_differences(row, base, w, columns_, rough.data() + c * columns_);
  }
  for (const std::size_t r : with_gaps_) {
    const double w = weights.empty() ? 1.0 : weights[r];
    const auto c = static_cast<std::size_t>(codes[r]);
    for (std::size_t j = 0; j < columns_ && w > 0; ++j) {
      const double value = rows[r * columns_ + j];
      const std::size_t cell = c * columns_ + j;
      if (std::isnan(value)) continue;
      if (count[c] == 0 && extra[cell] == 0) anchor_[cell] = value;
      extra[cell] += w;
      rough[cell] += w * (value - anchor_[cell]);
    }
  }
  for (std::size_t cell = 0; cell < anchor_.size(); ++cell) {
    const double weight = count[cell / columns_] + extra[cell];
    if (weight > 0) anchor_[cell] += rough[cell] / weight;
  }
}

void RowSums::add(std::span<const double> rows, std::span<const std::int32_t> codes,
                  std::span<const double> weights) {
  find_anchors(rows, codes, weights);
  for (std::size_t r = 0; r < codes.size(); ++r) {
    const double w = weights.empty() ? 1.0 : weights[r];
    if (w == 0) continue;
    const auto c = static_cast<std::size_t>(codes[r]);
    const double* row = rows.data() + r * columns_;
    if (has_gaps_[r]) {
      add_gaps(row, c, w);
      continue;
    }
    const std::size_t at = c * columns_;
    const Totals totals{first_hi_.data() + at, first_lo_.data() + at, second_hi_.data() + at,
                        second_lo_.data() + at};
    if (weights.empty()) {
      weight_[c].hi += 1;
      add_unit(row, anchor_.data() + at, columns_, totals);
    } else {
      weight_[c] = weight_[c] + DoubleDouble(w);
      add_weighted(row, anchor_.data() + at, w, columns_, totals);
    }
  }
}

void RowSums::add_gaps(const double* row, std::size_t cls, double weight) {
  for (std::size_t j = 0; j < columns_; ++j) {
    if (std::isnan(row[j])) continue;
    const std::size_t cell = cls * columns_ + j;
    extra_[cell] = extra_[cell] + DoubleDouble(weight);
    add_row<false>(row + j, anchor_.data() + cell, weight, 1,
                   {&first_hi_[cell], &first_lo_[cell], &second_hi_[cell], &second_lo_[cell]});
  }
}

Moments RowSums::moments(std::size_t cls, std::size_t column) const {
  const std::size_t cell = cls * columns_ + column;
  const DoubleDouble weight = weight_[cls] + extra_[cell];
  if (weight.hi == 0) return {};
  const DoubleDouble first(first_hi_[cell], first_lo_[cell]);
  const DoubleDouble second(second_hi_[cell], second_lo_[cell]);
  const DoubleDouble shift = first / weight;
  return {weight, DoubleDouble(anchor_[cell]) + shift, second - shift * first};
}

}  // namespace credence::python
