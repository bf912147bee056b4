// SPDX-License-Identifier: Apache-2.0
// Where expectation-maximisation starts: rows dealt out to centres chosen by k-means++.
#pragma once

#include "families/mixture/mixture_em.hpp"

namespace credence {

// `lloyd`: the centres are moved by k-means first; else they are rows, as drawn. The two kinds of
// start end in different places, so that trying both finds more. `common`: this share of every row
// goes to all, so that no component starts with too few rows for a covariance.
std::vector<ComponentSums> start_mixture(const MixtureRows& rows, std::size_t components,
                                         std::uint64_t seed, bool lloyd, double common);

}  // namespace credence
