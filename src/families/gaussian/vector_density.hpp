// SPDX-License-Identifier: Apache-2.0
// A normal or Student's t in several dimensions, and its marginals ready to score.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "core/random.hpp"

namespace credence {

using Places = std::vector<Eigen::Index>;

struct VectorDensity {
  Eigen::VectorXd mean;
  Eigen::MatrixXd scale;     // covariance, or the t's scale matrix
  double freedom = 0;        // infinite: a normal
  Eigen::MatrixXd plug_in;   // the covariance at which the log-likelihood is reported
  bool independent = false;  // a product of t's, one per column; scale is diagonal
};

// The density over some of the columns.
class Marginal {
 public:
  Marginal(const VectorDensity& density, const Places& present);

  // y: the present columns, one row of the table per column of the matrix.
  Eigen::VectorXd log_density(const Eigen::MatrixXd& y) const;
  // log p(x_i | x_0 … x_(i-1)) for every i: they sum to the log density.
  Eigen::VectorXd steps(const Eigen::VectorXd& y) const;
  Eigen::VectorXd sample(Random& random) const;

 private:
  bool normal() const;

  Eigen::VectorXd mean_;
  double freedom_;
  bool independent_;
  Eigen::MatrixXd factor_;
  Eigen::VectorXd log_steps_;
  double log_norm_ = 0;
};

}  // namespace credence
