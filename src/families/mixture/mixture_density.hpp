// SPDX-License-Identifier: Apache-2.0
// From retained rows to the density of a mixture block.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "families/block_density.hpp"
#include "families/mixture/mixture_em.hpp"
#include "families/statistics/retained_rows.hpp"

namespace credence {

struct MixtureBlockData {
  const std::vector<std::size_t>& indices;
  const std::vector<std::string>& names;
  const MixtureOptions& options;
  const std::vector<RetainedRows>& classes;
};

// Where expectation-maximisation ended, for every class (empty: a class that is not estimated).
using MixtureSolution = std::vector<MixtureComponents>;

// In its units the columns have mean 0 and variance 1.
BlockFrame mixture_frame(const MixtureBlockData& data, const Estimation& estimation);

// Climbs to the best solution; the way there is told.
MixtureSolution solve_mixture(const MixtureBlockData& data, const Estimation& estimation,
                              const BlockFrame& frame);

std::unique_ptr<Density> mixture_density(const MixtureBlockData& data, const Estimation& estimation,
                                         const BlockFrame& frame, const MixtureSolution& solution);

}  // namespace credence
