// SPDX-License-Identifier: Apache-2.0
#include "families/gaussian/row_sums.hpp"

#include <algorithm>
#include <cmath>

// Eight columns at a time where the processor can; std::fma is exact with and without it.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(CREDENCE_SANITIZED)
#define CREDENCE_BY_COLUMNS __attribute__((target_clones("fma", "default")))
#else
#define CREDENCE_BY_COLUMNS
#endif

namespace credence {

struct RowSums::ClassRows {
  std::vector<const double*> rows;
  std::vector<double> weights;  // empty: all 1
  DoubleDouble weight;

  void weigh() {
    if (weights.empty()) weight = static_cast<double>(rows.size());
    for (const double w : weights) weight = weight + DoubleDouble(w);
  }
};

namespace {

constexpr std::size_t width = 8;

// Some columns of some rows of a class; weights null: all 1.
struct Strip {
  const double* const* rows;
  const double* weights;
  std::size_t count;
  std::size_t column;
};

struct StripSums {
  double first_high[width] = {}, first_low[width] = {};
  double second_high[width] = {}, second_low[width] = {};

  [[gnu::always_inline]] PowerSums<Eight> load() const {
    return {{Eight::at(first_high), Eight::at(first_low)},
            {Eight::at(second_high), Eight::at(second_low)}};
  }
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

CREDENCE_BY_COLUMNS void add_from_zero(const Strip& strip, StripSums& result) {
  PowerSums<Eight> sums = result.load();
  for (std::size_t r = 0; r < strip.count; ++r) sums.add(Eight::at(strip.rows[r] + strip.column));
  result.store(sums);
}

CREDENCE_BY_COLUMNS void add_weighted_from_zero(const Strip& strip, StripSums& result) {
  PowerSums<Eight> sums = result.load();
  for (std::size_t r = 0; r < strip.count; ++r) {
    sums.add_weighted(Eight::at(strip.rows[r] + strip.column), Eight{},
                      Eight::all(strip.weights[r]));
  }
  result.store(sums);
}

CREDENCE_BY_COLUMNS void add_from_anchors(const Strip& strip, const double* anchors,
                                          StripSums& result) {
  PowerSums<Eight> sums = result.load();
  const Eight anchor = Eight::at(anchors);
  for (std::size_t r = 0; r < strip.count; ++r) {
    Eight rest;
    const Eight d =
        PowerSums<Eight>::difference(Eight::at(strip.rows[r] + strip.column), anchor, rest);
    sums.add(d, rest);
  }
  result.store(sums);
}

CREDENCE_BY_COLUMNS void add_weighted_from_anchors(const Strip& strip, const double* anchors,
                                                   StripSums& result) {
  PowerSums<Eight> sums = result.load();
  const Eight anchor = Eight::at(anchors);
  for (std::size_t r = 0; r < strip.count; ++r) {
    Eight rest;
    const Eight d =
        PowerSums<Eight>::difference(Eight::at(strip.rows[r] + strip.column), anchor, rest);
    sums.add_weighted(d, rest, Eight::all(strip.weights[r]));
  }
  result.store(sums);
}

// Near the mean of every column, in plain doubles.
CREDENCE_BY_COLUMNS void find_anchors(const Strip& strip, double* anchors) {
  const Eight base = Eight::at(strip.rows[0] + strip.column);
  Eight rough{};
  double count = 0;
  for (std::size_t r = 0; r < strip.count; ++r) {
    const double weight = strip.weights ? strip.weights[r] : 1.0;
    rough += Eight::all(weight) * (Eight::at(strip.rows[r] + strip.column) - base);
    count += weight;
  }
  (base + rough / Eight::all(count)).store(anchors);
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
  std::vector<ClassRows> by_class(class_count);
  std::vector<StripSums> found(class_count * strips);
  for (std::size_t from = 0; from < classes.size(); from += piece) {
    const std::size_t to = std::min(classes.size(), from + piece);
    fetch(rows.row(from), rows.row(to));
    std::vector<std::size_t> before(class_count);
    for (std::size_t c = 0; c < class_count; ++c) before[c] = by_class[c].rows.size();
    for (std::size_t r = from; r < to; ++r) {
      if (classes[r] < 0 || (!weights.empty() && weights[r] == 0)) continue;
      ClassRows& own = by_class[static_cast<std::size_t>(classes[r])];
      own.rows.push_back(rows.row(r));
      if (!weights.empty()) own.weights.push_back(weights[r]);
    }
    for (std::size_t c = 0; c < class_count; ++c) {
      const ClassRows& own = by_class[c];
      Strip strip{own.rows.data() + before[c], nullptr, own.rows.size() - before[c], 0};
      if (!weights.empty()) strip.weights = own.weights.data() + before[c];
      for (std::size_t s = 0; strip.count > 0 && s < strips; ++s) {
        strip.column = column_of(s);
        (strip.weights ? add_weighted_from_zero : add_from_zero)(strip, found[c * strips + s]);
      }
    }
  }
  for (std::size_t c = 0; c < class_count; ++c) {
    if (by_class[c].rows.empty()) continue;
    by_class[c].weigh();
    for (std::size_t s = 0; s < strips; ++s) {
      bool all_tell = true;
      AnchoredSums* sums = sums_.data() + c * columns_ + column_of(s);
      for (std::size_t k = 0; k < width; ++k) {
        sums[k] = {by_class[c].weight, found[c * strips + s].of(k), 0};
        all_tell = all_tell && sums[k].tells();
      }
      if (!all_tell) anchor(by_class[c], c, column_of(s));
    }
  }
}

void RowSums::anchor(const ClassRows& own, std::size_t cls, std::size_t column) {
  const Strip strip{own.rows.data(), own.weights.empty() ? nullptr : own.weights.data(),
                    own.rows.size(), column};
  double anchors[width];
  StripSums found;
  find_anchors(strip, anchors);
  (strip.weights ? add_weighted_from_anchors : add_from_anchors)(strip, anchors, found);
  for (std::size_t k = 0; k < width; ++k) {
    AnchoredSums& sums = sums_[cls * columns_ + column + k];
    if (sums.tells()) continue;
    sums = {own.weight, found.of(k), anchors[k]};
    // Of what is 0 or no number a closer look says why.
    const double deviation = std::sqrt(sums.second.hi / own.weight.hi);
    const double size = std::fmax(std::abs(anchors[k]), deviation);
    if (!(deviation > 0) || !is_ordinary(size)) tells_[column + k] = false;
  }
}

}  // namespace credence
