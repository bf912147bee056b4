// SPDX-License-Identifier: Apache-2.0
#include "families/mixture/mixture_expectation.hpp"

#include <Eigen/Cholesky>
#include <cmath>
#include <map>
#include <numbers>

#include "core/log_math.hpp"

namespace credence {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// In units of the whole column: below this a component has collapsed onto a few rows.
constexpr double least_variance = 1e-12;

double log_prior(const MixtureComponents& components, const MixturePrior& prior) {
  if (prior.rows == 0) return 0;
  const double each = prior.rows / static_cast<double>(components.size());
  double result = 0;
  for (const auto& c : components) {
    const Eigen::LLT<MatrixXd> factor(c.covariance);
    const double log_determinant = 2 * factor.matrixLLT().diagonal().array().log().sum();
    const double spread = factor.solve(MatrixXd::Identity(c.mean.size(), c.mean.size())).trace() +
                          c.mean.dot(factor.solve(c.mean));
    result +=
        each * std::log(c.share) - 0.5 * ((each + prior.extra) * log_determinant + each * spread);
  }
  return result;
}

bool singular(const MatrixXd& covariance, bool floored) {
  // A floor keeps a component wide enough, however few its rows; only rounding can undo that.
  if (floored) {
    return !covariance.allFinite() || Eigen::LLT<MatrixXd>(covariance).info() != Eigen::Success;
  }
  if (!(covariance.diagonal().minCoeff() > least_variance)) return true;
  const VectorXd unit = covariance.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::LLT<MatrixXd> factor(unit.asDiagonal() * covariance * unit.asDiagonal());
  if (factor.info() != Eigen::Success) return true;
  return factor.matrixLLT().diagonal().array().square().minCoeff() < least_variance;
}

}  // namespace

std::vector<Expectation::Group> Expectation::group_by_gaps(const MatrixXd& values) {
  std::map<Places, Group> groups;
  for (Index r = 0; r < values.cols(); ++r) {
    Group key;
    for (Index i = 0; i < values.rows(); ++i) {
      (std::isnan(values(i, r)) ? key.absent : key.present).push_back(i);
    }
    auto& group = groups.emplace(key.present, key).first->second;
    group.rows.push_back(r);
  }
  std::vector<Group> result;
  for (auto& [present, group] : groups) result.push_back(std::move(group));
  return result;
}

// Gaps filled in from what is present: A (x - mean of present) + mean, and what varies around it.
struct Expectation::Regression {
  MatrixXd lift;
  MatrixXd left;  // of the absent columns
};

Expectation::Regression Expectation::regress(const MixtureComponent& component,
                                             const Group& group) {
  const auto& covariance = component.covariance;
  const MatrixXd across = covariance(group.present, group.absent);
  const MatrixXd slope =
      Eigen::LDLT<MatrixXd>(MatrixXd(covariance(group.present, group.present))).solve(across);
  Regression result;
  result.lift = MatrixXd::Zero(covariance.rows(), static_cast<Index>(group.present.size()));
  for (std::size_t k = 0; k < group.present.size(); ++k) {
    result.lift(group.present[k], static_cast<Index>(k)) = 1;
  }
  for (std::size_t k = 0; k < group.absent.size(); ++k) {
    result.lift.row(group.absent[k]) = slope.col(static_cast<Index>(k)).transpose();
  }
  result.left = MatrixXd(covariance(group.absent, group.absent)) - slope.transpose() * across;
  return result;
}

Expectation::Expectation(const MixtureRows& rows, bool diagonal)
    : rows_(rows), diagonal_(diagonal), groups_(group_by_gaps(rows.values)) {
  for (const auto& group : groups_) present_.push_back(rows.values(group.present, group.rows));
}

VectorXd Expectation::log_density(const MixtureComponent& component, std::size_t group) const {
  const auto& places = groups_[group].present;
  if (!diagonal_) {
    const VectorDensity density{component.mean, component.covariance, infinity, {}, false};
    return Marginal(density, places).log_density(present_[group]);
  }
  const Eigen::ArrayXd variance = component.covariance.diagonal()(places);
  const Eigen::ArrayXd precision = variance.inverse();
  const VectorXd mean = component.mean(places);
  const double log_norm = 0.5 * (variance * 2 * std::numbers::pi).log().sum();
  const auto squares = (present_[group].colwise() - mean).array().square();
  return -0.5 * (squares.matrix().transpose() * precision.matrix()).array() - log_norm;
}

