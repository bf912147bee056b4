// SPDX-License-Identifier: Apache-2.0
// A normal or Student's t in several dimensions, and its marginals ready to score.
#pragma once

#include <Eigen/Dense>
#include <memory>
#include <vector>

#include "core/random.hpp"
#include "families/gaussian/factor.hpp"
#include "families/kernels/row_kernels.hpp"
#include "families/numeric.hpp"
#include "sql/query.hpp"

namespace credence {

using Places = std::vector<Eigen::Index>;

struct VectorDensity {
  Eigen::VectorXd mean;
  Eigen::MatrixXd scale;     // covariance, or the t's scale matrix
  double freedom = 0;        // infinite: a normal
  Eigen::MatrixXd plug_in;   // the covariance at which the log-likelihood is reported
  bool independent = false;  // a product of t's, one per column; scale is diagonal
  double tolerance = -1;     // as of Covariance: directions with next to no spread are left out
  // Of a large plug_in, which scale is so many times.
  std::shared_ptr<const Factor> factor = {};
  double stretch = 1;
};

// The density over some of the columns.
class Marginal {
 public:
  Marginal(const VectorDensity& density, const Places& present);

  // y: the present columns, one row of the table per column of the matrix.
  Eigen::VectorXd log_density(const Eigen::MatrixXd& y) const;
  // Of one row at a time, without matrices; prepare_rows() comes first.
  double log_density(const double* y) const;
  // Of several rows that stand side by side (row_kernels.hpp), to the same bits.
  void panel_log_density(const double* rows, double* results) const;
  void prepare_rows();
  // Of rows of this weight with sum w (y - mean) (y - mean)ᵀ = spread, under a normal.
  double log_likelihood(double rows, const Eigen::MatrixXd& spread) const;
  // Σ⁻¹ v, along the directions that were not left out.
  Eigen::VectorXd precision_times(const Eigen::VectorXd& v) const;
  // log p(x_i | x_0 … x_(i-1)) for every i: they sum to the log density.
  Eigen::VectorXd steps(const Eigen::VectorXd& y) const;
  // These densities themselves, each a normal or a t of one number; none where directions were left
  // out.
  std::vector<NumberDensity> conditionals(const Eigen::VectorXd& y) const;
  Eigen::VectorXd sample(Random& random) const;
  // Of numbers that have names; prepare_rows() comes first.
  sql::Expression sql(sql::Query& query, const std::vector<sql::Expression>& y) const;

 private:
  bool normal() const;
  Eigen::MatrixXd whitened(Eigen::MatrixXd d) const;  // scaled to deviations of 1
  // Whether squares of d's deviations z overflow; z is then told in a unit in which they do not.
  bool far_out(const Eigen::VectorXd& d, Eigen::VectorXd& z) const;
  double student_far_out(const Eigen::VectorXd& d) const;

  Eigen::VectorXd mean_;
  double freedom_;
  bool independent_;
  Eigen::MatrixXd factor_;
  // What squares come to, or the difference itself where they do not tell.
  double log_density_of(double squares, const double* d) const;
  double independent_log_density(const double* d) const;

  // Row by row what makes a difference from the mean a deviation of 1 along each direction: the
  // inverse of the factor, which is a triangle, or fewer directions where some were left out.
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> directions_;
  Directions row_directions_;  // the same, ready for rows
  bool deficient_ = false;
  Eigen::VectorXd log_steps_;
  double log_norm_ = 0;
};

}  // namespace credence
