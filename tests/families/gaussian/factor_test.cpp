// SPDX-License-Identifier: Apache-2.0
#include "families/gaussian/factor.hpp"

#include <gtest/gtest.h>

#include "core/random.hpp"

namespace credence {
namespace {

using Eigen::MatrixXd;

MatrixXd random_matrix(Random& random, Eigen::Index rows, Eigen::Index columns) {
  MatrixXd result(rows, columns);
  for (Eigen::Index i = 0; i < result.size(); ++i) result.data()[i] = random.normal();
  return result;
}

// 300 columns are two blocks, the second of which is not full.
TEST(Factor, is_the_cholesky_factor_with_its_inverse) {
  Random random(5);
  const MatrixXd rows = random_matrix(random, 300, 700);
  const MatrixXd covariance = rows * rows.transpose() / 700;
  const Factor factor(covariance);
  EXPECT_LT((factor.lower() * factor.lower().transpose() - covariance).norm(), 1e-11);
  EXPECT_LT((factor.inverse() * factor.lower() - MatrixXd::Identity(300, 300)).norm(), 1e-11);
  EXPECT_TRUE(factor.inverse().isLowerTriangular(0));
  EXPECT_GT(factor.least_pivot(), 0.1);
  EXPECT_NEAR(factor.log_determinant(), covariance.ldlt().vectorD().array().log().sum(), 1e-9);
}

TEST(Factor, knows_the_trace_of_the_precision_times_a_spread) {
  Random random(6);
  const MatrixXd rows = random_matrix(random, 300, 700), more = random_matrix(random, 300, 20);
  const MatrixXd covariance = rows * rows.transpose() / 700, spread = more * more.transpose();
  const Factor factor(covariance);
  const MatrixXd product = covariance.ldlt().solve(spread);
  EXPECT_NEAR(factor.trace_of_product(spread), product.trace(), 1e-8 * product.trace());
  const Eigen::VectorXd diagonal = spread.diagonal();
  const MatrixXd of_diagonal = covariance.ldlt().solve(MatrixXd(diagonal.asDiagonal()));
  EXPECT_NEAR(factor.trace_of_product(diagonal), of_diagonal.trace(), 1e-8 * of_diagonal.trace());
}

TEST(Factor, says_when_a_column_is_the_sum_of_others) {
  Random random(7);
  MatrixXd rows = random_matrix(random, 40, 100);
  rows.row(39) = rows.row(3) + rows.row(4);
  EXPECT_LT(Factor(rows * rows.transpose()).least_pivot(), 1e-9);
}

}  // namespace
}  // namespace credence
