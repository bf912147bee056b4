// SPDX-License-Identifier: Apache-2.0
// From retained rows to the density of a mixture block.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "families/family.hpp"
#include "families/mixture_em.hpp"
#include "families/retained_rows.hpp"

namespace credence {

struct MixtureBlockData {
  const std::vector<std::size_t>& indices;
  const std::vector<std::string>& names;
  const MixtureOptions& options;
  const std::vector<RetainedRows>& classes;
};

// Where expectation-maximisation ended, for every class (empty: a class that is not estimated).
using MixtureSolution = std::vector<MixtureComponents>;

// The columns that vary, and the units in which they have mean 0 and variance 1.
struct MixtureFrame {
  std::vector<std::size_t> kept;  // places among the block's columns
  Eigen::VectorXd origin, unit;
};

MixtureFrame mixture_frame(const MixtureBlockData& data, const Estimation& estimation);

// Climbs to the best solution; the way there is told.
MixtureSolution solve_mixture(const MixtureBlockData& data, const Estimation& estimation,
                              const MixtureFrame& frame);

std::unique_ptr<Density> mixture_density(const MixtureBlockData& data, const Estimation& estimation,
                                         const MixtureFrame& frame,
                                         const MixtureSolution& solution);

}  // namespace credence
