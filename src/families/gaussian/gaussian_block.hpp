// SPDX-License-Identifier: Apache-2.0
// Several numbers together: one mean vector and one covariance per class, or one for all.
// Derivations: docs/families/gaussian_block.md
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "families/gaussian/covariance.hpp"
#include "families/gaussian/scatter.hpp"
#include "families/registry.hpp"

namespace credence {

std::unique_ptr<BlockStatistics> make_gaussian_block(const BlockColumns& columns,
                                                     const Covariance& covariance);

// Which of a row's columns are present, as a string of '1' and '0'.
using Pattern = std::string;
// The statistics of the rows of one class: one scatter, over the columns present, per pattern.
using ClassScatter = std::map<Pattern, Scatter>;

// What the columns as a whole look like: the prior's imaginary rows. All means are told as seen
// from the origin, which is the columns' mean rounded to doubles.
struct ColumnMoments {
  Eigen::VectorXd origin;
  Eigen::VectorXd mean;
  Eigen::VectorXd variance;
};

// Statistics of a class as if no value were missing, imaginary rows included.
struct Completed {
  double weight = 0;     // with the imaginary rows
  double rows = 0;       // without
  Eigen::VectorXd mean;  // from the origin
  Eigen::MatrixXd scatter;
  Eigen::MatrixXd fourth;  // empty unless all rows are complete and it was kept
};

// Gaps are filled in by expectation-maximisation (Little & Rubin); without gaps it is one merge.
// The expectation uses the covariance of the block's own kind: tied, spherical, or one per class.
std::vector<Completed> complete(const std::vector<ClassScatter>& classes,
                                const ColumnMoments& column, double imaginary_rows,
                                const Covariance& kind);

}  // namespace credence
