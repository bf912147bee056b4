// SPDX-License-Identifier: Apache-2.0
// The rows themselves as statistics, for families that no fixed number of sums suffices for. Equal
// rows of a class are one row with their weights added up. docs/families/mixture.md
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/double_double.hpp"
#include "core/tensors.hpp"

namespace credence {

class RetainedRows {
 public:
  RetainedRows() = default;
  explicit RetainedRows(std::size_t width) : width_(width) {}

  std::size_t width() const { return width_; }
  std::size_t size() const { return weights_.size(); }
  std::span<const double> row(std::size_t r) const { return {&values_[r * width_], width_}; }
  double weight(std::size_t r) const { return weights_[r].value(); }
  double total() const;

  // NaN marks a missing value.
  void add(std::span<const double> row, DoubleDouble weight);
  void merge(const RetainedRows& other, int sign);
  void scale(double factor) {
    for (auto& weight : weights_) weight = weight * DoubleDouble(factor);
  }
  // Ascending rows, each once, none of weight 0: equal data give equal bytes.
  void canonicalise();
  bool overdrawn() const;  // of canonical rows: some weight is negative

  void save(Tensors& tensors, const std::string& prefix) const;
  void load(const Tensors& tensors, const std::string& prefix);

 private:
  std::size_t width_ = 0;
  std::vector<double> values_;  // [row][column]
  std::vector<DoubleDouble> weights_;
};

}  // namespace credence
