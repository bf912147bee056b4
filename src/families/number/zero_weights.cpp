// SPDX-License-Identifier: Apache-2.0
#include "families/number/zero_weights.hpp"

#include <algorithm>

namespace credence {
namespace {

// Without a branch, so that many values are looked at with one instruction.
bool has_zero(std::span<const double> values) {
  std::uint64_t found = 0;
  for (const double x : values) found |= x == 0 ? 1 : 0;
  return found != 0;
}

}  // namespace

void ZeroWeights::observe(std::span<const double> values, std::span<const double> weights,
                          std::span<const std::int32_t> class_of) {
  if (!has_zero(values)) return;
  if (!weights.empty()) {
    for (std::size_t r = 0; r < values.size(); ++r) {
      if (values[r] == 0 && class_of[r] >= 0) {
        add(static_cast<std::size_t>(class_of[r]), weights[r]);
      }
    }
    return;
  }
  // Neighbours are counted in different places: a count that was just written is slow to read.
  const std::size_t many = classes() + 1;  // the first is of rows without a class
  std::vector<std::uint64_t> counts(2 * many);
  for (std::size_t r = 0; r < values.size(); ++r) {
    counts[(r & 1) * many + static_cast<std::size_t>(class_of[r] + 1)] += values[r] == 0 ? 1 : 0;
  }
  for (std::size_t c = 1; c < many; ++c) {
    if (const auto zeros = counts[c] + counts[many + c]; zeros > 0) {
      add(c - 1, static_cast<double>(zeros));
    }
  }
}

void ZeroWeights::save(Tensors& tensors, const std::string& prefix) const {
  const auto weights = row_weights();
  if (std::any_of(weights.begin(), weights.end(), [](double w) { return w != 0; })) {
    ClassSums::save(tensors, prefix);
  }
}

void ZeroWeights::load(const Tensors& tensors, const std::string& prefix, std::size_t classes) {
  if (tensors.has(prefix + ".zeros")) return ClassSums::load(tensors, prefix, classes);
  rearrange_classes(std::vector<std::size_t>(classes, ExactSums::npos));
}

}  // namespace credence
