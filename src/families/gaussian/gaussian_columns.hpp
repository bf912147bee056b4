// SPDX-License-Identifier: Apache-2.0
// Numbers side by side, each with a mean and a variance of its own in every class: the columns of a
// matrix as one block. Derivations: docs/families/gaussian.md
#pragma once

#include <memory>

#include "families/registry.hpp"

namespace credence {

// floor: this much of the largest variance among the columns is added to every variance.
std::unique_ptr<BlockStatistics> make_gaussian_columns(const BlockColumns& columns, double floor);

}  // namespace credence
