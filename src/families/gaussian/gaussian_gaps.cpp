// SPDX-License-Identifier: Apache-2.0
// Rows with gaps: expectation-maximisation over the patterns of what is present.
// Little & Rubin, Statistical Analysis with Missing Data, section 11.2.
#include <Eigen/Cholesky>

#include "families/gaussian/gaussian_block.hpp"

namespace credence {
namespace {

std::vector<Eigen::Index> places(const Pattern& pattern, char wanted) {
  std::vector<Eigen::Index> result;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == wanted) result.push_back(static_cast<Eigen::Index>(i));
  }
  return result;
}

// The rows of one pattern as if complete, given the current mean and covariance.
void add_expected(const Pattern& pattern, const Scatter& part, const Eigen::VectorXd& mean,
                  const Eigen::MatrixXd& covariance, double& weight, Eigen::VectorXd& first,
                  Eigen::MatrixXd& second, const Eigen::VectorXd& origin) {
  const auto present = places(pattern, '1'), absent = places(pattern, '0');
  const double w = part.weight.value();
  weight += w;
  if (absent.empty()) {
    const Eigen::VectorXd shift = part.mean_from(origin);
    first += w * shift;
    second += part.matrix() + w * shift * shift.transpose();
    return;
  }
  // Every row's expectation is A (x - mean of present) + mean, with A = [I; regression].
  const Eigen::MatrixXd inner = covariance(present, present);
  const Eigen::MatrixXd across = covariance(present, absent);
  const Eigen::MatrixXd regression = Eigen::LDLT<Eigen::MatrixXd>(inner).solve(across).transpose();
  Eigen::MatrixXd lift =
      Eigen::MatrixXd::Zero(mean.size(), static_cast<Eigen::Index>(present.size()));
  for (std::size_t k = 0; k < present.size(); ++k) {
    lift(present[k], static_cast<Eigen::Index>(k)) = 1;
  }
  for (std::size_t k = 0; k < absent.size(); ++k) {
    lift.row(absent[k]) = regression.row(static_cast<Eigen::Index>(k));
  }
  const Eigen::VectorXd expected = mean + lift * (part.mean_from(origin(present)) - mean(present));
  first += w * expected;
  second += lift * part.matrix() * lift.transpose() + w * expected * expected.transpose();
  // What the missing values vary around their expectation.
  second(absent, absent) += w * (covariance(absent, absent) - regression * across);
}

struct Sums {
  double weight = 0;
  Eigen::VectorXd first;
  Eigen::MatrixXd second;
};

Completed finish(const Sums& sums) {
  Completed result;
  result.weight = sums.weight;
  result.mean = sums.first / sums.weight;
  result.scatter = sums.second - sums.weight * result.mean * result.mean.transpose();
  return result;
}

bool has_gaps(const std::vector<ClassScatter>& classes) {
  for (const auto& cls : classes) {
    for (const auto& [pattern, part] : cls) {
      if (part.weight.hi != 0 && pattern.find('0') != Pattern::npos) return true;
    }
  }
  return false;
}

// Without gaps: the scatter itself, merged with the imaginary rows.
Completed merge_complete(const ClassScatter& cls, const ColumnMoments& column, double imaginary) {
  Completed result;
  const auto size = column.mean.size();
  result.mean = column.mean;
  result.scatter = Eigen::MatrixXd::Zero(size, size);
  for (const auto& [pattern, part] : cls) {
    result.rows = part.weight.value();
    result.mean = part.mean_from(column.origin);
    result.scatter = part.matrix();
    if (!part.fourth.empty()) result.fourth = part.fourth_matrix();
  }
  result.weight = result.rows + imaginary;
  if (imaginary == 0) return result;
  const Eigen::VectorXd shift = column.mean - result.mean;
  result.scatter += shift * shift.transpose() * (result.rows * imaginary / result.weight);
  result.scatter.diagonal() += imaginary * column.variance;
  result.mean += shift * (imaginary / result.weight);
  return result;
}

// One step for a class: what is expected of its rows under this covariance, and the imaginary rows.
Completed complete_step(const ClassScatter& cls, const Completed& before,
                        const Eigen::MatrixXd& covariance, const ColumnMoments& column,
                        double imaginary) {
  const auto size = column.mean.size();
  Sums sums{0, Eigen::VectorXd::Zero(size), Eigen::MatrixXd::Zero(size, size)};
  for (const auto& [pattern, part] : cls) {
    if (part.weight.hi == 0) continue;
    add_expected(pattern, part, before.mean, covariance, sums.weight, sums.first, sums.second,
                 column.origin);
  }
  const double rows = sums.weight;
  if (rows == 0 && imaginary == 0) {
    Completed same = before;
    same.rows = 0;
    return same;
  }
  sums.weight += imaginary;
  sums.first += imaginary * column.mean;
  sums.second += imaginary * column.mean * column.mean.transpose();
  sums.second.diagonal() += imaginary * column.variance;
  Completed result = finish(sums);
  result.rows = rows;
  return result;
}

// The largest change of a mean or a variance, in units of the column.
double change_between(const Completed& before, const Completed& after,
                      const ColumnMoments& column) {
  double change = 0;
  for (Eigen::Index i = 0; i < column.mean.size(); ++i) {
    const double unit = std::sqrt(column.variance[i]) + 1e-300;
    change = std::max(change, std::abs(after.mean[i] - before.mean[i]) / unit);
    change = std::max(change, std::abs(after.scatter(i, i) / after.weight -
                                       before.scatter(i, i) / before.weight) /
                                  (unit * unit));
  }
  return change;
}

}  // namespace

std::vector<Completed> complete(const std::vector<ClassScatter>& classes,
                                const ColumnMoments& column, double imaginary,
                                const Covariance& kind) {
  std::vector<Completed> result;
  if (!has_gaps(classes)) {
    for (const auto& cls : classes) result.push_back(merge_complete(cls, column, imaginary));
    return result;
  }
  const auto size = column.mean.size();
  const auto start = [&] {
    Completed c;
    c.weight = 1;
    c.mean = column.mean;
    c.scatter = column.variance.asDiagonal();
    return c;
  };
  result.assign(classes.size(), start());
  constexpr int most_steps = 1000;
  for (int step = 0; step < most_steps; ++step) {
    Eigen::MatrixXd pooled = Eigen::MatrixXd::Zero(size, size);
    double total = 0;
    for (const auto& c : result) {
      pooled += c.scatter;
      total += c.weight;
    }
    double change = 0;
    std::vector<Completed> next;
    for (std::size_t k = 0; k < classes.size(); ++k) {
      Eigen::MatrixXd covariance =
          kind.tied ? (pooled / total).eval() : (result[k].scatter / result[k].weight).eval();
      if (kind.spherical) {
        covariance = Eigen::MatrixXd::Identity(size, size) *
                     (covariance.trace() / static_cast<double>(size));
      }
      next.push_back(complete_step(classes[k], result[k], covariance, column, imaginary));
      change = std::max(change, change_between(result[k], next[k], column));
    }
    result = std::move(next);
    if (change < 1e-10) break;
  }
  return result;
}

}  // namespace credence
