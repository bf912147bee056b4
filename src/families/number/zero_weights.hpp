// SPDX-License-Identifier: Apache-2.0
// What the zeros of a column weigh, class by class: an array that statistics declare.
#pragma once

#include <cstdint>
#include <span>

#include "families/statistics/class_arrays.hpp"

namespace credence {

// In a file only where there are any.
class ZeroWeights : public ClassSums {
 public:
  ZeroWeights() : ClassSums(".zeros", Kind::exact, "zeros") {}

  // Adds the rows of a chunk (weights empty: all 1; class negative: skipped).
  void observe(std::span<const double> values, std::span<const double> weights,
               std::span<const std::int32_t> classes);
  void save(Tensors& tensors, const std::string& prefix) const;
  void load(const Tensors& tensors, const std::string& prefix, std::size_t classes);
};

}  // namespace credence
