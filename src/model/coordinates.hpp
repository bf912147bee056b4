// SPDX-License-Identifier: Apache-2.0
// The discriminant coordinates of a model whose classes share one covariance: the few directions
// in which their means differ. Derivation: docs/families/gaussian_block.md
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "credence/chunk.hpp"
#include "credence/model.hpp"

namespace credence {

class Coordinates {
 public:
  // Throws a usage error that says why where a model has none: it must be one gaussian(tied) block.
  explicit Coordinates(const Model& model);

  // At most classes - 1, ordered by the share of the between-class variance they explain.
  std::size_t size() const { return shares_.size(); }
  static std::string name(std::size_t coordinate);  // "ld1", "ld2", …
  double share(std::size_t coordinate) const { return shares_[coordinate]; }

  const std::vector<std::string>& classes() const { return classes_; }
  const std::vector<std::string>& columns() const { return columns_; }  // those that vary
  // A row's coordinate is the sum of coefficient x (value - center) over the columns.
  double coefficient(std::size_t column, std::size_t coordinate) const {
    return coefficients_[column * size() + coordinate];
  }
  double center(std::size_t column) const { return center_[column]; }
  double class_mean(std::size_t cls, std::size_t coordinate) const {
    return means_[cls * size() + coordinate];
  }

  // Rows x size(); NaN for a row that lacks a value of any of the columns.
  std::vector<double> of(const Chunk& chunk) const;

 private:
  std::vector<std::string> classes_, columns_;
  std::vector<std::size_t> places_;   // of the columns in the schema
  std::vector<double> center_;        // the class means, weighted by the weights of the classes
  std::vector<double> coefficients_;  // [column][coordinate]
  std::vector<double> means_;         // [class][coordinate]
  std::vector<double> shares_;
};

}  // namespace credence
