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

  bool needs_fourth() const { return shrinkage == Shrinkage::ledoit_wolf; }
};

// "full", "tied", "diagonal", "spherical", "shrunk", "shrunk=oas", "shrunk=0.3, spherical",
// "tied, shrunk", "rda=0.5".
Covariance parse_covariance(const std::string& parameters);

// How much of the target Ledoit & Wolf (2004) or Chen et al. (OAS, 2010) ask for. `covariance` has
// divisor n; `fourth` is the matrix of sums of y_i² y_j² (used by ledoit_wolf only).
double shrinkage_intensity(const Covariance& kind, const Eigen::MatrixXd& covariance,
                           const Eigen::MatrixXd& fourth, double n);

// (1 - intensity) covariance + intensity target.
Eigen::MatrixXd shrink(const Covariance& kind, const Eigen::MatrixXd& covariance, double intensity);

// Of a positive definite matrix.
double log_determinant(const Eigen::MatrixXd& matrix);

}  // namespace credence
