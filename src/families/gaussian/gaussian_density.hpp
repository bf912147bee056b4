// SPDX-License-Identifier: Apache-2.0
// From scatter matrices to the density of a gaussian block.
#pragma once

#include <memory>

#include "families/gaussian/gaussian_block.hpp"
#include "families/gaussian/vector_density.hpp"

namespace credence {

struct GaussianBlockData {
  const std::vector<std::size_t>& indices;
  const std::vector<std::string>& names;
  const Covariance& covariance;
  const std::vector<ClassScatter>& classes;
};

// The columns that vary, the densities over them (empty for a class without rows).
struct EstimatedBlock {
  std::vector<std::size_t> kept;  // places among the block's columns
  std::vector<int> units;         // exponents of the units in which these are told
  std::vector<double> constants;  // of the other columns; NaN: no row has a value
  Eigen::VectorXd origin;         // from which means are told
  std::vector<VectorDensity> classes;
  std::size_t parameters = 0;
  bool tied = false;     // all classes share one covariance exactly: the log-odds are linear
  double log_prior = 0;  // as of Density
};

// The columns that vary, and the statistics of every class merged with the imaginary rows.
struct CompleteBlock {
  std::vector<std::size_t> kept;  // places among the block's columns
  std::vector<std::string> names;
  std::vector<int> units;         // exponents of the units in which these columns are told
  std::vector<double> constants;  // of the other columns; NaN: no row has a value
  ColumnMoments column;
  std::vector<Completed> completed;
  bool gaps = false;
};

CompleteBlock complete_block(const GaussianBlockData& data, const Estimation& estimation);

// All classes' scatters about their own means; the imaginary rows' spread counts once.
Completed pool(const CompleteBlock& block, double imaginary);

EstimatedBlock estimate_gaussian_block(const GaussianBlockData& data, const Estimation& estimation);

std::unique_ptr<Density> fit_gaussian_block(const GaussianBlockData& data,
                                            const Estimation& estimation);

}  // namespace credence