MixtureExpectation Expectation::operator()(const MixtureComponents& components,
                                           const MixturePrior& prior) const {
  MixtureExpectation result;
  const auto k = static_cast<Index>(components.size());
  MatrixXd share(rows_.values.cols(), k);  // log densities, then responsibilities
  for (Index c = 0; c < k; ++c) {
    const auto& component = components[static_cast<std::size_t>(c)];
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      share(groups_[g].rows, c) = log_density(component, g).array() + std::log(component.share);
    }
  }
  for (Index r = 0; r < share.rows(); ++r) {
    const double top = share.row(r).maxCoeff();
    double sum = 0;
    for (Index c = 0; c < k; ++c) sum += share(r, c) = std::exp(share(r, c) - top);
    result.log_likelihood += rows_.weights[r] * (top + std::log(sum));
    share.row(r) *= rows_.weights[r] / sum;
  }
  result.objective = result.log_likelihood + log_prior(components, prior);
  for (Index c = 0; c < k; ++c) {
    result.sums.push_back(sums(components[static_cast<std::size_t>(c)], share.col(c)));
  }
  return result;
}

ComponentSums Expectation::sums(const MixtureComponent& component, const VectorXd& share) const {
  const Index d = rows_.values.rows();
  ComponentSums result{share.sum(), VectorXd::Zero(d), MatrixXd::Zero(d, d)};
  if (!(result.weight > 0)) return result;
  struct Part {
    double weight;
    VectorXd share, own_mean, mean;
    Regression regression;
  };
  std::vector<Part> parts;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const auto& group = groups_[g];
    Part part{0, share(group.rows), {}, {}, {}};
    part.weight = part.share.sum();
    if (part.weight > 0) {
      part.own_mean = present_[g] * part.share / part.weight;
      part.mean = part.own_mean;
      if (!group.absent.empty()) {
        part.regression = regress(component, group);
        part.mean =
            component.mean + part.regression.lift * (part.own_mean - component.mean(group.present));
      }
      result.mean += part.mean * (part.weight / result.weight);
    }
    parts.push_back(std::move(part));
  }
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const auto& part = parts[g];
    if (!(part.weight > 0)) continue;
    const MatrixXd y = present_[g].colwise() - part.own_mean;
    const auto& absent = groups_[g].absent;
    if (diagonal_ && absent.empty()) {
      result.scatter.diagonal() += y.cwiseAbs2() * part.share;
      result.scatter.diagonal() += part.weight * (part.mean - result.mean).cwiseAbs2();
      continue;
    }
    // A symmetric product costs half of a general one.
    MatrixXd spread = MatrixXd::Zero(y.rows(), y.rows());
    spread.selfadjointView<Eigen::Lower>().rankUpdate(y * part.share.cwiseSqrt().asDiagonal());
    spread.triangularView<Eigen::StrictlyUpper>() = spread.transpose();
    if (absent.empty()) {
      result.scatter += spread;
    } else {
      result.scatter += part.regression.lift * spread * part.regression.lift.transpose();
      result.scatter(absent, absent) += part.weight * part.regression.left;
    }
    const VectorXd shift = part.mean - result.mean;
    result.scatter += part.weight * shift * shift.transpose();
  }
  return result;
}

MixtureExpectation expect(const MixtureRows& rows, const MixtureComponents& components,
                          const MixturePrior& prior) {
  return Expectation(rows)(components, prior);
}

std::optional<MixtureComponents> maximise(const std::vector<ComponentSums>& sums,
                                          const MixturePrior& prior, bool diagonal) {
  const double each = prior.rows / static_cast<double>(sums.size());
  const bool floored = prior.floor.size() > 0;
  double total = prior.rows;
  for (const auto& s : sums) total += s.weight;
  MixtureComponents result;
  for (const auto& s : sums) {
    const double weight = s.weight + each;
    if (!(weight > 0)) return std::nullopt;
    MixtureComponent component{weight / total, s.mean * (s.weight / weight), s.scatter};
    component.covariance.diagonal().array() += each;
    component.covariance += s.mean * s.mean.transpose() * (s.weight * each / weight);
    component.covariance /= weight + prior.extra;
    if (diagonal) component.covariance = MatrixXd(component.covariance.diagonal().asDiagonal());
    if (floored) component.covariance.diagonal() += prior.floor;
    if (singular(component.covariance, floored)) return std::nullopt;
    result.push_back(std::move(component));
  }
  return result;
}

}  // namespace credence
