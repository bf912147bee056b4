// SPDX-License-Identifier: Apache-2.0
#include "families/gaussian/covariance.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "credence/error.hpp"
#include "families/parameters.hpp"

namespace credence {
namespace {

const std::vector<std::string> known_parameters = {"full",   "tied",   "diagonal", "spherical",
                                                   "shrunk", "rda",    "apart",    "unit",
                                                   "tol",    "rescue", "floor"};

}  // namespace

Covariance parse_covariance(const std::string& parameters) {
  Covariance result;
  for (const auto& parameter : parse_parameters(parameters)) {
    const auto& name = parameter.name;
    if (name == "shrunk") {
      if (parameter.value.empty() || parameter.value == "ledoit-wolf") {
        result.shrinkage = Covariance::Shrinkage::ledoit_wolf;
      } else if (parameter.value == "oas") {
        result.shrinkage = Covariance::Shrinkage::oas;
      } else {
        result.shrinkage = Covariance::Shrinkage::fixed;
        result.lambda = parameter_number("gaussian", parameter, 0, 1,
                                         "ledoit-wolf, oas or a number from 0 to 1");
      }
    } else if (name == "rda") {
      result.towards_tied =
          parameter_number("gaussian", parameter, 0, 1, "a number from 0 (full) to 1 (tied)");
    } else if (name == "unit") {
      result.unit = parameter_number("gaussian", parameter, 0, 1, "a number from 0 to 1");
    } else if (name == "tol" || name == "rescue" || name == "floor") {
      (name == "tol"     ? result.tolerance
       : name == "floor" ? result.floor
                         : result.rescue) =
          parameter_number("gaussian", parameter, 0, 1e300, "a number from 0 on");
    } else if (name == "tied" && parameter.value == "prior") {
      result.tied = result.apart = result.by_prior = true;
    } else if (!parameter.value.empty()) {
      unknown_parameter("gaussian", {name + "=" + parameter.value, ""}, known_parameters);
    } else if (name == "full") {
      // the default
    } else if (name == "tied") {
      result.tied = true;
    } else if (name == "apart") {
      result.apart = true;
    } else if (name == "diagonal" || name == "spherical") {
      (name == "diagonal" ? result.diagonal : result.spherical) = true;
    } else {
      unknown_parameter("gaussian", parameter, known_parameters);
    }
  }
  if (result.floor >= 0 && (!result.diagonal || result.tied || result.spherical ||
                            result.shrinkage != Covariance::Shrinkage::none)) {
    throw Error(ErrorKind::usage, "gaussian(floor=…) goes with \"diagonal\" alone");
  }
  // Beside "shrunk", diagonal and spherical name the target, not the shape.
  if (result.shrinkage != Covariance::Shrinkage::none) {
    result.spherical_target = result.spherical;
    result.diagonal = result.spherical = false;
  }
  return result;
}

namespace {

// Target diagonal: all is done in units of the columns' own spreads, where the target is I.
Eigen::VectorXd units(const Covariance& kind, const Eigen::MatrixXd& covariance) {
  Eigen::VectorXd result = Eigen::VectorXd::Ones(covariance.rows());
  if (kind.spherical_target) return result;
  for (Eigen::Index i = 0; i < result.size(); ++i) {
    if (covariance(i, i) > 0) result[i] = std::sqrt(covariance(i, i));
  }
  return result;
}

}  // namespace

double shrinkage_intensity(const Covariance& kind, const Eigen::MatrixXd& covariance,
                           const Eigen::MatrixXd& fourth, double n) {
  if (kind.shrinkage == Covariance::Shrinkage::none) return 0;
  if (kind.shrinkage == Covariance::Shrinkage::fixed) return kind.lambda;
  const Eigen::VectorXd unit = units(kind, covariance).cwiseInverse();
  const Eigen::MatrixXd s = unit.asDiagonal() * covariance * unit.asDiagonal();
  const double p = static_cast<double>(s.rows());
  const double mu = s.trace() / p;
  const double squares = s.squaredNorm();
  if (kind.shrinkage == Covariance::Shrinkage::oas) {
    const double alpha = squares / (p * p);
    const double denominator = (n + 1) * (alpha - mu * mu / p);
    return denominator <= 0 ? 1 : std::min(1.0, (alpha + mu * mu) / denominator);
  }
  const Eigen::VectorXd unit2 = unit.cwiseProduct(unit);
  const double fourths = unit2.dot(fourth * unit2) / n;  // mean of |y|^4
  const double delta = (squares - 2 * mu * s.trace() + p * mu * mu) / p;
  const double beta = std::min(delta, std::max(0.0, (fourths - squares) / n / p));
  return delta <= 0 ? 0 : beta / delta;
}

Eigen::MatrixXd whitening(const Eigen::MatrixXd& covariance, double tolerance) {
  Eigen::VectorXd unit = covariance.diagonal().cwiseMax(0).cwiseSqrt();
  unit = (unit.array() == 0).select(1.0, unit);
  const Eigen::VectorXd inverse = unit.cwiseInverse();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(inverse.asDiagonal() * covariance *
                                                              inverse.asDiagonal());
  const Eigen::VectorXd deviation = solver.eigenvalues().cwiseMax(0).cwiseSqrt();  // ascending
  const Eigen::Index kept = (deviation.array() > tolerance).count();
  Eigen::MatrixXd result = solver.eigenvectors().rightCols(kept).rowwise().reverse().transpose();
  return deviation.tail(kept).reverse().cwiseInverse().asDiagonal() * result * inverse.asDiagonal();
}

Eigen::MatrixXd shrink(const Covariance& kind, const Eigen::MatrixXd& covariance,
                       double intensity) {
  if (intensity == 0) return covariance;
  Eigen::MatrixXd target = covariance.diagonal().asDiagonal();
  // In units of the columns' spreads the target is the unit matrix times their mean variance, which
  // a column without any has its part of too.
  if ((kind.apart || kind.rescue >= 0) && (covariance.diagonal().array() <= 0).any()) {
    const Eigen::VectorXd spread = units(kind, covariance).cwiseAbs2();
    target = spread.asDiagonal();
    target *= covariance.diagonal().cwiseQuotient(spread).mean();
  }
  if (kind.spherical_target) {
    target = Eigen::MatrixXd::Identity(covariance.rows(), covariance.cols()) *
             (covariance.trace() / static_cast<double>(covariance.rows()));
  }
  return (1 - intensity) * covariance + intensity * target;
}

double log_determinant(const Eigen::MatrixXd& matrix) {
  return 2 * Eigen::LLT<Eigen::MatrixXd>(matrix).matrixLLT().diagonal().array().log().sum();
}

}  // namespace credence
