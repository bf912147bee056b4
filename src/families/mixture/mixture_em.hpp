// SPDX-License-Identifier: Apache-2.0
// Expectation-maximisation for a mixture of normals, rows with gaps included.
// Derivations: docs/families/mixture.md
#pragma once

#include <Eigen/Dense>
#include <cstdint>
#include <optional>
#include <vector>

namespace credence {

struct MixtureComponent {
  double share = 1;
  Eigen::VectorXd mean;
  Eigen::MatrixXd covariance;
};

using MixtureComponents = std::vector<MixtureComponent>;

// The rows of one class, in units in which a column as a whole has mean 0 and variance 1.
struct MixtureRows {
  Eigen::MatrixXd values;  // a row of the table per column; NaN: missing
  Eigen::VectorXd weights;
};

// The prior: imaginary rows of mean 0 and variance 1, shared out evenly among the components.
struct MixturePrior {
  double rows = 0;
  double extra = 0;  // of a covariance's divisor: under map it is the mode of its posterior
  // Added to the variance of every column in every second step; empty: nothing is.
  Eigen::VectorXd floor = {};
};

struct MixtureOptions {
  std::size_t components = 0;  // 0: chosen by BIC, from 1 to `most`
  std::size_t most = 9;
  bool diagonal = false;
  std::size_t starts = 10;
  std::uint64_t seed = 1;
  double floor = 0;  // added to every variance, in the squared units of the column; 0: none
};

// What each component is responsible for: sums of the rows as if no value were missing.
struct ComponentSums {
  double weight = 0;
  Eigen::VectorXd mean;
  Eigen::MatrixXd scatter;  // about the mean
};

struct MixtureExpectation {
  double log_likelihood = 0;
  double objective = 0;  // the log-likelihood and the log prior: what EM never lets fall
  std::vector<ComponentSums> sums;
};

MixtureExpectation expect(const MixtureRows& rows, const MixtureComponents& components,
                          const MixturePrior& prior);

// The components at which the objective of these sums is highest; none when a covariance is
// singular.
std::optional<MixtureComponents> maximise(const std::vector<ComponentSums>& sums,
                                          const MixturePrior& prior, bool diagonal);

struct MixtureFit {
  MixtureComponents components;
  double log_likelihood = 0;
  std::vector<double> rise;  // the log-likelihood, with the log prior, after each step
};

// The best of several starts (k-means++); none when every start ends in a singular covariance.
std::optional<MixtureFit> fit_mixture(const MixtureRows& rows, const MixturePrior& prior,
                                      const MixtureOptions& options);

std::size_t mixture_parameters(std::size_t components, std::size_t columns, bool diagonal);

}  // namespace credence
