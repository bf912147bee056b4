// SPDX-License-Identifier: Apache-2.0
// Weight, mean and scatter matrix of weighted vectors: Moments in several dimensions, with the
// fourth moments that Ledoit and Wolf's shrinkage needs. docs/families/gaussian_block.md
#pragma once

#include <Eigen/Dense>
#include <span>
#include <vector>

#include "core/moments.hpp"
#include "families/kernels/rows_by_class.hpp"

namespace credence {

struct Scatter {
  Scatter() = default;
  Scatter(std::size_t size, bool with_fourth);

  std::size_t size() const { return mean.size(); }

  DoubleDouble weight;
  std::vector<DoubleDouble> mean;
  std::vector<DoubleDouble> m2;  // lower triangle of sum of w y yᵀ, row by row; y = x - mean
  // Only kept when asked for: sums of w y_i² y_j (all i, j) and of w y_i² y_j² (lower triangle).
  std::vector<DoubleDouble> third;
  std::vector<DoubleDouble> fourth;
  std::vector<int> exponent;  // column i is told in units of 2^exponent[i], as of Moments

  static std::size_t packed(std::size_t i, std::size_t j) {
    return i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i;
  }

  // Chan, Golub & LeVeque for matrices; sign -1 forgets. Both must be of the same size.
  void merge(const Scatter& other, int sign);
  void scale(double factor);
  // Column i never varies: all its moments about the mean are 0, and the mean is its value.
  void flatten(std::size_t i);
  Moments column(std::size_t i) const { return {weight, mean[i], m2[packed(i, i)], exponent[i]}; }
  // The same in other units, and in those that the sizes of the columns call for.
  void tell_in(const std::vector<int>& units);
  void choose_units();

  // Rows of a chunk, of so many columns that are there.
  static Scatter of_rows(const RowsOfClass& rows, std::size_t size, bool with_fourth);

  // The mean as seen from an origin near it: no digit is lost to a large offset.
  Eigen::VectorXd mean_from(const Eigen::VectorXd& origin) const;
  Eigen::MatrixXd matrix() const;         // the scatter, symmetric
  Eigen::MatrixXd fourth_matrix() const;  // symmetric

 private:
  // Moves the moments from the mean to mean + shift.
  void recentre(const std::vector<DoubleDouble>& shift);
  // Adds what weighs `added`, which is below 0 where it is forgotten; the weight stays to be set.
  void merge_squares(const Scatter& other, DoubleDouble added, DoubleDouble total);
  void merge_all(const Scatter& other, DoubleDouble added, DoubleDouble total);
};

}  // namespace credence
