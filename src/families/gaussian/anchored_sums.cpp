// SPDX-License-Identifier: Apache-2.0
#include "families/gaussian/anchored_sums.hpp"

#include <cmath>

// The same bits with and without hardware multiply-add: std::fma is exact either way, only slower.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(CREDENCE_SANITIZED)
#define CREDENCE_WITH_FMA __attribute__((target_clones("fma", "default")))
#else
#define CREDENCE_WITH_FMA
#endif

namespace credence {

Moments AnchoredSums::moments() const {
  if (weight.hi == 0) return {};
  const DoubleDouble shift = first / weight;
  return {weight, DoubleDouble(anchor) + shift, second - shift * first, exponent};
}

// A mean of up to 8 standard deviations costs the sum of squares two of its 30 digits.
bool AnchoredSums::tells() const {
  if (weight.hi == 0) return true;
  if (!(second.hi > 0) || !is_ordinary(std::sqrt(second.hi / weight.hi))) return false;
  return 65 * (first.hi / weight.hi) * first.hi <= 64 * second.hi;
}

namespace {

// What one pass over a column finds of a class.
struct ClassPass {
  PowerSums<double> sums;
  DoubleDouble weight;
  double anchor = 0;
};

// Calls visit(class, value, weight) for the rows that count.
template <bool unit, class Visit>
[[gnu::always_inline]] inline void each_row(std::span<const double> values,
                                            std::span<const double> weights,
                                            std::span<const std::int32_t> classes,
                                            const Visit& visit) {
  for (std::size_t r = 0; r < values.size(); ++r) {
    if (classes[r] < 0 || std::isnan(values[r])) continue;
    const double w = unit ? 1.0 : weights[r];
    if (w != 0) visit(static_cast<std::size_t>(classes[r]), values[r], w);
  }
}

template <bool unit>
[[gnu::always_inline]] inline void from_zero(std::span<const double> values,
                                             std::span<const double> weights,
                                             std::span<const std::int32_t> classes,
                                             std::vector<ClassPass>& passes) {
  each_row<unit>(
      values, weights,
      classes, [&](std::size_t c, double x, double w) __attribute__((always_inline)) {
        ClassPass& pass = passes[c];
        if (unit) {
          pass.weight.hi += 1;
          pass.sums.add(x);
        } else {
          pass.weight = pass.weight + DoubleDouble(w);
          pass.sums.add_weighted(x, 0, w);
        }
      });
}

// First an anchor for every class, near its mean, in plain doubles.
template <bool unit>
[[gnu::always_inline]] inline void from_anchors(std::span<const double> values,
                                                std::span<const double> weights,
                                                std::span<const std::int32_t> classes,
                                                std::vector<ClassPass>& passes) {
  std::vector<double> rough(passes.size(), 0.0), count(passes.size(), 0.0);
  each_row<unit>(values, weights, classes, [&](std::size_t c, double x, double w) {
    if (count[c] == 0) passes[c].anchor = x;
    count[c] += w;
    rough[c] += w * (x - passes[c].anchor);
  });
  for (std::size_t c = 0; c < passes.size(); ++c) {
    if (count[c] > 0) passes[c].anchor += rough[c] / count[c];
  }
  each_row<unit>(
      values, weights,
      classes, [&](std::size_t c, double x, double w) __attribute__((always_inline)) {
        ClassPass& pass = passes[c];
        double rest = 0;
        const double d = PowerSums<double>::difference(x, pass.anchor, rest);
        if (unit) {
          pass.weight.hi += 1;
          pass.sums.add(d, rest);
        } else {
          pass.weight = pass.weight + DoubleDouble(w);
          pass.sums.add_weighted(d, rest, w);
        }
      });
}

CREDENCE_WITH_FMA void add_unit(std::span<const double> values,
                                std::span<const std::int32_t> classes,
                                std::vector<ClassPass>& passes) {
  from_zero<true>(values, {}, classes, passes);
}

CREDENCE_WITH_FMA void add_weighted(std::span<const double> values, std::span<const double> weights,
                                    std::span<const std::int32_t> classes,
                                    std::vector<ClassPass>& passes) {
  from_zero<false>(values, weights, classes, passes);
}

CREDENCE_WITH_FMA void add_unit_anchored(std::span<const double> values,
                                         std::span<const std::int32_t> classes,
                                         std::vector<ClassPass>& passes) {
  from_anchors<true>(values, {}, classes, passes);
}

CREDENCE_WITH_FMA void add_weighted_anchored(std::span<const double> values,
                                             std::span<const double> weights,
                                             std::span<const std::int32_t> classes,
                                             std::vector<ClassPass>& passes) {
  from_anchors<false>(values, weights, classes, passes);
}

// By the sums: where squares are beyond a double, their sum is no number, or 0 though values
// differ.
bool ordinary_sums(std::span<const double> values, std::span<const double> weights,
                   std::span<const std::int32_t> classes, const std::vector<AnchoredSums>& sums) {
  bool constant = false;
  for (const auto& s : sums) {
    if (s.weight.hi == 0) continue;
    const double deviation = std::sqrt(s.second.hi / s.weight.hi);
    if (!is_ordinary(std::fmax(std::abs(s.anchor), deviation)) || std::isnan(deviation)) {
      return false;
    }
    constant = constant || deviation == 0;
  }
  for (std::size_t r = 0; constant && r < values.size(); ++r) {
    if (classes[r] < 0 || std::isnan(values[r]) || (!weights.empty() && weights[r] == 0)) continue;
    const auto& s = sums[static_cast<std::size_t>(classes[r])];
    if (s.second.hi == 0 && values[r] != s.anchor) return false;
  }
  return true;
}

std::vector<int> units_of(std::span<const double> values, std::span<const double> weights,
                          std::span<const std::int32_t> classes, std::size_t count) {
  std::vector<double> largest(count, 0.0);
  for (std::size_t r = 0; r < values.size(); ++r) {
    if (classes[r] < 0 || (!weights.empty() && weights[r] == 0)) continue;
    auto& size = largest[static_cast<std::size_t>(classes[r])];
    if (std::abs(values[r]) > size) size = std::abs(values[r]);
  }
  std::vector<int> units;
  for (const double size : largest) units.push_back(unit_exponent(size));
  return units;
}

// The values of each class in a unit of its own.
std::vector<double> told_in(std::span<const double> values, std::span<const std::int32_t> classes,
                            const std::vector<int>& units) {
  std::vector<double> told(values.begin(), values.end());
  for (std::size_t r = 0; r < values.size(); ++r) {
    if (classes[r] < 0) continue;
    told[r] = std::ldexp(told[r], -units[static_cast<std::size_t>(classes[r])]);
  }
  return told;
}

std::vector<AnchoredSums> from_their_anchors(std::span<const double> values,
                                             std::span<const double> weights,
                                             std::span<const std::int32_t> classes,
                                             const std::vector<int>& units) {
  std::vector<ClassPass> passes(units.size());
  if (weights.empty()) {
    add_unit_anchored(values, classes, passes);
  } else {
    add_weighted_anchored(values, weights, classes, passes);
  }
  std::vector<AnchoredSums> result;
  for (std::size_t c = 0; c < units.size(); ++c) {
    result.emplace_back(passes[c].weight, passes[c].sums, passes[c].anchor);
    result.back().exponent = units[c];
  }
  return result;
}

}  // namespace

void add_anchored(std::span<const double> values, std::span<const double> weights,
                  std::span<const std::int32_t> classes, std::vector<AnchoredSums>& sums) {
  std::vector<ClassPass> passes(sums.size());
  if (weights.empty()) {
    add_unit(values, classes, passes);
  } else {
    add_weighted(values, weights, classes, passes);
  }
  bool all_tell = true;
  for (std::size_t c = 0; c < sums.size(); ++c) {
    sums[c] = {passes[c].weight, passes[c].sums, 0};
    all_tell = all_tell && sums[c].tells();
  }
  if (all_tell) return;
  auto anchored = from_their_anchors(values, weights, classes, std::vector<int>(sums.size()));
  if (!ordinary_sums(values, weights, classes, anchored)) {
    const auto units = units_of(values, weights, classes, sums.size());
    anchored = from_their_anchors(told_in(values, classes, units), weights, classes, units);
  }
  for (std::size_t c = 0; c < sums.size(); ++c) {
    if (!sums[c].tells()) sums[c] = anchored[c];
  }
}

}  // namespace credence
