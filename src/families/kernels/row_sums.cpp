// SPDX-License-Identifier: Apache-2.0
#include "families/kernels/row_sums.hpp"

#include <algorithm>
#include <cmath>

namespace credence {
namespace {

constexpr std::size_t width = 8;

struct StripSums {
  double first_high[width] = {}, first_low[width] = {};
  double second_high[width] = {}, second_low[width] = {};

  template <class Eight>
  [[gnu::always_inline]] PowerSums<Eight> load() const {
    return {{Eight::at(first_high), Eight::at(first_low)},
            {Eight::at(second_high), Eight::at(second_low)}};
  }
  template <class Eight>
  [[gnu::always_inline]] void store(const PowerSums<Eight>& sums) {
    sums.first.high.store(first_high);
    sums.first.low.store(first_low);
    sums.second.high.store(second_high);
    sums.second.low.store(second_low);
  }
  PowerSums<double> of(std::size_t k) const {
    return {{first_high[k], first_low[k]}, {second_high[k], second_low[k]}};
  }
};

void add_from_zero(const RowsOfClass& own, std::size_t column, StripSums& result) {
  with_eights([&](auto eights) __attribute__((always_inline)) {
    using Eight = decltype(eights);
    auto sums = result.load<Eight>();
    for (std::size_t r = 0; !own.weights && r < own.count; ++r) {
      sums.add(Eight::at(own.rows[r] + column));
    }
    for (std::size_t r = 0; own.weights && r < own.count; ++r) {
      sums.add_weighted(Eight::at(own.rows[r] + column), Eight{}, Eight::all(own.weights[r]));
    }
    result.store(sums);
  });
}

void add_from_anchors(const RowsOfClass& own, std::size_t column, const double* anchors,
                      StripSums& result) {
  with_eights([&](auto eights) __attribute__((always_inline)) {
    using Eight = decltype(eights);
    auto sums = result.load<Eight>();
    const Eight anchor = Eight::at(anchors);
    for (std::size_t r = 0; r < own.count; ++r) {
      Eight rest;
      const Eight d = PowerSums<Eight>::difference(Eight::at(own.rows[r] + column), anchor, rest);
      if (own.weights) {
        sums.add_weighted(d, rest, Eight::all(own.weights[r]));
      } else {
        sums.add(d, rest);
      }
    }
    result.store(sums);
  });
}

// Near the mean of every column, in plain doubles.
void find_anchors(const RowsOfClass& own, std::size_t column, double* anchors) {
  with_eights([&](auto eights) __attribute__((always_inline)) {
    using Eight = decltype(eights);
    const Eight base = Eight::at(own.rows[0] + column);
    Eight rough{};
    double count = 0;
    for (std::size_t r = 0; r < own.count; ++r) {
      const double weight = own.weights ? own.weights[r] : 1.0;
      rough += Eight::all(weight) * (Eight::at(own.rows[r] + column) - base);
      count += weight;
    }
    (base + rough / Eight::all(count)).store(anchors);
  });
}

// Strips read a row here and there, which no processor foresees: rows come to it in order first, as
// many as its near memory holds.
void fetch(const double* from, const double* to) {
  constexpr std::size_t line = 64 / sizeof(double);
  for (; from < to; from += line) static_cast<void>(*static_cast<const volatile double*>(from));
}

}  // namespace

// The last columns are a strip of the same width, some of whose columns have been there.
RowSums::RowSums(const MatrixRows& rows, std::span<const double> weights,
                 std::span<const std::int32_t> classes, std::size_t class_count)
    : columns_(rows.columns),
      sums_(class_count * rows.columns),
      tells_(rows.columns, rows.columns >= width) {
  if (columns_ < width) return;
  constexpr std::size_t near_memory = std::size_t{1} << 17;
  const std::size_t piece = std::max<std::size_t>(16, near_memory / (columns_ * sizeof(double)));
  const std::size_t strips = (columns_ + width - 1) / width;
  const auto column_of = [&](std::size_t s) { return std::min(s * width, columns_ - width); };
  RowsByClass sorted(weights, classes, class_count);
  std::vector<StripSums> found(class_count * strips);
  for (std::size_t from = 0; from < classes.size(); from += piece) {
    const std::size_t to = std::min(classes.size(), from + piece);
    fetch(rows.row(from), rows.row(to));
    const std::vector<std::size_t> before = sorted.ends();
    for (std::size_t r = from; r < to; ++r) sorted.put(r, rows.row(r));
    for (std::size_t c = 0; c < class_count; ++c) {
      const RowsOfClass own = sorted.between(before[c], sorted.ends()[c]);
      for (std::size_t s = 0; own.count > 0 && s < strips; ++s) {
        add_from_zero(own, column_of(s), found[c * strips + s]);
      }
    }
  }
  for (std::size_t c = 0; c < class_count; ++c) {
    const RowsOfClass own = sorted.of_class(c);
    if (own.count == 0) continue;
    const DoubleDouble weight = own.weight();
    for (std::size_t s = 0; s < strips; ++s) {
      bool all_tell = true;
      AnchoredSums* sums = sums_.data() + c * columns_ + column_of(s);
      for (std::size_t k = 0; k < width; ++k) {
        sums[k] = {weight, found[c * strips + s].of(k), 0};
        all_tell = all_tell && sums[k].tells();
      }
      if (!all_tell) anchor(own, weight, c, column_of(s));
    }
  }
}

void RowSums::anchor(const RowsOfClass& own, DoubleDouble weight, std::size_t cls,
                     std::size_t column) {
  double anchors[width];
  StripSums found;
  find_anchors(own, column, anchors);
  add_from_anchors(own, column, anchors, found);
  for (std::size_t k = 0; k < width; ++k) {
    AnchoredSums& sums = sums_[cls * columns_ + column + k];
    if (sums.tells()) continue;
    sums = {weight, found.of(k), anchors[k]};
    // Of what is 0 or no number a closer look says why.
    const double deviation = std::sqrt(sums.second.hi / weight.hi);
    const double size = std::fmax(std::abs(anchors[k]), deviation);
    if (!(deviation > 0) || !is_ordinary(size)) tells_[column + k] = false;
  }
}

}  // namespace credence
