// SPDX-License-Identifier: Apache-2.0
// The two steps of expectation-maximisation, for the rows of one class.
#pragma once

#include <vector>

#include "families/gaussian/vector_density.hpp"
#include "families/mixture/mixture_em.hpp"

namespace credence {

// The first step, for many sets of components over the same rows: what depends on the rows alone is
// prepared once. The rows must outlive it. `diagonal`: so are the components' covariances, and of
// the scatters only the diagonals are wanted.
class Expectation {
 public:
  explicit Expectation(const MixtureRows& rows, bool diagonal = false);

  MixtureExpectation operator()(const MixtureComponents& components,
                                const MixturePrior& prior) const;

  const MixtureRows& rows() const { return rows_; }

 private:
  // Rows that have the same columns.
  struct Group {
    Places present, absent;
    Places rows;
  };
  struct Regression;

  Eigen::VectorXd log_density(const MixtureComponent& component, std::size_t group) const;
  static std::vector<Group> group_by_gaps(const Eigen::MatrixXd& values);
  static Regression regress(const MixtureComponent& component, const Group& group);
  ComponentSums sums(const MixtureComponent& component, const Eigen::VectorXd& share) const;

  const MixtureRows& rows_;
  bool diagonal_;
  std::vector<Group> groups_;
  std::vector<Eigen::MatrixXd> present_;
};

}  // namespace credence
