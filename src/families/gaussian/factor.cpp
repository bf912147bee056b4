// SPDX-License-Identifier: Apache-2.0
#include "families/gaussian/factor.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <numeric>
#include <vector>

#include "parallel/parallel.hpp"

namespace credence {
namespace {

using Eigen::Index;

// body(first, size) for columns or rows by the hundreds: what a triangle leaves out is left out
// block by block.
template <typename Body>
void in_blocks(Index size, const Body& body) {
  constexpr Index block = 256;
  const auto count = static_cast<std::size_t>((size + block - 1) / block);
  parallel_for(0, count, [&](std::size_t i) {
    const Index first = static_cast<Index>(i) * block;
    body(first, std::min(block, size - first));
  });
}

}  // namespace

Factor::Factor(const Eigen::MatrixXd& covariance) {
  const Index size = covariance.rows();
  const Eigen::LLT<Eigen::MatrixXd> llt(covariance);
  if (llt.info() != Eigen::Success) return;
  lower_ = llt.matrixL();
  least_pivot_ = (lower_.diagonal().array().square() / covariance.diagonal().array()).minCoeff();
  inverse_ = Eigen::MatrixXd::Zero(size, size);
  in_blocks(size, [&](Index first, Index count) {
    const Index rest = size - first;
    Eigen::MatrixXd columns = Eigen::MatrixXd::Identity(rest, count);
    lower_.bottomRightCorner(rest, rest).triangularView<Eigen::Lower>().solveInPlace(columns);
    inverse_.block(first, first, rest, count) = columns;
  });
}

double Factor::trace_of_product(const Eigen::MatrixXd& symmetrical) const {
  const Index size = inverse_.rows();
  std::vector<double> parts(static_cast<std::size_t>(size), 0.0);
  in_blocks(size, [&](Index first, Index count) {
    const Index before = first + count;
    const auto rows = inverse_.block(first, 0, count, before);
    const Eigen::MatrixXd product = rows * symmetrical.topLeftCorner(before, before);
    parts[static_cast<std::size_t>(first)] = product.cwiseProduct(rows).sum();
  });
  return std::accumulate(parts.begin(), parts.end(), 0.0);
}

double Factor::trace_of_product(const Eigen::VectorXd& diagonal) const {
  return inverse_.colwise().squaredNorm().dot(diagonal.transpose());
}

}  // namespace credence
