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

namespace {

// One column of one chunk; `unit` marks rows that all weigh 1.
template <bool unit>
[[gnu::always_inline]] inline void add_rows(std::span<const double> values,
                                            std::span<const double> weights,
                                            std::span<const std::int32_t> classes,
                                            std::vector<AnchoredSums>& sums) {
  // First pass: an anchor for every class, near its mean, in plain doubles.
  std::vector<double> rough(sums.size(), 0.0), count(sums.size(), 0.0);
  for (std::size_t r = 0; r < values.size(); ++r) {
    if (classes[r] < 0 || std::isnan(values[r])) continue;
    const auto c = static_cast<std::size_t>(classes[r]);
    const double w = unit ? 1.0 : weights[r];
    if (w == 0) continue;
    if (count[c] == 0) sums[c].anchor = values[r];
    count[c] += w;
    rough[c] += w * (values[r] - sums[c].anchor);
  }
  for (std::size_t c = 0; c < sums.size(); ++c) {
    if (count[c] > 0) sums[c].anchor += rough[c] / count[c];
  }
  for (std::size_t r = 0; r < values.size(); ++r) {
    if (classes[r] < 0 || std::isnan(values[r])) continue;
    const double w = unit ? 1.0 : weights[r];
    if (w == 0) continue;
    auto& s = sums[static_cast<std::size_t>(classes[r])];
    const DoubleDouble d = two_sum(values[r], -s.anchor);
    const DoubleDouble square = d * d;
    if (unit) {
      s.weight.hi += 1;
      s.first = s.first + d;
      s.second = s.second + square;
    } else {
      s.weight = s.weight + DoubleDouble(w);
      s.first = s.first + DoubleDouble(w) * d;
      s.second = s.second + DoubleDouble(w) * square;
    }
  }
}

CREDENCE_WITH_FMA void add_unit(std::span<const double> values,
                                std::span<const std::int32_t> classes,
                                std::vector<AnchoredSums>& sums) {
  add_rows<true>(values, {}, classes, sums);
}

CREDENCE_WITH_FMA void add_weighted(std::span<const double> values, std::span<const double> weights,
                                    std::span<const std::int32_t> classes,
                                    std::vector<AnchoredSums>& sums) {
  add_rows<false>(values, weights, classes, sums);
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

// The values of each class in a unit of its own.
std::vector<double> in_units(std::span<const double> values, std::span<const double> weights,
                             std::span<const std::int32_t> classes,
                             std::vector<AnchoredSums>& sums) {
  std::vector<double> largest(sums.size(), 0.0), told(values.begin(), values.end());
  for (std::size_t r = 0; r < values.size(); ++r) {
    if (classes[r] < 0 || (!weights.empty() && weights[r] == 0)) continue;
    auto& size = largest[static_cast<std::size_t>(classes[r])];
    if (std::abs(values[r]) > size) size = std::abs(values[r]);
  }
  for (std::size_t c = 0; c < sums.size(); ++c) {
    sums[c] = {};
    sums[c].exponent = unit_exponent(largest[c]);
  }
  for (std::size_t r = 0; r < values.size(); ++r) {
    if (classes[r] < 0) continue;
    told[r] = std::ldexp(told[r], -sums[static_cast<std::size_t>(classes[r])].exponent);
  }
  return told;
}

}  // namespace

void add_anchored(std::span<const double> values, std::span<const double> weights,
                  std::span<const std::int32_t> classes, std::vector<AnchoredSums>& sums) {
  const auto add = [&](std::span<const double> told) {
    if (weights.empty()) {
      add_unit(told, classes, sums);
    } else {
      add_weighted(told, weights, classes, sums);
    }
  };
  add(values);
  if (!ordinary_sums(values, weights, classes, sums)) {
    add(in_units(values, weights, classes, sums));
  }
}

}  // namespace credence
