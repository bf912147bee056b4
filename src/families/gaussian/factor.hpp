// SPDX-License-Identifier: Apache-2.0
// The Cholesky factor of a large covariance and its inverse, made once for all that asks for them:
// each takes the cube of the columns. Small ones are made where they are needed.
#pragma once

#include <Eigen/Dense>

namespace credence {

class Factor {
 public:
  static bool worthwhile(Eigen::Index columns) { return columns > 1024; }

  explicit Factor(const Eigen::MatrixXd& covariance);

  // How much of its variance the column has that the others before it explain best, of 1. Below
  // some rounding errors nothing of the factor is good.
  double least_pivot() const { return least_pivot_; }
  const Eigen::MatrixXd& lower() const { return lower_; }
  const Eigen::MatrixXd& inverse() const { return inverse_; }  // of `lower`

  double log_determinant() const { return 2 * lower_.diagonal().array().log().sum(); }
  // The trace of Σ⁻¹ S, of a symmetrical S.
  double trace_of_product(const Eigen::MatrixXd& symmetrical) const;
  // The same of a diagonal S.
  double trace_of_product(const Eigen::VectorXd& diagonal) const;

 private:
  Eigen::MatrixXd lower_, inverse_;
  double least_pivot_ = 0;
};

}  // namespace credence
