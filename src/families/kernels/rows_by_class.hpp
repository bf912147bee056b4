// SPDX-License-Identifier: Apache-2.0
// The rows of a chunk that count, class by class, where they lie.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/double_double.hpp"

namespace credence {

// Some rows of a class; weights null: all 1.
struct RowsOfClass {
  const double* const* rows = nullptr;
  const double* weights = nullptr;
  std::size_t count = 0;

  DoubleDouble weight() const {
    if (!weights) return static_cast<double>(count);
    DoubleDouble sum;
    for (std::size_t r = 0; r < count; ++r) sum = sum + DoubleDouble(weights[r]);
    return sum;
  }
};

// Rows are put in one after the other. Class negative or weight 0: left out.
class RowsByClass {
 public:
  RowsByClass(std::span<const double> weights, std::span<const std::int32_t> classes,
              std::size_t class_count)
      : weights_(weights), classes_(classes), first_(class_count + 1) {
    for (std::size_t r = 0; r < classes.size(); ++r) {
      if (counts(r)) ++first_[static_cast<std::size_t>(classes[r]) + 1];
    }
    for (std::size_t c = 0; c < class_count; ++c) first_[c + 1] += first_[c];
    rows_.resize(first_[class_count]);
    if (!weights.empty()) sorted_weights_.resize(rows_.size());
    ends_.assign(first_.begin(), first_.end() - 1);
  }

  bool counts(std::size_t r) const {
    return classes_[r] >= 0 && (weights_.empty() || weights_[r] != 0);
  }
  void put(std::size_t r, const double* row) {
    if (!counts(r)) return;
    const std::size_t place = ends_[static_cast<std::size_t>(classes_[r])]++;
    rows_[place] = row;
    if (!weights_.empty()) sorted_weights_[place] = weights_[r];
  }

  // Where the rows put in so far end, class by class.
  const std::vector<std::size_t>& ends() const { return ends_; }
  RowsOfClass between(std::size_t from, std::size_t to) const {
    const double* weights = sorted_weights_.empty() ? nullptr : sorted_weights_.data() + from;
    return {rows_.data() + from, weights, to - from};
  }
  RowsOfClass of_class(std::size_t c) const { return between(first_[c], ends_[c]); }

 private:
  std::span<const double> weights_;
  std::span<const std::int32_t> classes_;
  std::vector<std::size_t> first_, ends_;
  std::vector<const double*> rows_;
  std::vector<double> sorted_weights_;
};

}  // namespace credence
