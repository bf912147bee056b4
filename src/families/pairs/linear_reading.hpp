// SPDX-License-Identifier: Apache-2.0
// Counts of pairs as the second moments that they are: linear discriminant analysis of which
// column has which state. docs/families/pairs.md
#pragma once

#include "families/pairs/read_pairs.hpp"

namespace credence {

// Puts what each state of each column says beside all others in place of the logarithms of its
// shares.
void read_linear(const PairCounts& counts, const Estimation& estimation, ReadPairs& read);

}  // namespace credence
