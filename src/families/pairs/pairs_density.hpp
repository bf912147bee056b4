// SPDX-License-Identifier: Apache-2.0
// Columns whose pairs were counted, read as one tree or as the mean of several.
#pragma once

#include <memory>
#include <vector>

#include "families/pairs/read_pairs.hpp"

namespace credence {

std::unique_ptr<Density> make_pairs_density(std::vector<PairColumn> columns, const Reading& reading,
                                            ReadPairs read, const Estimation& estimation);

}  // namespace credence
