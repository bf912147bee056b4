// SPDX-License-Identifier: Apache-2.0
// Which covariance a gaussian block has, and how it is estimated from scatter matrices.
// Derivations: docs/families/gaussian_block.md
#pragma once

#include <Eigen/Dense>
#include <string>

#include "credence/rule.hpp"

namespace credence {

struct Covariance {
  enum class Shrinkage { none, fixed, ledoit_wolf, oas };

  bool diagonal = false;    // every column on its own: a block per column
  bool spherical = false;   // one variance for all columns
  bool tied = false;        // one covariance for all classes
  double towards_tied = 0;  // 0: each class its own; 1: tied (Friedman's regularised analysis)
  Shrinkage shrinkage = Shrinkage::none;
  double lambda = 0;              // of fixed shrinkage
  bool spherical_target = false;  // shrink towards one variance for all columns, not the diagonal
  bool apart = false;     // tied: classes are read and shrunk each on its own, then averaged,
  bool by_prior = false;  // and weigh as much as in the prior, not as they have rows
  double unit = 0;        // this much of the unit matrix, the rest of the covariance
  // diagonal: columns are one block, and this much of the largest variance among them is added to
  // every variance. Below 0: each column is a block.
  double floor = -1;
  // Directions in which rows deviate no more than this, in units of the columns' own deviations,
  // are left out. Below 0: a matrix without an inverse is refused.
  double tolerance = -1;
  // A class with a variance in some direction that is no more than this is read with one imaginary
  // row, which has the variances of the columns. Below 0: none is.
  double rescue = -1;

  bool needs_fourth() const { return shrinkage == Shrinkage::ledoit_wolf; }
};

// "full", "tied", "diagonal", "spherical", "shrunk", "shrunk=oas", "shrunk=0.3, spherical",
// "tied, shrunk", "rda=0.5", "tied=prior, shrunk, apart", "tied, tol=0.0001", "full, unit=0.1",
// "full, rescue=0.0001", "diagonal, floor=1e-9".
Covariance parse_covariance(const std::string& parameters);

// How much of the target Ledoit & Wolf (2004) or Chen et al. (OAS, 2010) ask for. `covariance` has
// divisor n; `fourth` is the matrix of sums of y_i² y_j² (used by ledoit_wolf only).
double shrinkage_intensity(const Covariance& kind, const Eigen::MatrixXd& covariance,
                           const Eigen::MatrixXd& fourth, double n);

// The directions in which rows vary, one per row of the result, each scaled so that they deviate by
// 1 along it: W covariance Wᵀ = I.
Eigen::MatrixXd whitening(const Eigen::MatrixXd& covariance, double tolerance);

// (1 - intensity) covariance + intensity target.
Eigen::MatrixXd shrink(const Covariance& kind, const Eigen::MatrixXd& covariance, double intensity);

// Of a positive definite matrix.
double log_determinant(const Eigen::MatrixXd& matrix);

}  // namespace credence
